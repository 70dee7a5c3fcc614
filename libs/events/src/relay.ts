/**
 * Publishes a service's outbox to the stream. The events of one resource are published in the order of their commits. Every replica runs a
 * relay. An advisory lock of the publishing transaction allows one relay at a time to publish. PostgreSQL releases the lock if the process
 * ends.
 *
 * Failure policy: while NATS or PostgreSQL is unavailable the relay retries for ever. A row is removed from the outbox when the stream has
 * the event on disk. If a row is published twice, both messages have the same ID, by which the second one is dropped. An event that the
 * stream always rejects is dead-lettered.
 */

import { type StreamedEvent, TRACEPARENT } from '@carecover/domain';
import { connectPostgres, listenForNotifications, type Sql, type Tx } from '@carecover/postgres';
import type { Stoppable } from '@carecover/process';
import { failpoint, startLoop, WakeUpSignal, watchDependency } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import { activeTraceparent, metricsRegistry, resumeTrace, SpanKind } from '@carecover/telemetry';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { Gauge } from 'prom-client';
import { deadLetterEvent, isPermanentRejection } from './dead-lettered-events';
import { eventAttributes, OUTBOX_CHANNEL } from './outbox';
import {
  deleteStoredEvents,
  moveToPublished,
  type PublishedRow,
  requeueLostEvents,
} from './published-events';
import {
  connectStream,
  type EventStream,
  type NatsAccess,
  natsDependency,
  readStreamState,
  type StreamState,
} from './stream';

const BATCH = 200;
/** Interval in milliseconds at which the relay checks the outbox for rows whose PostgreSQL notification was lost. */
const POLL_INTERVAL_MS = 10_000;
/**
 * Interval in milliseconds at which the relay checks the outbox while another relay publishes: the other relay can end before it has
 * published all rows.
 */
const BUSY_INTERVAL_MS = 1_000;
/**
 * Interval in milliseconds at which the relay checks whether the stream was recreated, and which messages were removed from it. A message
 * is removed when the webhooks service acknowledges it.
 */
const STREAM_CHECK_INTERVAL_MS = 9_000;

const usedBytes = new Gauge({
  name: 'carecover_stream_used_bytes',
  help: 'Size of the messages on the stream; updated every 10 seconds',
  labelNames: ['service'],
  registers: [metricsRegistry],
});
const limitBytes = new Gauge({
  name: 'carecover_stream_limit_bytes',
  help: 'Size of the messages from which the stream rejects further ones; updated every 10 seconds',
  labelNames: ['service'],
  registers: [metricsRegistry],
});

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
 * Locks and returns the rows to publish now, oldest first; none if another relay is publishing. The commit need not wait for the
 * disk: if a crash of the database undoes it, the rows are published a second time.
 */
async function lockRows(tx: Tx, service: string): Promise<readonly OutboxRow[]> {
  const [locks, rows] = await tx.pipeline([
    tx<{ held: boolean }[]>`select pg_try_advisory_xact_lock(hashtext('relay'), hashtext(${service})) as held,
        set_config('synchronous_commit', 'off', true)`,
    tx<OutboxRow[]>`
      select seq, event_id, project_id, resource_id, type, payload, traceparent
        from outbox where dead_lettered_at is null order by seq limit ${BATCH}`,
  ]);
  return locks[0]?.held === true ? rows : [];
}

