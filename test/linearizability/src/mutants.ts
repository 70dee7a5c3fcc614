/** Changes a recorded history so that it contains an error, such as a lost write. A check must reject the changed history. */
import type { RecordedOperation } from './history';

interface Mutant {
  readonly history: readonly RecordedOperation[];
  /** The partition of the history that the check must reject. */
  readonly partition: string;
}

type Mutation = (history: readonly RecordedOperation[]) => Mutant;

/**
 * Returns the operation that a mutation changes. @throws Error if `found` is undefined: the history has no operation that the mutation can
 * change
 */
function required<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the history has no operation for this mutation');
  return found;
}

const isAccepted = ({ status = 0 }: RecordedOperation) => status >= 200 && status < 300;
const byCall = (history: readonly RecordedOperation[]) => history.toSorted((a, b) => a.call - b.call);

function change(
  history: readonly RecordedOperation[],
  isChanged: (operation: RecordedOperation) => boolean,
  to: (operation: RecordedOperation) => RecordedOperation,
): readonly RecordedOperation[] {
  required(history.find(isChanged));
  return history.map((operation) => (isChanged(operation) ? to(operation) : operation));
}

/**
 * Returns the last accepted remittance of the history. The last client of each session has read the claim before and after its
 * remittances.
 */
function lastRemittance(history: readonly RecordedOperation[]) {
  const remittance = required(byCall(history).findLast((each) => each.op === 'remit' && isAccepted(each)));
  const { id, return: returned, amount = 0, call, resource } = remittance;
  const isReadAfter = (each: RecordedOperation) =>
    each.id === id &&
    ['read', 'value'].includes(each.op) &&
    each.call > (returned ?? Number.POSITIVE_INFINITY);
  return { id, call, amount, partition: `claim ${resource}`, isReadAfter };
}

/** Changes the responses of all reads after the last remittance, as if the remittance had been recorded `times` times. */
const multiplyLastRemittance =
  (times: number): Mutation =>
  (history) => {
    const { amount, partition, isReadAfter } = lastRemittance(history);
    const changed = change(history, isReadAfter, (each) => ({
      ...each,
      seen: {
        ...each.seen,
        remitted: (each.seen?.remitted ?? 0) + (times - 1) * amount,
        facts: (each.seen?.facts ?? 0) + times - 1,
      },
    }));
    return { history: changed, partition };
  };

export const mutations: Readonly<Record<string, Mutation>> = {
  'a lost write': multiplyLastRemittance(0),
  'a doubled effect': multiplyLastRemittance(2),
  'a stale read after an acknowledged write': (history) => {
    const { id, call, partition, isReadAfter } = lastRemittance(history);
    const isRead = (each: RecordedOperation) => each.op === 'read' && each.id === id && isAccepted(each);
    const before = required(byCall(history).findLast((each) => isRead(each) && (each.return ?? call) < call));
    const after = required(byCall(history).find((each) => isRead(each) && isReadAfter(each)));
    return {
      partition,
      history: change(
        history,
        (each) => each === after,
        (each) => ({ ...each, seen: before.seen ?? {} }),
      ),
    };
  },
  'a valuation that changed later': (history) => {
    const again = required(byCall(history).findLast((each) => each.op === 'revalue' && isAccepted(each)));
    const changed = change(
      history,
      (each) => each === again,
      (each) => ({ ...each, digest: 'changed' }),
    );
    return { history: changed, partition: `claim ${again.resource}` };
  },
  'a reservation above the limit': (history) => {
    const rejected = required(byCall(history).findLast(({ code }) => code === 'benefit_exhausted'));
    const changed = change(
      history,
      (each) => each === rejected,
      ({ code: _code, ...each }) => ({ ...each, status: 200, replayed: false, digest: 'approved' }),
    );
    return { history: changed, partition: `coverage ${rejected.resource}` };
  },
  'a replay for another body': (history) => {
    const conflict = required(byCall(history).findLast(({ code }) => code === 'idempotency_conflict'));
    const first = required(history.find((each) => each.key === conflict.key && isAccepted(each)));
    const changed = change(
      history,
      (each) => each === conflict,
      ({ code: _code, ...each }) => ({
        ...each,
        status: 200,
        replayed: true,
        digest: first.digest ?? '',
      }),
    );
    return { history: changed, partition: `key ${conflict.resource}` };
  },
  'a replay with another body than the first answer': (history) => {
    const replay = required(
      byCall(history).findLast(({ model, replayed }) => model === 'key' && replayed === true),
    );
    const changed = change(
      history,
      (each) => each === replay,
      (each) => ({ ...each, digest: 'another' }),
    );
    return { history: changed, partition: `key ${replay.resource}` };
  },
};
