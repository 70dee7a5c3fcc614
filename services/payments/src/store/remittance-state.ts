/** Reads the state of a remittance for its workflow. */

import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';
import type { RemittanceRow } from './remittances';

/** What a remittance awaits is computed from these values. */
export interface RemittanceState extends Pick<RemittanceRow, 'status' | 'deadline' | 'currency' | 'total'> {
  /** The sum of the amounts of the remittance's matched settlements, in minor units. */
  readonly settled: number;
  /** The database's time at which the state was read. */
  readonly now: Date;
}

/** Reads the state of a remittance; null if the tenant has no such remittance. */
export async function findState(
  db: Db,
  tenant: Tenant,
  remittanceId: string,
): Promise<RemittanceState | null> {
  const [row] = await db<RemittanceState[]>`
    select status, deadline, currency, total, platform.now() as now,
      (select sum(settled)::bigint from remittance_allocations where remittance_id = remittance.id) as settled
    from remittances remittance where id = ${remittanceId} and project_id = ${tenant}`;
  return row ?? null;
}
