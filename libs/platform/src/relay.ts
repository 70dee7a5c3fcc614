/**
 * Takes a service's outbox to the stream, in order, one relay active a service (advisory lock), the others standing by.
 * Woken by notification, and by a slow tick in case one was missed. Failure policy: while NATS or PostgreSQL is away it
 * tries again for ever, a little later each time up to five seconds; a row goes only when the stream has it on disk, and
 * a row published twice carries the same message id.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from './failpoints';
import type { Log } from './log';
import { connectPostgres, type Sql } from './postgres';
import { connectStream, type EventStream, ensureStream } from './stream';

const BATCH = 200;
const TICK_MS = 1_000;
const MAX_BACKOFF_MS = 5_000;

export interface RelayOptions {
  readonly service: string;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly log: Log;
}

interface OutboxRow {
  seq: number;
  event_id: string;
  project_id: string;
  resource_id: string;
  type: string;
  payload: string;
}

/** Publishes what the outbox holds; gives how many rows went. Rows are published together and removed in one statement. */
async function drain(sql: Sql, stream: EventStream, service: string): Promise<number> {
  const rows = await sql<OutboxRow[]>`
    select seq, event_id, project_id, resource_id, type, payload from outbox order by seq limit ${BATCH}`;
  if (rows.length === 0) return 0;
  failpoint('relay.before-publish');
  await Promise.all(
    rows.map(({ event_id, project_id, resource_id, type, payload }) =>
      stream.js.publish(
        `carecover.events.${service}.${type}`,
        JSON.stringify({ project_id, resource_id, payload }),
        {
          msgID: event_id,
        },
      ),
    ),
  );
  failpoint('relay.after-publish');
  await sql`delete from outbox where seq = any(${rows.map((row) => row.seq)}::bigint[])`;
  return rows.length;
}

/** Runs a relay until stopped. */
export function startRelay(options: RelayOptions): { stop(): Promise<void> } {
  const { service, log } = options;
  const stopping = new AbortController();
  let wake: () => void = () => undefined;

  /** Holds the lock on one connection for as long as that lives; a lost connection gives it to the standby. */
  async function serve(): Promise<void> {
    const sql = connectPostgres(options.databaseUrl, 2, `${service}-relay`);
    let stream: EventStream | null = null;
    try {
      const lock = await sql.reserve();
      try {
        const held = async () => {
          const [row] = await lock<
            { held: boolean }[]
          >`select pg_try_advisory_lock(hashtext('relay'), hashtext(${service})) as held`;
          return row?.held === true;
        };
        while (!stopping.signal.aborted && !(await held())) await pause(TICK_MS);
        if (stopping.signal.aborted) return;
        stream = await connectStream(options.natsUrl, `${service}-relay`);
        await ensureStream(stream);
        await sql.listen(`outbox_${service}`, () => wake());
        log.info('relay active');
        while (!stopping.signal.aborted) {
          const woken = new Promise<void>((resolve) => {
            wake = resolve;
          });
          await lock`select 1`;
          const went = await drain(sql, stream, service);
          if (went < BATCH) await Promise.race([woken, pause(TICK_MS)]);
        }
        await lock`select pg_advisory_unlock_all()`;
      } finally {
        lock.release();
      }
    } finally {
      await stream?.close();
      await sql.end({ timeout: 2 });
    }
  }

  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: stopping.signal }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stopping.signal.aborted) {
      try {
        await serve();
        failures = 0;
      } catch (error) {
        failures += 1;
        log.warn({ err: error }, 'relay interrupted, trying again');
        await pause(Math.min(MAX_BACKOFF_MS, 250 * 2 ** Math.min(failures, 6)));
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      wake();
      await running;
    },
  };
}
