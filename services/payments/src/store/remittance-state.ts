/** Reads the state of a remittance for its workflow. */

import type { Tenant } from '@carecover/domain';
import type { Db } from '@carecover/postgres';
import type { RemittanceRow } from './remittances';

/** What a remittance awaits is computed from these values. */
export interface RemittanceState extends Pick<RemittanceRow, 'status' | 'deadline' | 'currency' | 'net'> {
  /** Whether the net, which is not above zero, is settled without a transfer. */
  readonly isNetted: boolean;
  /** The sum of the settled amounts of the allocations less that of the recoveries, in minor units. */
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
    select status, deadline, currency, net, platform.now() as now,
      exists (select from netted_advices where remittance_id = remittance.id) as "isNetted",
      ((select coalesce(sum(settled), 0) from remittance_allocations where remittance_id = remittance.id)
        - (select coalesce(sum(settled), 0) from remittance_recoveries where remittance_id = remittance.id))::bigint as settled
    from remittances remittance where id = ${remittanceId} and project_id = ${tenant}`;
  return row ?? null;
}
