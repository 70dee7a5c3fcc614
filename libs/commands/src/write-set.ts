/** Writes of many requests that one transaction executes together, for the lines of bulk jobs. */
import { type ApiError, isRejection } from '@carecover/domain';
import { type Fragment, inPart, inParts, type Transactions, type Tx } from '@carecover/postgres';
import {
  type AnsweredCommand,
  answeredInsert,
  findKnownKeys,
  type StoredResponse,
  type WriteRequest,
} from './row';

/** A request of a set, whose key is unique in the set. */
export type KeyedRequest = WriteRequest & { readonly idempotencyKey: string };

/** What a request of a set writes: its response, and the row of the resource that it creates. */
export interface DecidedWrite<Row> extends StoredResponse {
  readonly resourceId: string;
  readonly row: Row;
}

/** How the writes of a set are decided and executed. */
export interface WriteSet<Item, Row, Result> {
  readonly requestOf: (item: Item) => KeyedRequest;
  /**
   * Decides the writes of requests whose keys have no command yet. Returns them in the order of the items: an API error for a rejected one,
   * null for one that must be executed alone.
   */
  readonly decide: (
    tx: Tx,
    items: readonly Item[],
  ) => Promise<readonly (DecidedWrite<Row> | ApiError | null)[]>;
  /** Returns SQL that inserts the rows, and returns one row per inserted one. */
  readonly insert: (tx: Tx, rows: readonly Row[]) => Fragment;
  /** Executes one item as a request of its own, in the given transactions. */
  readonly alone: (transactions: Transactions, item: Item) => Promise<Result>;
  readonly written: (write: DecidedWrite<Row>) => Result;
  readonly rejected: (error: ApiError) => Result;
}

/** Thrown if a concurrent request has written a row that a set was about to insert. */
class ConflictInSet extends Error {}

/**
 * Executes the writes of a set in an open transaction, each at most once per idempotency key, in a few statements for all of them. A rejected
 * item does not affect the others. What was executed before, and what the set can't decide, is executed alone; so are all items if a
 * concurrent request has taken a key or a unique value of one of them.
 *
 * @returns the results in the order of the items
 * @throws the errors of `decide` and `alone` that are no rejections
 */
export async function writeAllOnce<Item, Row, Result>(
  tx: Tx,
  items: readonly Item[],
  set: WriteSet<Item, Row, Result>,
): Promise<Result[]> {
  const together = await executeTogether(tx, items, set);
  const left = items.flatMap((item, index) => (together.has(index) ? [] : [{ item, index }]));
  const alone = await inParts(tx, left, (part, { item }) => set.alone(part, item), set.rejected);
  const results = new Map([
    ...together,
    ...left.map(({ index }, at) => [index, alone[at] as Result] as const),
  ]);
  return items.map((_, index) => results.get(index) as Result);
}

/** Returns the results of the items that could be executed together, by their index. */
async function executeTogether<Item, Row, Result>(
  tx: Tx,
  items: readonly Item[],
  set: WriteSet<Item, Row, Result>,
): Promise<ReadonlyMap<number, Result>> {
  if (items.length < 2) return new Map();
  try {
    return await inPart(tx, async (part) => {
      const requests = items.map(set.requestOf);
      const known = await findKnownKeys(part, requests);
      const fresh = items.flatMap((item, index) => (known.has(index) ? [] : [{ item, index }]));
      if (fresh.length === 0) return new Map();
      const decisions = await set.decide(
        part,
        fresh.map(({ item }) => item),
      );
      const decided = fresh.flatMap(({ index }, at) => {
        const decision = decisions[at] ?? null;
        return decision === null ? [] : [{ index, decision }];
      });
      const accepted = decided.flatMap(({ index, decision }) => {
        const request = requests[index];
        return request === undefined || isRejected(decision) ? [] : [{ request, write: decision }];
      });
      await insertAll(part, accepted, set);
      return new Map(
        decided.map(({ index, decision }) => [
          index,
          isRejected(decision) ? set.rejected(decision) : set.written(decision),
        ]),
      );
    });
  } catch (error) {
    if (error instanceof ConflictInSet) return new Map();
    throw error;
  }
}

const isRejected = (decision: object): decision is ApiError => isRejection(decision);

/** @throws ConflictInSet unless all rows were inserted */
async function insertAll<Item, Row, Result>(
  tx: Tx,
  accepted: readonly { readonly request: KeyedRequest; readonly write: DecidedWrite<Row> }[],
  { insert }: WriteSet<Item, Row, Result>,
): Promise<void> {
  if (accepted.length === 0) return;
  const commands = accepted.map(({ request, write: { status, body, resourceId } }): AnsweredCommand => {
    return { request, key: request.idempotencyKey, status, text: JSON.stringify(body), resourceId };
  });
  const rows = accepted.map(({ write: { row } }) => row);
  const [inserted] = await tx<{ commands: number; rows: number }[]>`
    with command as (${answeredInsert(tx, commands)}), written as (${insert(tx, rows)})
    select (select count(*) from command)::integer as commands, (select count(*) from written)::integer as rows`;
  if (inserted?.commands !== accepted.length || inserted.rows !== accepted.length) throw new ConflictInSet();
}
