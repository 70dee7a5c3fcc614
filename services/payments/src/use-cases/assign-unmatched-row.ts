/** Assigns an open credit of an imported bank file to the remittance that it settles, or divides it among several. */
import type { Settlement } from '@carecover/contract';
import type { Sql } from '@carecover/postgres';
import { EntryIsRecorded } from './create-settlement';
import { type ImportAuthor, recordOpenCredit } from './record-entry';

export interface Assignment {
  /** A connection with the database role of payments. */
  readonly sql: Sql;
  readonly author: ImportAuthor;
}

/**
 * Records an open credit, or a part of it, as a settlement of a remittance, under the rules of the API. The settlement has the row's source_reference,
 * or, if another settlement has it, the reference with the suffix `#2`, `#3` and so on. What is not recorded stays open.
 *
 * @param amount the part in minor units; null for all that is open
 * @param ordinal which of the equal parts of a list of acts this is, from 1: a part that is recorded already is not recorded again; absent if it is of
 *   no list
 * @returns null if the author's project has no open credit with this number
 * @throws ApiError validation_failed if the part is more than what is open; resource_not_found if the author's project has no such remittance;
 *   invalid_state if the row has the maximum number of settlements; the API errors of createSettlement
 */
export async function assignUnmatchedRow(
  { sql, author }: Assignment,
  row: number,
  remittanceId: string,
  amount: number | null = null,
  ordinal?: number,
): Promise<Settlement | null> {
  const part = { row, remittanceId, amount, ...(ordinal === undefined ? {} : { ordinal }) };
  try {
    return (await recordOpenCredit(sql, author, part)) ?? null;
  } catch (error) {
    if (error instanceof EntryIsRecorded) return null;
    throw error;
  }
}
