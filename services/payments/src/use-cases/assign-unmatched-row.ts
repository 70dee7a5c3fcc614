/** Assigns a stored row of an imported settlement file to the remittance that it settles. */
import type { Settlement } from '@carecover/contract';
import { ApiError, type Sql } from '@carecover/platform';
import { assignReference } from '../store/unmatched-rows';
import { type ImportAuthor, recordCredit } from './import-settlements';

export interface Assignment {
  /** A connection with the database role of payments. */
  readonly sql: Sql;
  readonly author: ImportAuthor;
}

/**
 * Records a stored row as a settlement of a remittance, under the rules of the API. The settlement has the row's source_reference, or, if a
 * reversed settlement has it, the reference with the suffix `#2`, `#3` and so on.
 *
 * @returns null if the author's project has no row with this number, or an unreversed settlement records the row
 * @throws ApiError resource_not_found if the author's project has no such remittance; invalid_state if nine settlements of the row were
 *   reversed; the API errors of createSettlement
 */
export async function assignUnmatchedRow(
  { sql, author }: Assignment,
  row: number,
  remittanceId: string,
): Promise<Settlement | null> {
  const assigned = await assignReference(sql, author.tenant, row);
  if (assigned === undefined) return null;
  const { currency, amount, observed_at, assigned_reference: sourceReference } = assigned;
  if (sourceReference === null)
    throw new ApiError(
      'invalid_state',
      'Nine settlements of the row were reversed, the maximum. Record the credit with POST /settlements under another source_reference, and dismiss the row.',
    );
  const credit = { sourceReference, currency, amount, observedAt: observed_at.toISOString() };
  const { settlement } = await recordCredit(sql, author, credit, remittanceId);
  return settlement;
}
