/**
 * Rows of notifications to the claims service. The transaction that changes a remittance inserts them. The remittance's workflow sends them
 * in the order in which they were inserted. They are kept, so that they can be sent again.
 */
import { type Db, type Fragment, jsonb, type Tenant } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';
import { PENDING_PAGE } from '../rules/pending-notifications';
import type { LockedRemittance } from '../rules/reconciliation';

/** Returns the SQL that enqueues notifications about a locked remittance, in the given order. A cause has one notification. */
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
 * Returns the SQL expression for the oldest pending notifications about the row `remittance` of the query: a JSON array in the order in
 * which the notifications were inserted, with one more than a page if there are more.
 *
 * @param except causes of notifications to leave out
 */
export function pendingRecords(db: Db, except: readonly string[] = []): Fragment {
  return db`
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) order by sequence), '[]')
     from (
       select kind, cause_id, input, sequence from claims_records
       where remittance_id = remittance.id and recorded_at is null and cause_id <> all(${[...except]}::text[])
       order by sequence limit ${PENDING_PAGE + 1}
     ) oldest)`;
}

/** Returns the SQL that marks a remittance's notifications with the given causes as recorded by the claims service. */
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
