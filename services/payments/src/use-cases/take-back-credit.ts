/**
 * Resolves a takeback: a debit with which the bank takes a credit back. Settlements of the credit are reversed until the amount that the bank took is
 * covered, and the credit is recorded as returned in the transaction of the last reversal.
 *
 * Failure policy: an execution that was interrupted between two reversals leaves the takeback open; the next one continues. If a reversal is
 * rejected after another one, the result says so.
 */
import type { Settlement } from '@carecover/contract';
import { ApiError, type Tenant } from '@carecover/domain';
import type { Db, Sql, Tx } from '@carecover/postgres';
import { type Plan, planTakeback } from '../rules/takeback';
import {
  type EntrySettlement,
  findTakeback,
  findUnlinkedOfCredit,
  recordReturn,
} from '../store/bank-entries';
import { type ImportAuthor, operatorCall } from './record-entry';
import { recordReversal } from './reverse-settlement';

/** The reason code of the reversals. */
const REASON = 'returned_by_bank';

/** What a takeback would change. */
export interface TakebackPlan extends Plan<EntrySettlement> {
  /** The credit that it returns; null if no imported credit has the references and the amount of the debit. Then nothing can be reversed. */
  readonly credit: { readonly row: number; readonly source_reference: string } | null;
}

/** What a takeback changed. */
export interface TakenBack {
  /** The reversed settlements. */
  readonly data: readonly Settlement[];
  /** Why the other settlements of the plan were not reversed and the takeback stays open; null if all of it was executed. */
  readonly problem: string | null;
}

/**
 * Reads what {@link takeBackCredit} would change now.
 *
 * @returns null if the project has no open takeback with this number
 */
export async function readTakebackPlan(db: Db, tenant: Tenant, row: number): Promise<TakebackPlan | null> {
  const takeback = await findTakeback(db, tenant, row);
  if (takeback === undefined) return null;
  const { amount, credit, settlements } = takeback;
  if (credit === null) return { credit, settlements: [], open: 0 };
  const { row: creditRow, source_reference } = credit;
  return { credit: { row: creditRow, source_reference }, ...planTakeback(amount, credit, settlements) };
}

/**
 * Reverses what settlements record of the credit that a takeback returns, and resolves the takeback.
 *
 * @param expected the IDs of the settlements that the author has seen in the plan
 * @returns null if the author's project has no open takeback with this number
 * @throws ApiError invalid_state if no imported credit has a reference of the takeback, a settlement without a row has the reference of the credit, the
 *   plan has other settlements than the expected ones, or the credit changed meanwhile; the API errors of reverseSettlement. Nothing is reversed then
 */
export async function takeBackCredit(
  sql: Sql,
  author: ImportAuthor,
  row: number,
  expected: readonly string[],
): Promise<TakenBack | null> {
  const plan = await readTakebackPlan(sql, author.tenant, row);
  if (plan === null) return null;
  const { credit, settlements } = plan;
  if (credit === null)
    throw new ApiError(
      'invalid_state',
      'No imported credit has the references and the amount of this row. Import the file that has the credit, or reverse the settlement and dismiss this row.',
    );
  const unlinked = await findUnlinkedOfCredit(sql, author.tenant, credit.row);
  if (unlinked !== null)
    throw new ApiError(
      'invalid_state',
      `The settlement ${unlinked} has the reference of the credit and records no imported row. Reverse it if it records this credit, and then dismiss this row.`,
    );
  if (settlements.map(({ id }) => id).join() !== expected.join())
    throw new ApiError(
      'invalid_state',
      'The takeback would reverse other settlements now than those that you saw. Read the row again.',
    );
  const resolve = async (tx: Tx) => {
    if (!(await recordReturn(tx, author.tenant, row, credit.row)))
      throw new ApiError(
        'invalid_state',
        'The row, or the credit that it takes back, was changed. Read it again.',
      );
  };
  if (settlements.length === 0) await sql.begin(resolve);
  const data: Settlement[] = [];
  for (const { id } of settlements) {
    const call = await operatorCall('reverseSettlement', author, {
      key: `takeback:${row}:${id}`,
      params: { settlement_id: id },
      body: { reason_code: REASON },
      status: 200,
    });
    try {
      const isLast = id === settlements.at(-1)?.id;
      const { reply } = await recordReversal(sql, call, isLast ? resolve : undefined);
      data.push(JSON.parse(reply.text));
    } catch (error) {
      if (data.length === 0 || !(error instanceof ApiError)) throw error;
      return { data, problem: error.message };
    }
  }
  return { data, problem: null };
}
