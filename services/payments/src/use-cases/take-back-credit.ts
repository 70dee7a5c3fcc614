/**
 * Resolves a takeback: a debit with which the bank takes a credit back. Settlements of the credit are reversed until the amount that the bank took is
 * covered, and the credit is recorded as returned in the transaction of the last reversal.
 *
 * Failure policy: an execution that was interrupted between two reversals leaves the takeback open; the next one continues.
 */
import type { Settlement } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { Sql, Tx } from '@carecover/postgres';
import {
  findSettlementsOfEntry,
  findTakeback,
  findUnlinkedOfCredit,
  recordReturn,
} from '../store/bank-entries';
import { type ImportAuthor, operatorCall } from './record-entry';
import { recordReversal } from './reverse-settlement';

/** The reason code of the reversals. */
const REASON = 'returned_by_bank';

/**
 * Reverses what settlements record of the credit that a takeback returns, and resolves the takeback.
 *
 * @returns the reversed settlements; null if the author's project has no open takeback with this number
 * @throws ApiError invalid_state if no imported credit has a reference of the takeback, if a settlement without a row has the reference of the
 *   credit, or if the credit changed meanwhile; the API errors of
 *   reverseSettlement
 */
export async function takeBackCredit(
  sql: Sql,
  author: ImportAuthor,
  row: number,
): Promise<readonly Settlement[] | null> {
  const takeback = await findTakeback(sql, author.tenant, row);
  if (takeback === undefined) return null;
  const { credit, amount, credit_amount, recorded, returned } = takeback;
  if (credit === null)
    throw new ApiError(
      'invalid_state',
      'No imported credit has the references and the amount of this row. Import the file that has the credit, or reverse the settlement and dismiss this row.',
    );
  const unlinked = await findUnlinkedOfCredit(sql, author.tenant, credit);
  if (unlinked !== null)
    throw new ApiError(
      'invalid_state',
      `The settlement ${unlinked} has the reference of the credit and records no imported row. Reverse it if it records this credit, and then dismiss this row.`,
    );
  const resolve = async (tx: Tx) => {
    if (!(await recordReturn(tx, author.tenant, row, credit)))
      throw new ApiError(
        'invalid_state',
        'The row, or the credit that it takes back, was changed. Read it again.',
      );
  };
  let surplus = (recorded ?? 0) + (returned ?? 0) + amount - (credit_amount ?? 0);
  if (surplus <= 0) {
    await sql.begin(resolve);
    return [];
  }
  const reversed: Settlement[] = [];
  for (const settlement of await findSettlementsOfEntry(sql, author.tenant, credit)) {
    if (surplus <= 0) break;
    surplus -= settlement.amount;
    const call = await operatorCall('reverseSettlement', author, {
      key: `takeback:${row}:${settlement.id}`,
      params: { settlement_id: settlement.id },
      body: { reason_code: REASON },
      status: 200,
    });
    const { reply } = await recordReversal(sql, call, surplus <= 0 ? resolve : undefined);
    reversed.push(JSON.parse(reply.text));
  }
  return reversed;
}
