/** Assigns a stored row of an imported settlement file to the remittance that it settles. */
import type { Settlement } from '@carecover/contract';
import type { Sql, TemporalCommands } from '@carecover/platform';
import { findUnmatchedRow } from '../store/unmatched-rows';
import { type ImportAuthor, recordCredit } from './import-settlements';

export interface Assignment {
  /** A connection with the database role of payments. */
  readonly sql: Sql;
  readonly temporal: Pick<TemporalCommands, 'command'>;
  readonly author: ImportAuthor;
}

/**
 * Records a stored row as a settlement of a remittance, under the rules of the API.
 *
 * @returns null if the author's project has no row with this number, or a settlement has its source reference
 * @throws ApiError resource_not_found if the author's project has no such remittance; the API errors of createSettlement
 */
export async function assignUnmatchedRow(
  { sql, temporal, author }: Assignment,
  row: number,
  remittanceId: string,
): Promise<Settlement | null> {
  const kept = await findUnmatchedRow(sql, author.tenant, row);
  if (kept === undefined) return null;
  const { source_reference: sourceReference, currency, amount, observed_at } = kept;
  const credit = { sourceReference, currency, amount, observedAt: observed_at.toISOString() };
  const { settlement } = await recordCredit(sql, temporal, author, credit, remittanceId);
  return settlement;
}
