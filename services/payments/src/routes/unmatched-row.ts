/** Finds the row of a bank file that the path of a route names, and reads which rows a list of them has. */
import { currencies, isPlainText, tryParseInstant } from '@carecover/contract';
import { ApiError, notFound, requireOneOf, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import {
  findOpenEntry,
  type OpenEntriesQuery,
  type OpenEntry,
  openEntryKinds,
  openEntryOrders,
  readEntryPlace,
} from '../store/bank-entries';

/** The number of rows of a page. */
export const MAX_ROWS = 100;
const MAX_TEXT = 200;

/** Returns the tenant's open entry of a bank file by its number. @throws ApiError resource_not_found */
export async function requireRow(
  sql: Sql,
  tenant: Tenant,
  text = '',
): Promise<OpenEntry & { readonly dismissed: boolean }> {
  const row = /^\d{1,15}$/.test(text) ? await findOpenEntry(sql, tenant, Number(text)) : undefined;
  if (row === undefined) throw notFound();
  return row;
}

/** Returns a value of the list; null if it is absent. @throws ApiError validation_failed if it is another value */
const oneOf = <T extends string>(values: readonly T[], value: unknown, pointer: string): T | null =>
  value === undefined || value === null ? null : requireOneOf(values, value, pointer);

/** Returns whether a text is the place of a page of the order: a number of a row with the row's value. */
function isPlace(text: string, order: OpenEntriesQuery['order']): boolean {
  const place = readEntryPlace(text);
  if (place === undefined || !isPlainText(text)) return false;
  if (order === 'reference') return true;
  return order === 'observed' ? tryParseInstant(place.value) !== undefined : /^-?\d{1,18}$/.test(place.value);
}

/** Reads which rows a page of unmatched rows has. @throws ApiError validation_failed */
export function readEntriesQuery(body: unknown): OpenEntriesQuery {
  const {
    kind,
    currency,
    text = '',
    order,
    after = null,
  } = (body ?? {}) as Partial<Record<keyof OpenEntriesQuery, unknown>>;
  if (typeof text !== 'string' || text.length > MAX_TEXT || !isPlainText(text))
    throw new ApiError('validation_failed', `/text must be a text of at most ${MAX_TEXT} characters.`);
  const sorted = oneOf(openEntryOrders, order, '/order') ?? 'oldest';
  if (after !== null && (typeof after !== 'string' || !isPlace(after, sorted)))
    throw new ApiError('validation_failed', '/after must be the place of a page with the same order.');
  return {
    kind: oneOf(openEntryKinds, kind, '/kind'),
    currency: oneOf(currencies, currency, '/currency'),
    text,
    order: sorted,
    after,
    limit: MAX_ROWS,
  };
}
