/** Lists the claims of a sum of receivables, so that an operator sees what an amount consists of. */
import type { AgeBand, Currency } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import { findOutstandingClaims, type OutstandingClaim } from '../store/receivable-sums';
import { makePortfolioFinal } from './make-final';

/** A sum of receivables: its instant in epoch milliseconds, and what its claims have in common; null: all have it. */
export interface ReceivableSum {
  readonly at: number;
  readonly currency: Currency;
  readonly age: AgeBand | null;
  readonly payerId: string | null;
  readonly practitionerId: string | null;
}

const LIMIT = 200;

/**
 * Returns the claims of the tenant whose outstanding amounts are the sum, largest first, as they were known at its instant: at most
 * {@link LIMIT}.
 *
 * @throws ApiError validation_failed if the instant is in the future; TooEarly if it has not passed; service_unavailable
 */
export async function listOutstandingClaims(
  sql: Sql,
  tenant: Tenant,
  sum: ReceivableSum,
): Promise<{ readonly data: readonly OutstandingClaim[]; readonly has_more: boolean }> {
  await makePortfolioFinal(sql, tenant, sum.at, '/at');
  const found = await findOutstandingClaims(sql, tenant, sum, LIMIT + 1);
  return { data: found.slice(0, LIMIT), has_more: found.length > LIMIT };
}
