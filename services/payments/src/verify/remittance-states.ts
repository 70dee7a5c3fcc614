/** Compares the stored status of remittances with the status that is computed from their settlements. */
import type { Tx } from '@carecover/platform';
import { evaluate } from '../rules/remittance-status';
import type { RemittanceRow } from '../store/remittances';
import { observationOf, type SettlementRow } from '../store/settlements';
import type { Difference } from './difference';
import { readRemittances } from './store/remittances';

/** How late the status of a remittance can change after its deadline without being reported. */
const LATE_MS = 5 * 60_000;

/** Checks that each remittance has the status that is computed from its settlements and the time. */
export async function stateDifferences(tx: Tx, now: Date): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (let after = ''; ; ) {
    const { remittances, settlements } = await readRemittances(tx, after);
    for (const remittance of remittances) {
      const says = stateDifference(remittance, settlements, now);
      if (says !== null) differences.push({ subject: remittance.id, says });
    }
    const last = remittances.at(-1)?.id;
    if (last === undefined) return differences;
    after = last;
  }
}

function stateDifference(
  remittance: RemittanceRow,
  settlements: readonly SettlementRow[],
  now: Date,
): string | null {
  const { id, currency, total, status } = remittance;
  const unreversed = settlements.filter((row) => row.remittance_id === id).map(observationOf);
  const deadline = remittance.deadline.getTime();
  const evaluated = evaluate({ currency, total, deadline }, unreversed, now.getTime());
  if (evaluated === status) return null;
  const lateOnly = status === 'received' && now.getTime() < deadline + LATE_MS;
  if (
    lateOnly &&
    evaluate({ currency, total, deadline: deadline + LATE_MS }, unreversed, now.getTime()) === status
  )
    return null;
  return `is ${status}, but its observations and the clock make it ${evaluated}`;
}
