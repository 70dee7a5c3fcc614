/**
 * A model of the delivery of notifications to the claims service, written from the comments of `ClaimsForPayments`: those about one remittance
 * are delivered in their order, those about different remittances in any order, and each is repeated until claims can record it.
 */
import type { Notification } from '@carecover/workflow-remittance';

/** A notification with its remittance, in the order of the ledger. */
export interface Enqueued {
  readonly remittanceId: string;
  readonly notification: Notification;
}

/** What a notification changes: the sum of a claim. */
interface Change {
  readonly claimId: string;
  /** The sum and the claim. */
  readonly sum: string;
  /** In minor units, with its sign. */
  readonly amount: number;
  /** The cause that must be recorded on the claim before. */
  readonly after: string | null;
}

/** Returns what a notification changes, each claim once. */
function changesOf({ kind, input }: Notification): Change[] {
  const changes = (
    sum: 'remitted' | 'settled',
    sign: 1 | -1,
    lines: readonly Omit<Change, 'sum'>[],
  ): Change[] =>
    lines.map(({ claimId, amount, after }) => ({
      ...{ claimId, after },
      sum: `${sum} of ${claimId}`,
      amount: sign * amount,
    }));
  switch (kind) {
    case 'remittance':
      return changes('remitted', 1, input.allocations);
    case 'remittance_recovered':
      return changes('remitted', -1, [input]);
    case 'settlement':
      return changes('settled', 1, input.amounts);
    case 'withdrawal': {
      const net = new Map<string, Change>();
      for (const change of [
        ...changes('remitted', 1, input.recoveries),
        ...changes('remitted', -1, input.allocations),
      ])
        net.set(change.sum, { ...change, amount: change.amount + (net.get(change.sum)?.amount ?? 0) });
      return [...net.values()];
    }
  }
}

/** The causes of the changes of each sum, in an order. */
type Causes = Map<string, readonly string[]>;

function append(causes: Causes, sum: string, cause: string): void {
  causes.set(sum, [...(causes.get(sum) ?? []), cause]);
}

/** Returns the causes of the changes of each sum in the order of the ledger. */
export function inOrderOfLedger(enqueued: readonly Enqueued[]): Causes {
  const causes: Causes = new Map();
  for (const { notification } of enqueued)
    for (const { sum } of changesOf(notification)) append(causes, sum, notification.causeId);
  return causes;
}

/**
 * Delivers notifications, of those that claims can record the one that the next pick draws. Claims can record a notification if it has recorded
 * the causes that it names, and if no sum becomes negative.
 *
 * @returns the causes of the changes of each sum, in the order in which claims has recorded them
 * @throws Error if claims can record none of those that are left
 */
export function deliver(enqueued: readonly Enqueued[], picks: readonly number[]): Causes {
  const queues = new Map<string, Notification[]>();
  for (const { remittanceId, notification } of enqueued)
    queues.set(remittanceId, [...(queues.get(remittanceId) ?? []), notification]);
  const causes: Causes = new Map();
  const recorded = new Set<string>();
  const sums = new Map<string, number>();
  const isPossible = ({ claimId, sum, amount, after }: Change) =>
    (after === null || recorded.has(`${after} on ${claimId}`)) && (sums.get(sum) ?? 0) + amount >= 0;
  for (let count = 0; count < enqueued.length; count += 1) {
    const possible = [...queues.values()].filter(
      ([next]) => next !== undefined && changesOf(next).every(isPossible),
    );
    const next = possible[(picks[count % picks.length] ?? 0) % possible.length]?.shift();
    if (next === undefined)
      throw new Error(`claims can record none of ${JSON.stringify([...queues.values()].flat())}`);
    for (const { claimId, sum, amount } of changesOf(next)) {
      append(causes, sum, next.causeId);
      recorded.add(`${next.causeId} on ${claimId}`);
      sums.set(sum, (sums.get(sum) ?? 0) + amount);
    }
  }
  return causes;
}
