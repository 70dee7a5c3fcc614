/**
 * Events between the outbox and the webhook service's own tables. The stream alone would have them there: lost with its disk,
 * or taken off it by a webhook service whose database is restored to an earlier instant. So the service keeps them until the
 * stream has let go of them, which it does when the webhook service has stored them.
 */
import type { Sql, Tx } from './postgres';
import type { StreamPosition } from './stream';

/** A row of the outbox and its place on the stream. */
export interface Placed {
  readonly seq: number;
  readonly streamSeq: number;
}

/** Moves rows of the outbox that went. */
export async function toPublished(tx: Tx, stream: string, placed: readonly Placed[]): Promise<void> {
  if (placed.length === 0) return;
  await tx`
    with placed as (
      select * from unnest(${placed.map(({ seq }) => seq)}::bigint[], ${placed.map(({ streamSeq }) => streamSeq)}::bigint[])
        as p (seq, stream_seq)
    ), gone as (
      delete from outbox where seq in (select seq from placed)
      returning seq, event_id, project_id, resource_id, type, payload, created_at, traceparent
    )
    insert into published (seq, event_id, project_id, resource_id, type, payload, created_at, traceparent, stream, stream_seq)
    select gone.*, ${stream}, placed.stream_seq from gone join placed using (seq)`;
}

/**
 * Puts back into the outbox what went to another stream than this one. What had been taken off that in time is told twice, and
 * known by its id. Gives the number of events.
 */
export async function putBackLost(sql: Sql, { stream }: StreamPosition): Promise<number> {
  const { count } = await sql`
    with lost as (
      delete from published where stream <> ${stream}
      returning seq, event_id, project_id, resource_id, type, payload, created_at, traceparent
    )
    insert into outbox (seq, event_id, project_id, resource_id, type, payload, created_at, traceparent) overriding system value
    select * from lost`;
  return count;
}

/** Forgets what was taken off the stream. */
export async function deleteTaken(sql: Sql, { stream, firstSeq }: StreamPosition): Promise<void> {
  await sql`delete from published where stream = ${stream} and stream_seq < ${firstSeq}`;
}
