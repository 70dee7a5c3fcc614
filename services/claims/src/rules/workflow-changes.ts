/** Which changes of a claim its workflow receives, and as what operators see them in its history. */
import type { ResourceChange } from '@carecover/domain';
import type { Fact } from './facts';
import type { Change, ClaimState } from './recording';

/** Facts that change neither what a claim's workflow waits for nor what it shows, unless they change the claim's status. */
const UNSEEN: ReadonlySet<Fact['type']> = new Set([
  'created',
  'validated',
  'remittance_recorded',
  'remittance_recovered',
  'settled',
  'reconciled',
]);

/**
 * Returns the changes for the claim's workflow; none if they change neither what it waits for nor what it shows.
 *
 * @param facts the facts of `changes`, in the same order
 */
export function workflowChanges(
  before: ClaimState,
  changes: readonly Change[],
  facts: readonly Fact[],
  after: ClaimState,
): ResourceChange[] {
  const isSeen = before.status !== after.status || facts.some(({ type }) => !UNSEEN.has(type));
  if (!isSeen) return [];
  return facts.flatMap(({ type, recordedAt, authority }, index) =>
    type === 'created' || type === 'validated'
      ? []
      : [
          {
            what: type,
            at: new Date(recordedAt).toISOString(),
            actor: authority,
            requestId: changes[index]?.requestId ?? null,
          },
        ],
  );
}