/** Returns whether the outbox has rows to publish. It is one statement, which costs less than a transaction. */
async function hasRows(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select 1 from outbox where dead_lettered_at is null) as found`;
  return row?.found === true;
}

/** Returns the message header by which consumers continue the event's trace. */
function traceHeaders(traceparent: string | null): { readonly headers?: MsgHdrs } {
  if (traceparent === null) return {};
  const made = headers();
  made.set(TRACEPARENT, traceparent);
  return { headers: made };
}

/** Publishes one event. Resolves with the message's sequence number when the stream has the message on disk. */
async function publish(stream: EventStream, service: string, row: OutboxRow): Promise<PublishedRow> {
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

/** The outcome of a batch. */
interface Batch {
  readonly published: PublishedRow[];
  /** The rows that the stream would reject at every attempt to publish them, with the reason. They are dead-lettered. */
  readonly rejected: { readonly row: OutboxRow; readonly reason: string }[];
  readonly failures: unknown[];
}

/**
 * Publishes the events of one resource one after the other. Stops at a failure that is not permanent, so that no later event of the
 * resource is published before the failed one.
 */
async function publishInOrder(
  stream: EventStream,
  service: string,
  rows: readonly OutboxRow[],
  { published, rejected, failures }: Batch,
): Promise<void> {
  for (const row of rows) {
    try {
      published.push(await publish(stream, service, row));
    } catch (error) {
      if (!isPermanentRejection(error)) {
        failures.push(error);
        return;
      }
      rejected.push({ row, reason: error.message });
    }
  }
}

/**
 * Publishes a batch of rows, the rows of different resources concurrently, and removes the published rows from the outbox.
 *
 * @returns the number of rows that were published or dead-lettered
 * @throws the first failure, after the published rows were removed
 */
async function publishBatch(
  sql: Sql,
  stream: EventStream,
  streamId: string,
  { service, log }: RelayOptions,
): Promise<number> {
  const batch: Batch = { published: [], rejected: [], failures: [] };
  await sql.begin(async (tx) => {
    const rows = await lockRows(tx, service);
    if (rows.length === 0) return;
    failpoint('relay.before-publish');
    const byResource = new Map<string, OutboxRow[]>();
    for (const row of rows)
      byResource.set(row.resource_id, [...(byResource.get(row.resource_id) ?? []), row]);
    await Promise.all(
      [...byResource.values()].map((resourceRows) => publishInOrder(stream, service, resourceRows, batch)),
    );
    failpoint('relay.after-publish');
    await moveToPublished(tx, streamId, batch.published);
    for (const { row, reason } of batch.rejected) await deadLetterEvent(tx, row.seq, reason);
  });
  const { published, rejected, failures } = batch;
  for (const { row, reason } of rejected)
    log.error({ event_id: row.event_id, reason }, 'an event was dead-lettered');
  if (failures.length > 0) throw failures[0];
  return published.length + rejected.length;
}

/** Runs a relay until it is stopped. */
export function startRelay(options: RelayOptions): Stoppable {
  const { service, log } = options;
  const wakeUpSignal = new WakeUpSignal();
  const sql = connectPostgres(options.databaseUrl, 2, `${service}-relay`);
  watchDependency(log, natsDependency(options.nats, service));
  const notifications = listenForNotifications(
    sql,
    `${OUTBOX_CHANNEL}_${service}`,
    () => wakeUpSignal.send(),
    log,
  );
  let checked: StreamState | null = null;
  let hasPublished = true;

  /**
   * Checks the stream. If the stream was recreated, moves the events of the earlier stream back to the outbox. Deletes the copies of the
   * events that were removed from the stream. Returns the ID of the current stream.
   */
  async function checkStream(stream: EventStream): Promise<string> {
    const state = await readStreamState(stream);
    usedBytes.set({ service }, state.usedBytes);
    limitBytes.set({ service }, state.limitBytes);
    const isSame = state.stream === checked?.stream && state.firstSeq === checked.firstSeq;
    if (isSame && !hasPublished) return state.stream;
    hasPublished = false;
    const lost = await requeueLostEvents(sql, state);
    if (lost > 0)
      log.warn(
        { events: lost },
        'the stream was recreated: events that it may have lost are published again',
      );
    if (await deleteStoredEvents(sql, state)) checked = state;
    return state.stream;
  }

  async function relay(stopping: AbortSignal): Promise<void> {
    const stream = await connectStream(options.nats, `${service}-relay`);
    try {
      let streamId = await checkStream(stream);
      let checkedMs = performance.now();
      log.info('relay started');
      while (!stopping.aborted) {
        if (performance.now() - checkedMs > STREAM_CHECK_INTERVAL_MS) {
          streamId = await checkStream(stream);
          checkedMs = performance.now();
        }
        const isDue = await hasRows(sql);
        if (isDue) hasPublished = true;
        const count = isDue ? await publishBatch(sql, stream, streamId, options) : 0;
        const pauseMs = isDue && count === 0 ? BUSY_INTERVAL_MS : POLL_INTERVAL_MS;
        if (count < BATCH && !stopping.aborted) await wakeUpSignal.wait(pauseMs);
      }
    } finally {
      // The gauges are absent while the size is unknown.
      for (const gauge of [usedBytes, limitBytes]) gauge.remove({ service });
      await stream.close();
    }
  }

  const loop = startLoop({ name: 'the relay', log }, relay);
  return {
    async stop() {
      const stopped = loop.stop();
      wakeUpSignal.send();
      await stopped;
      await notifications.stop();
      await sql.end({ timeoutMs: 2_000 });
    },
  };
}
