import type { Tenant } from '@carecover/domain';
import { connectPostgres, type Tx } from '@carecover/postgres';

/** Executes `work` while another connection's transaction has the project's advisory lock of this name. */
export async function whileLocked<Result>(
  databaseUrl: string,
  name: 'roll-up' | 'valuation run',
  tenant: Tenant,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const other = connectPostgres(databaseUrl, 1, 'other');
  try {
    return await other.begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await tx`select pg_advisory_xact_lock(hashtext(${name}), hashtext(${tenant}))`;
      return work(tx);
    });
  } finally {
    await other.end();
  }
}
