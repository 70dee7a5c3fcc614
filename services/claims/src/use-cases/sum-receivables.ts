/** Computes the receivables of a project: what payers owe for its claims, as it was known at an instant. */
import { type Currency, formatInstant, type Receivables } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { receivablesByCurrency } from '../rules/receivables';
import { PortfolioBusy, rollUpNextMonth } from '../store/portfolio-rollups';
import { sumOutstanding } from '../store/receivable-sums';
import { makePortfolioFinal } from './make-final';

/** Reads the references of payers by their surrogates from benefits. A payer that benefits does not know is missing in the result. */
export type ReadPayers = (payerIds: readonly string[]) => Promise<Record<string, string>>;

/**
 * The time in milliseconds after which a request stops rolling up months. It reads the deltas of the months that are left, and later
 * requests roll these months up.
 */
const ROLL_UP_MS = 2_000;

/**
 * Rolls up months that have ended by `at`, oldest first. Without roll-ups, the deltas of 10^5 claims take seconds to read. Does not wait while
 * another request or a valuation run rolls up a month of the project: this request then reads the deltas.
 */
async function rollUp(sql: Sql, tenant: Tenant, at: number): Promise<void> {
  const endMs = performance.now() + ROLL_UP_MS;
  try {
    while ((await rollUpNextMonth(sql, tenant, at)) !== null && performance.now() < endMs);
  } catch (error) {
    if (!(error instanceof PortfolioBusy)) throw error;
  }
}

/**
 * Returns what payers owe for all claims of a project, per currency, as known at `at` (epoch milliseconds).
 *
 * @throws ApiError validation_failed if the instant is more than 5 seconds in the future; TooEarly if it has not passed; service_unavailable
 */
export async function outstandingAt(
  sql: Sql,
  tenant: Tenant,
  at: number,
): Promise<{ readonly currency: string; readonly amount: number }[]> {
  await makePortfolioFinal(sql, tenant, at, '/at');
  await rollUp(sql, tenant, at);
  const currencies = receivablesByCurrency(await sumOutstanding(sql, tenant, at, null, null));
  return currencies.map(({ currency, outstanding }) => ({ currency, amount: outstanding.total }));
}

/**
 * Returns the receivables from the claims that the client can read, as they were known at `at` (epoch milliseconds). The same request has
 * the same response for ever.
 *
 * @throws ApiError validation_failed if the instant is more than 5 seconds in the future or a sum is above 2^53 - 1; TooEarly if
 *   it has not passed; service_unavailable
 */
export async function sumReceivables(
  sql: Sql,
  readPayers: ReadPayers,
  client: Pick<Caller, 'tenant' | 'resourceIds'>,
  at: number,
  currency?: Currency,
): Promise<Receivables> {
  await makePortfolioFinal(sql, client.tenant, at, '/query/at');
  const { tenant, resourceIds } = client;
  if (resourceIds === null) await rollUp(sql, tenant, at);
  const sums = await sumOutstanding(sql, tenant, at, resourceIds, currency ?? null);
  const currencies = receivablesByCurrency(sums);
  const payerIds = new Set(currencies.flatMap(({ payers }) => payers.map(({ payerId }) => payerId)));
  const known = [...payerIds].filter((id) => id !== null);
  const references = known.length === 0 ? {} : await readPayers(known);
  return {
    object: 'receivables',
    at: formatInstant(at),
    currencies: currencies.map(({ payers, ...inCurrency }) => ({
      ...inCurrency,
      payers: payers.map(({ payerId, ...payer }) => ({
        // Benefits has no reference of a payer if it was restored from an older backup than claims. The payer's surrogate is then returned.
        payer_reference: payerId === null ? null : (references[payerId] ?? payerId),
        ...payer,
      })),
    })),
  };
}
