/**
 * What the claims service must record of what payments committed: rows of the committing transaction, sent in their order by
 * the remittance's workflow, and kept so that they can be sent again.
 */
import { type Db, type Fragment, jsonb } from '@carecover/platform';
import type { Notification } from '@carecover/workflow-remittance';

/** SQL that adds to what is to be sent about a remittance, in this order; a cause is sent once. */
export function insertRecords(
  db: Db,
  remittanceId: string,
  notifications: readonly Notification[],
): Fragment {
  const rows = notifications.map(({ causeId, kind, input }) => ({ cause_id: causeId, kind, input }));
  return db`
    insert into claims_records (cause_id, remittance_id, kind, input)
    select cause_id, ${remittanceId}, kind, input
    from rows from (jsonb_to_recordset(${jsonb(db, rows)}) as (cause_id text, kind text, input jsonb))
      with ordinality as record (cause_id, kind, input, place) order by place`;
}

/**
 * SQL for a remittance's records that claims does not have yet, as a JSON array in their order; but for those of these causes.
 * @param remittanceId SQL
 */
export function pendingRecords(db: Db, remittanceId: Fragment, except: readonly string[] = []) {
  return db`
    (select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) order by sequence), '[]')
     from claims_records
     where remittance_id = ${remittanceId} and told_at is null and cause_id <> all(${[...except]}::text[]))`;
}

/** Notes that claims has the records of these causes: a statement by itself, or a part of another one. */
export function setTold(db: Db, causeIds: readonly string[]) {
  return db`
    update claims_records set told_at = platform.now()
    where cause_id = any(${[...causeIds]}::text[]) and told_at is null`;
}
