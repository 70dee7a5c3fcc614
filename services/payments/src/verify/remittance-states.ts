/** Compares the stored status of remittances with the status that is computed from their settlements. */
import type { Tx } from '@carecover/postgres';
import { evaluate } from '../rules/remittance-status';
import { observationOf, type SettlementRow } from '../store/settlements';
import type { Difference } from './difference';
import { readRemittances, type VerifiedRemittance } from './store/remittances';
import type { Selection } from './store/selection';

/** If the status of a remittance has not changed this long after its deadline, the verification reports a difference. */
const LATE_MS = 5 * 60_000;

/**
 * Returns the instants (epoch milliseconds) at which the status of a remittance can have been computed: now; and before the deadline, as long
 * as it can still be applied. In a simulated project now is the time of its clock. There an advance applies the deadline, before the clock
 * has reached it, or after writes have moved the clock past it.
 */
function instantsOf({ status, deadline, clock, advanced_to, target }: VerifiedRemittance, now: Date) {
  const deadlineMs = deadline.getTime();
  const beforeDeadline = deadlineMs - 1;
  if (clock === null) {
    const isLate = status === 'received' && now.getTime() < deadlineMs + LATE_MS;
    return isLate ? [now.getTime(), beforeDeadline] : [now.getTime()];
  }
  return [
    clock.getTime(),
    ...(advanced_to === null || advanced_to < deadline ? [beforeDeadline] : []),
    ...(target !== null && deadline <= target ? [deadlineMs] : []),
  ];
}

/** Checks that each selected remittance has the status that is computed from its settlements and the time. */
export async function stateDifferences(tx: Tx, selection: Selection, now: Date): Promise<Difference[]> {
  const { remittances, settlements } = await readRemittances(tx, selection);
  const byRemittance = new Map<string, SettlementRow[]>(remittances.map(({ id }) => [id, []]));
  for (const settlement of settlements) byRemittance.get(settlement.remittance_id)?.push(settlement);
  return remittances.flatMap((remittance) => {
    const says = stateDifference(remittance, byRemittance.get(remittance.id) ?? [], now);
    return says === null ? [] : [{ subject: remittance.id, says }];
  });
}

function stateDifference(
  remittance: VerifiedRemittance,
  settlements: readonly SettlementRow[],
  now: Date,
): string | null {
  const { currency, expected, status } = remittance;
  const unreversed = settlements.map(observationOf);
  if (remittance.is_withdrawn && unreversed.length > 0)
    return `is withdrawn, but has ${unreversed.length} settlements that are not reversed`;
  if (remittance.is_withdrawn || status === 'withdrawn')
    return remittance.is_withdrawn && status === 'withdrawn'
      ? null
      : `is ${status}, but ${remittance.is_withdrawn ? 'has a withdrawal' : 'has no withdrawal'}`;
  const deadline = remittance.deadline.getTime();
  const possible = instantsOf(remittance, now).map((at) =>
    evaluate({ currency, expected, deadline }, unreversed, at),
  );
  return possible.includes(status)
    ? null
    : `is ${status}, but its observations and the clock make it ${possible[0]}`;
}
