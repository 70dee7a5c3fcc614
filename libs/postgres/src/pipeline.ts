/** Several queries of one transaction that are sent together, in one round trip. */
import { DeferredQuery, type Query, type Send, sender, sendNow } from './statement';

/** The parts of a pipeline: queries of one transaction, in the order in which they are sent; null for a part that is left out. */
export type Pipelined = readonly (Query<unknown> | null)[];

/** The results of the parts of a pipeline. */
export type Results<Parts extends Pipelined> = {
  -readonly [Index in keyof Parts]: Parts[Index] extends Query<infer Result> ? Result : Awaited<Parts[Index]>;
};

/** Makes the query of `Tx.pipeline`, for the transaction whose statements `send` sends. */
export function pipelineOf<const Parts extends Pipelined>(send: Send, parts: Parts): Query<Results<Parts>> {
  if (parts.some((part) => part !== null && part[sender] !== send))
    throw new TypeError('a pipeline can have only queries of its own transaction');
  return new DeferredQuery(send, async () => {
    const outcomes = await Promise.allSettled(parts.map((part) => part?.[sendNow]() ?? null));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as never;
  });
}
