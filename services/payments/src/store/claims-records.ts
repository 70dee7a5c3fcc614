/**
 * Notifications to the claims service. The transaction that makes a change inserts its row, the remittance's workflow sends the rows in
 * order, and the rows are kept so that they can be sent again.
 */
import { type Db, type Fragment, jsonb } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';

/** SQL that enqueues a remittance's notifications in this order; one per cause. */
export function insertRecords(
  db: Db,
  remittanceId: string,
  notifications: readonly Notification[],
): Fragment {
  const rows = notifications.map(({ causeId, kind, input }) => ({ cause_id: causeId, kind, input }));
  return db`
    insert into claims_records (cause_id, remittance_id, kind, input)
    select cause_id, ${remittanceId}, kind, input
    from rows from (jsonb_to_recordset(${jsonb(rows)}) as (cause_id text, kind text, input jsonb))
      with ordinality as record (cause_id, kind, input, place) order by place`;
}

/**
 * SQL for a remittance's pending notifications, as a JSON array in their order.
 *
 * @param remittanceId SQL
 * @param except causes to leave out
 */
export function pendingRecords(db: Db, remittanceId: Fragment, except: readonly string[] = []) {
  return db`
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) order by sequence), '[]')
     from claims_records
     where remittance_id = ${remittanceId} and told_at is null and cause_id <> all(${[...except]}::text[]))`;
}

/** SQL that marks the notifications of these causes as recorded by claims. It can be a statement or a part of one. */
export function markRecorded(db: Db, causeIds: readonly string[]) {
  return db`
    update claims_records set told_at = platform.now()
    where cause_id = any(${[...causeIds]}::text[]) and told_at is null`;
}
