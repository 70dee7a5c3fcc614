/**
 * Keeps copies of the events on the stream until the webhooks service has stored the events and removed them from the stream. Without the
 * copies, a lost stream, or a restore of the webhooks database, would lose events.
 */

import type { Db, Sql, Tx } from '@carecover/postgres';
import { DELETION_BATCH, isOnlyDeletion } from '@carecover/postgres';
import type { StreamPosition } from './stream';

/** A row of the outbox and its sequence number on the stream. */
export interface PublishedRow {
  readonly seq: number;
  readonly streamSeq: number;
}

/** Moves rows from the table outbox to the table published_events, with their sequence numbers on the stream. */
export async function moveToPublished(tx: Tx, stream: string, rows: readonly PublishedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    with published_row as (
      select * from unnest(${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ streamSeq }) => streamSeq)}::bigint[])
        as p (seq, stream_seq)
    ), moved as (
      delete from outbox where seq in (select seq from published_row)
      returning seq, event_id, project_id, resource_id, type, payload, created_at, traceparent
    )
    insert into published_events (seq, event_id, project_id, resource_id, type, payload, created_at, traceparent, stream, stream_seq)
    select moved.*, ${stream}, published_row.stream_seq from moved join published_row using (seq)`;
}

/**
 * Moves events that were published to another stream than the current one back to the outbox. An event that the webhooks service
 * has stored already is published twice; the webhooks service ignores the second message by its ID. Returns the number of events.
 */
export async function requeueLostEvents(sql: Sql, { stream }: StreamPosition): Promise<number> {
  const [moved] = await sql<{ count: number }[]>`
    with lost as (
      delete from published_events where stream <> ${stream}
      returning seq, event_id, project_id, resource_id, type, payload, created_at, traceparent
    ), moved as (
      insert into outbox (seq, event_id, project_id, resource_id, type, payload, created_at, traceparent) overriding system value
      select * from lost returning 1
    )
    select count(*)::int as count from moved`;
  return moved?.count ?? 0;
}

/**
 * Deletes the copies of events that the webhooks service has removed from the stream, in batches. Returns false if another process is
 * deleting copies, so that some can be left.
 */
export async function deleteStoredEvents(
  db: Db,
  { stream, firstSeq }: StreamPosition,
  batch = DELETION_BATCH,
): Promise<boolean> {
  for (;;) {
    const [result] = await db<{ held: boolean; deleted: number }[]>`
      with lock as materialized (select ${isOnlyDeletion(db, 'published_events')} as held), deleted as (
        delete from published_events where seq in (
          select seq from published_events
          where stream = ${stream} and stream_seq < ${firstSeq} and (select held from lock)
          order by stream_seq limit ${batch})
        returning 1
      )
      select held, (select count(*)::int from deleted) as deleted from lock`;
    if (result?.held !== true) return false;
    if (result.deleted < batch) return true;
  }
}
