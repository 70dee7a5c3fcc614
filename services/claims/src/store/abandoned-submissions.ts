/**
 * Rows of submissions that were rejected after benefits may have marked a pre-authorization as used by their claims. Such a command creates
 * no claim any more. The row is deleted with the command, after benefits has released the pre-authorization.
 */

import type { Tenant } from '@carecover/domain';
import type { Query, Tx } from '@carecover/postgres';

/** Marks a submission as abandoned. Lock its command first. */
export async function insertAbandoned(tx: Tx, tenant: Tenant, commandId: string): Promise<void> {
  await tx`
    insert into abandoned_submissions (command_id)
    select id from commands where id = ${commandId} and project_id = ${tenant} on conflict do nothing`;
}

/** Returns whether a submission is abandoned. Lock its command first. */
export function isAbandoned(tx: Tx, tenant: Tenant, commandId: string): Query<boolean> {
  const found = tx`
    select 1 from abandoned_submissions join commands on commands.id = command_id
    where command_id = ${commandId} and project_id = ${tenant}`;
  return found.withResult((rows) => rows.length > 0);
}

/** Returns the IDs of those of the given commands that are abandoned submissions. Lock the commands first. */
export function abandonedOf(
  tx: Tx,
  tenant: Tenant,
  commandIds: readonly string[],
): Query<ReadonlySet<string>> {
  const found = tx<{ command_id: string }[]>`
    select command_id from abandoned_submissions join commands on commands.id = command_id
    where command_id = any(${[...commandIds]}) and project_id = ${tenant}`;
  return found.withResult((rows) => new Set(rows.map(({ command_id }) => command_id)));
}
