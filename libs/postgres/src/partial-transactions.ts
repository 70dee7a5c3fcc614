/** Transactions whose changes are not kept, and those that are parts of another one. */
import { type ApiError, isRejection } from '@carecover/domain';
import type { Sql, Tx } from './connect';

/** What executes transactions. */
export type Transactions = Pick<Sql, 'begin'>;

const ROLLED_BACK = new Error('the transaction is rolled back');

/**
 * Returns transactions that run as those of `sql`, and are rolled back at their end also if they succeed. Notifications after the commit are
 * not sent.
 *
 * @example const response = await createSession(rolledBack(sql), call); // decided on the facts of now, and nothing is written
 */
export function rolledBack(sql: Transactions): Transactions {
  async function begin<T>(
    ...args: [(tx: Tx) => PromiseLike<T> | T] | [string, (tx: Tx) => PromiseLike<T> | T]
  ): Promise<T> {
    const work = args.length === 1 ? args[0] : args[1];
    const results: T[] = [];
    const roll = async (tx: Tx): Promise<never> => {
      results.push(await work(tx));
      throw ROLLED_BACK;
    };
    try {
      return await (args.length === 1 ? sql.begin(roll) : sql.begin(args[0], roll));
    } catch (error) {
      const [result] = results;
      if (error !== ROLLED_BACK) throw error;
      return result as T;
    }
  }
  return { begin };
}

/** Returns transactions that are parts of an open one: each is rolled back to its start if it throws, and committed with the open one. */
function savepoints(tx: Tx): Transactions {
  async function begin<T>(
    ...args: [(tx: Tx) => PromiseLike<T> | T] | [string, (tx: Tx) => PromiseLike<T> | T]
  ): Promise<T> {
    const [work] = args;
    if (typeof work === 'string') throw new TypeError('a part of a transaction has no mode of its own');
    await tx`savepoint part`;
    try {
      const result = await work(tx);
      await tx`release savepoint part`;
      return result;
    } catch (error) {
      await tx`rollback to savepoint part`;
      throw error;
    }
  }
  return { begin };
}

/**
 * Executes `work` in a part of its own of an open transaction, which is rolled back to its start if `work` throws.
 *
 * @throws the error of `work`
 */
export function inPart<T>(tx: Tx, work: (part: Tx) => Promise<T>): Promise<T> {
  return savepoints(tx).begin(work);
}

/**
 * Executes `work` for each item, one after the other, in a part of its own of an open transaction. Returns the results in the order of the
 * items; of an item whose work is rejected with an API error, what `rejected` returns. Another error, such as service_unavailable, ends all.
 *
 * @example await sql.begin((tx) => inParts(tx, calls, createSession, ({ code }) => code));
 */
export async function inParts<Item, Result>(
  tx: Tx,
  items: readonly Item[],
  work: (transactions: Transactions, item: Item) => Promise<Result>,
  rejected: (error: ApiError) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    try {
      results.push(await work(savepoints(tx), item));
    } catch (error) {
      if (!isRejection(error)) throw error;
      results.push(rejected(error));
    }
  }
  return results;
}
