/**
 * Takes a service's outbox to the stream, in the order of each resource's events. Every replica runs one, and each wakes
 * by notification, or by a slow tick should one be missed; an advisory lock, held by the transaction that reads the rows
 * and removes them, lets one publish at a time, so the next is never kept out by one that died.
 *
 * Failure policy: while NATS or PostgreSQL is away it tries again for ever, a little later each time; a row goes only when
 * the stream has it on disk, and a row that is published twice carries the same message id. What went is kept until the
 * webhook service has taken it off the stream, and goes again where the stream was lost before that. What the stream rejects
 * for what it is would be refused for ever: it is dead-lettered, and those behind it go on.
 */
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { deadLetterEvent, isRejectedForGood } from './dead-lettered-events';
import { failpoint } from './failpoints';
import { rest } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import { startNotifications } from './notifications';
import { watchDependency } from './outages';
import { eventAttributes } from './outbox';
import { connectPostgres, type Sql, type Tx } from './postgres';
import { deleteTaken, type Placed, putBackLost, toPublished } from './published';
import {
  connectStream,
  type EventStream,
  type NatsAccess,
  natsDependency,
  type StreamedEvent,
  streamPosition,
} from './stream';
import { activeTraceparent, resumeTrace, SpanKind } from './tracing/spans';
import { TRACEPARENT } from './tracing/traceparent';
import { WakeUpSignal } from './wake-up-signal';

const BATCH = 200;
const TICK_MS = 1_000;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 2_000;
/** How often it is looked whether the stream is still the same, and what has been taken off it. */
const LOOK_MS = 15_000;

export interface RelayOptions {
  readonly service: string;
  readonly databaseUrl: string;
  readonly nats: NatsAccess;
  readonly log: Log;
}

interface OutboxRow extends StreamedEvent {
  readonly seq: number;
  readonly event_id: string;
  readonly type: string;
  readonly traceparent: string | null;
}

/**
 * The rows to publish now, oldest first; none where another relay is at it. Both statements travel together. The commit that
 * removes them need not reach the disk: what it says is lost with the database's memory alone, and then they go once more.
 */
async function lockRows(tx: Tx, service: string): Promise<readonly OutboxRow[]> {
  const [locks, rows] = await Promise.all([
    tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(hashtext('relay'), hashtext(${service})) as held,
        set_config('synchronous_commit', 'off', true)`,
    tx<OutboxRow[]>`
      select seq, event_id, project_id, resource_id, type, payload, traceparent
        from outbox where dead_lettered_at is null order by seq limit ${BATCH}`,
  ]);
  return locks[0]?.held === true ? rows : [];
}

/** By which the event's trace goes on; a process that does not trace hands on what the row has. */
function traceHeaders(traceparent: string | null): { readonly headers?: MsgHdrs } {
  if (traceparent === null) return {};
  const made = headers();
  made.set(TRACEPARENT, traceparent);
  return { headers: made };
}

/** Resolves with the event's place when the stream has it on disk. */
async function publish(stream: EventStream, service: string, row: OutboxRow): Promise<Placed> {
  const { event_id, project_id, resource_id, type, payload } = row;
  const message: StreamedEvent = { project_id, resource_id, payload };
  const subject = `carecover.events.${service}.${type}`;
  const send = () =>
    stream.js.publish(subject, JSON.stringify(message), {
      msgID: event_id,
      ...traceHeaders(activeTraceparent() ?? row.traceparent),
    });
  const { seq: streamSeq } = await resumeTrace(
    row.traceparent,
    `publish ${type}`,
    SpanKind.PRODUCER,
    send,
    eventAttributes(event_id, resource_id),
  );
  return { seq: row.seq, streamSeq };
}

/** What became of a batch. */
interface Batch {
  readonly published: Placed[];
  /** Rejected for what they are. */
  readonly refused: { readonly row: OutboxRow; readonly reason: string }[];
  readonly failures: unknown[];
}

/** Publishes events of one resource one after the other, so that one that fails keeps the later ones back. */
async function publishInOrder(
  stream: EventStream,
  service: string,
  rows: readonly OutboxRow[],
  { published, refused, failures }: Batch,
): Promise<void> {
  for (const row of rows) {
    try {
      published.push(await publish(stream, service, row));
    } catch (error) {
      if (!isRejectedForGood(error)) {
        failures.push(error);
        return;
      }
      refused.push({ row, reason: error.message });
    }
  }
}

/**
 * Publishes a batch and removes what went from the outbox, those of different resources side by side.
 *
 * @returns how many rows went, or were dead-lettered
 * @throws the first failure, after what went has been removed
 */
async function drain(
  sql: Sql,
  stream: EventStream,
  streamId: string,
  { service, log }: RelayOptions,
): Promise<number> {
  const batch: Batch = { published: [], refused: [], failures: [] };
  await sql.begin(async (tx) => {
    const rows = await lockRows(tx, service);
    if (rows.length === 0) return;
    failpoint('relay.before-publish');
    const byResource = new Map<string, OutboxRow[]>();
    for (const row of rows)
      byResource.set(row.resource_id, [...(byResource.get(row.resource_id) ?? []), row]);
    await Promise.all([...byResource.values()].map((ofOne) => publishInOrder(stream, service, ofOne, batch)));
    failpoint('relay.after-publish');
    await toPublished(tx, streamId, batch.published);
    for (const { row, reason } of batch.refused) await deadLetterEvent(tx, row.seq, reason);
  });
  const { published, refused, failures } = batch;
  for (const { row, reason } of refused)
    log.error({ event_id: row.event_id, reason }, 'an event was dead-lettered');
  if (failures.length > 0) throw failures[0];
  return published.length + refused.length;
}

/** Runs a relay until stopped. */
export function startRelay(options: RelayOptions): Stoppable {
  const { service, log } = options;
  const stopping = new AbortController();
  const wakeUpSignal = new WakeUpSignal();
  const sql = connectPostgres(options.databaseUrl, 2, `${service}-relay`);
  watchDependency(log, natsDependency(options.nats, service));
  const notices = startNotifications(sql, `outbox_${service}`, () => wakeUpSignal.ring(), log);
  let backoffMs = FIRST_BACKOFF_MS;

  /** Gives which stream it is now. */
  async function look(stream: EventStream): Promise<string> {
    const position = await streamPosition(stream);
    const lost = await putBackLost(sql, position);
    if (lost > 0) log.warn({ events: lost }, 'the stream was made again, what it may have lost goes again');
    await deleteTaken(sql, position);
    return position.stream;
  }

  async function relay(): Promise<void> {
    const stream = await connectStream(options.nats, `${service}-relay`);
    try {
      let streamId = await look(stream);
      let lookedMs = Date.now();
      log.info('relay active');
      while (!stopping.signal.aborted) {
        if (Date.now() - lookedMs > LOOK_MS) {
          streamId = await look(stream);
          lookedMs = Date.now();
        }
        const went = await drain(sql, stream, streamId, options);
        backoffMs = FIRST_BACKOFF_MS;
        if (went < BATCH && !stopping.signal.aborted) await wakeUpSignal.wait(TICK_MS);
      }
    } finally {
      await stream.close();
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await relay();
      } catch (error) {
        log.warn({ err: error }, 'relay interrupted, trying again');
        await rest(backoffMs, stopping.signal);
        backoffMs = Math.min(MAX_BACKOFF_MS, 2 * backoffMs);
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      wakeUpSignal.ring();
      await running;
      await notices.stop();
      await sql.end({ timeout: 2 });
    },
  };
}
