/** A driver that creates remittances inside the payments service, with its rules, ledger and command rows but without HTTP and Temporal. */
import { connectPostgres } from '@carecover/postgres';
import { Bookkeeping } from '../harness/bookkeeping';
import type { OpenLoad } from '../harness/driver';

export interface RemittancesOptions {
  readonly url: string;
  readonly projectId: string;
  /** The groups of claims: each has the IDs of the claims among which one remittance is allocated. The groups are used in rotation. */
  readonly groups: readonly (readonly string[])[];
}

export const open: OpenLoad<RemittancesOptions> = async ({ url, projectId, groups }, connections) => {
  const sql = connectPostgres(url, connections, 'bench-inside');
  const bookkeeping = new Bookkeeping(sql, projectId);
  return {
    size: null,
    shoot: (number) => bookkeeping.remit(groups[number % groups.length] ?? []),
    close: () => sql.end({ timeoutMs: 5_000 }),
  };
};
