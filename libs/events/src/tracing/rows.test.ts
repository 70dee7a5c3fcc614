import { commitCommand, executeCommand, finishInterrupted, type WriteRequest } from '@carecover/commands';
import { newId, storedTenant, TRACEPARENT } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { activeTraceId, createLog, SpanKind, startTrace } from '@carecover/telemetry';
import {
  createTestDatabase,
  eventually,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@carecover/testing/servers';
import { type RecordedSpans, recordSpans } from '@carecover/testing/services';
import { appendEvent } from '../outbox';
import { startRelay } from '../relay';
import { connectStream, ensureStream, STREAM, streamManager } from '../stream';

const TRACE = 'a'.repeat(32);
const CALLERS = `00-${TRACE}-${'b'.repeat(16)}-01`;
const log = createLog('claims', 'silent');

let database: TestDatabase;
let nats: TestNats;
let sql: Sql;
let spans: RecordedSpans;

beforeAll(async () => {
  [database, nats] = await Promise.all([createTestDatabase({ services: ['claims'] }), startTestNats()]);
  sql = connectPostgres(database.url('claims'), 4, 'rows');
});
beforeEach(() => {
  spans = recordSpans();
});
afterEach(() => spans.stop());
afterAll(async () => {
  await sql?.end();
  await Promise.all([nats?.stop(), database?.drop()]);
});

const traced = <T>(work: () => Promise<T>) => startTrace(CALLERS, 'request', SpanKind.SERVER, work);

function newWrite(): WriteRequest {
  return {
    operation: 'cancelClaim',
    caller: {
      tenant: storedTenant('prj_1'),
      environment: 'sandbox',
      authority: 'key_1',
      requestId: 'r',
      scopes: ['*'],
      resourceIds: null,
      consentDefault: 'granted',
      endpointLimit: 50,
    },
    idempotencyKey: newId('key_'),
    requestHash: Buffer.from('hash'),
  };
}

/** Interrupts a command after its row was inserted, and ends its lease. */
async function acceptAndLose(): Promise<void> {
  const lost = executeCommand(sql, newWrite(), {
    resourceId: newId('clm_'),
    body: {},
    replayStatus: 200,
    execute: () => Promise.reject(new Error('the process ends')),
  });
  await expect(lost).rejects.toThrow('the process ends');
  await sql`update pending_commands set leased_until = clock_timestamp() - interval '1 second'`;
}

/** Finishes interrupted commands, and returns their traces. */
async function finish(): Promise<(string | undefined)[]> {
  const traces: (string | undefined)[] = [];
  await finishInterrupted(sql, {
    cancelClaim: ({ id, caller }) => {
      traces.push(activeTraceId());
      return commitCommand(sql, caller.tenant, id, async () => ({ status: 200, body: {} }));
    },
  })();
  return traces;
}

test('an interrupted command that is finished continues the trace of its request', async () => {
  await traced(acceptAndLose);
  expect(await finish()).toEqual([TRACE]);
  expect(
    spans
      .ended()
      .find(({ name }) => name === 'finish command')
      ?.spanContext().traceId,
  ).toBe(TRACE);
  const kept = await sql`select 1 from pending_commands`;
  expect(kept).toHaveLength(0);
});

test('an interrupted command without a trace is finished without one', async () => {
  await acceptAndLose();
  expect(await finish()).toEqual([undefined]);
});

function emit(): Promise<string> {
  return sql.begin((tx) =>
    appendEvent(tx, {
      tenant: storedTenant('prj_1'),
      environment: 'sandbox',
      type: 'claim.submitted',
      resourceId: 'clm_1',
      resourceVersion: 1,
      createdAt: new Date(),
      data: {},
    }),
  );
}

/** Waits until `count` messages are published, and returns their traceparents by event ID. */
async function relayed(count: number): Promise<Map<string, string>> {
  const stream = await connectStream(nats.access('operator'), 'test');
  await ensureStream(stream);
  const relay = startRelay({
    service: 'claims',
    databaseUrl: database.url('claims'),
    nats: nats.access('claims'),
    log,
  });
  try {
    const manager = await streamManager(stream);
    await eventually('the stream has them', async () => {
      const last = await manager.streams.info(STREAM).then(
        ({ state }) => state.last_seq,
        () => 0,
      );
      return last >= count;
    });
    const found = new Map<string, string>();
    for (let seq = 1; seq <= count; seq++) {
      const message = await manager.streams.getMessage(STREAM, { seq });
      found.set(message?.header.get('Nats-Msg-Id') ?? '', message?.header.get(TRACEPARENT) ?? '');
    }
    return found;
  } finally {
    await stream.close();
    await relay.stop();
  }
}

test('a relay in any process continues the trace of an event, and starts none', async () => {
  const inTrace = await traced(emit);
  const outside = await emit();
  // Tracing is stopped, because the process that publishes the events may run without tracing.
  spans.stop();
  const headers = await relayed(2);
  expect(headers.get(inTrace)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  expect(headers.get(outside)).toBe('');
});
