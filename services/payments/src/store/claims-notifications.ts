/**
 * Rows of notifications to the claims service. The transaction that changes a remittance inserts them. They are sent in the order in which
 * they were inserted, and kept, so that they can be sent again.
 */

import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, jsonb } from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import type { LockedRemittance } from '../rules/reconciliation';

/** Notifications about a locked remittance, in their order. */
export interface RemittanceNotifications {
  readonly locked: LockedRemittance;
  readonly notifications: readonly Notification[];
}

/** Returns the SQL that enqueues notifications about locked remittances, in the given order; null without any. A cause has one notification. */
export function insertNotifications(db: Db, about: readonly RemittanceNotifications[]): Fragment | null {
  const rows = about.flatMap(({ locked: { id }, notifications }) =>
    notifications.map(({ causeId, kind, input }) => ({ cause_id: causeId, remittance_id: id, kind, input })),
  );
  if (rows.length === 0) return null;
  return db`
    insert into claims_notifications (cause_id, remittance_id, kind, input)
    select cause_id, remittance_id, kind, input
    from rows from (jsonb_to_recordset(${jsonb(rows)}) as (cause_id text, remittance_id text, kind text, input jsonb))
      with ordinality as record (cause_id, remittance_id, kind, input, place) order by place`;
}

/** Maximum number of notifications that are read at once. One about 100 claims, the most that a remittance has, takes about 20 kB. */
export const PENDING_PAGE = 20;

/**
 * Returns the SQL expression for the oldest pending notifications about the row `remittance` of the query: a JSON array in the order in
 * which the notifications were inserted, at most a page.
 */
export function pendingNotifications(db: Db): Fragment {
  return db`
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) order by sequence), '[]')
     from (
       select kind, cause_id, input, sequence from claims_notifications
       where remittance_id = remittance.id and recorded_at is null order by sequence limit ${PENDING_PAGE}
     ) oldest)`;
}

/** Reads the oldest pending notifications about a remittance, at most a page. */
export async function findPending(db: Db, tenant: Tenant, remittanceId: string): Promise<Notification[]> {
  const [row] = await db<{ pending: Notification[] }[]>`
    select ${pendingNotifications(db)} as pending from remittances remittance
    where id = ${remittanceId} and project_id = ${tenant}`;
  return row?.pending ?? [];
}

/** Marks a remittance's notifications with the given causes as recorded by the claims service. */
export async function markRecorded(
  db: Db,
  tenant: Tenant,
  remittanceId: string,
  causeIds: readonly string[],
): Promise<void> {
  await db`
    update claims_notifications record set recorded_at = platform.now()
    from remittances remittance
    where remittance.id = ${remittanceId} and remittance.project_id = ${tenant}
      and record.remittance_id = remittance.id and record.cause_id = any(${[...causeIds]}::text[])
      and record.recorded_at is null`;
}
