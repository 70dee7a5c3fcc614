/**
 * Notifications to the claims service. The transaction that makes a change inserts its row, the remittance's workflow sends the rows in
 * order, and the rows are kept so that they can be sent again.
 */
import { type Db, type Fragment, jsonb, type Tenant } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';
import type { LockedRemittance } from '../rules/reconciliation';

/** SQL that enqueues a remittance's notifications in this order; one per cause. */
export function insertRecords(
  db: Db,
  { id }: LockedRemittance,
  notifications: readonly Notification[],
): Fragment {
  const rows = notifications.map(({ causeId, kind, input }) => ({ cause_id: causeId, kind, input }));
  return db`
    insert into claims_records (cause_id, remittance_id, kind, input)
    select cause_id, ${id}, kind, input
    from rows from (jsonb_to_recordset(${jsonb(rows)}) as (cause_id text, kind text, input jsonb))
      with ordinality as record (cause_id, kind, input, place) order by place`;
}

/**
 * SQL for the pending notifications of the row `remittance`, as a JSON array in their order.
 *
 * @param except causes to leave out
 */
export function pendingRecords(db: Db, except: readonly string[] = []): Fragment {
  return db`
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) order by sequence), '[]')
     from claims_records
     where remittance_id = remittance.id and recorded_at is null and cause_id <> all(${[...except]}::text[]))`;
}

/** SQL that marks the remittance's notifications of these causes as recorded by claims. */
export function markRecorded(
  db: Db,
  tenant: Tenant,
  remittanceId: string,
  causeIds: readonly string[],
): Fragment {
  return db`
    update claims_records record set recorded_at = platform.now()
    from remittances remittance
    where remittance.id = ${remittanceId} and remittance.project_id = ${tenant}
      and record.remittance_id = remittance.id and record.cause_id = any(${[...causeIds]}::text[])
      and record.recorded_at is null`;
}
