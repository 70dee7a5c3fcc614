/** Finds the row of a bank file that the path of a route names. */
import { notFound, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { findOpenEntry, type OpenEntry } from '../store/bank-entries';

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
