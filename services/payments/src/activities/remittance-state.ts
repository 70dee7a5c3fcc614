/** What the remittance's workflow is told after each transaction. */
import type { Db } from '@carecover/platform';
import type { RemittanceState } from '@carecover/workflow-remittance';
import { untold } from '../store/claims-records';
import type { RemittanceRow } from '../store/remittances';

/** Null where there is no such remittance. */
export async function findState(db: Db, remittanceId: string): Promise<RemittanceState | null> {
  const [row] = await db<
    (Pick<RemittanceRow, 'status' | 'deadline' | 'currency' | 'total'> & { settled: number; now: Date })[]
  >`
    select status, deadline, currency, total, platform.now() as now,
      (select sum(settled)::bigint from remittance_allocations where remittance_id = remittances.id) as settled
    from remittances where id = ${remittanceId}`;
  if (row === undefined) return null;
  return {
    status: row.status,
    deadline: row.deadline.toISOString(),
    remainingMs: row.deadline.getTime() - row.now.getTime(),
    currency: row.currency,
    total: row.total,
    settled: row.settled,
    untold: await untold(db, remittanceId),
  };
}

/** @throws where there is no such remittance */
export async function stateOf(db: Db, remittanceId: string): Promise<RemittanceState> {
  const state = await findState(db, remittanceId);
  if (state === null) throw new Error(`remittance ${remittanceId} is not there`);
  return state;
}
