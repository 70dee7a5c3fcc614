/**
 * What a collector sees of one `POST /claims`: one tree from the caller's own span to the delivery of the event, over six
 * processes, Temporal, PostgreSQL and NATS; and nothing in it that belongs to a person or opens a door.
 */
import type { Claim } from '@carecover/client';
import { eventually } from '@carecover/local/testing';
import { workflowBundle } from '@carecover/platform/bundle';
import {
  type CollectedSpan,
  type Collector,
  type Delivery,
  type Receiver,
  startCollector,
  startReceiver,
  useWorld,
} from '@carecover/test-support';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { request } from 'undici';

const CALLERS_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLERS_SPAN = '00f067aa0ba902b7';
const IDEMPOTENCY_KEY = 'trace-me-if-you-can';

let collector: Collector;
let receiver: Receiver;
const received: Delivery[] = [];
/** What must never leave: of the member, the key, the request and the endpoint. */
const secrets: string[] = [];
let claim: Claim;
let trace: CollectedSpan[];

const spanOf = (id: string) => trace.find(({ spanId }) => spanId === id);
const named = (service: string, name: string) =>
  trace.filter((span) => span.service === service && span.name === name);

/** Names from a span outwards to the first one, each with its service. */
function lineage(span: CollectedSpan | undefined): string[] {
  return span === undefined ? [] : [`${span.service}: ${span.name}`, ...lineage(spanOf(span.parentSpanId))];
}

/** Each process exports by itself, and its spans in the order in which they ended. */
const LAST_OF_EACH_PROCESS = ['activity prepareSubmission', 'activity useForClaim', 'deliver'];

beforeAll(async () => {
  collector = await startCollector();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  process.env.OTEL_BSP_SCHEDULE_DELAY = '100';
});
const running = useWorld();
beforeAll(async () => {
  receiver = await startReceiver((delivery) => received.push(delivery));
  const { world, stack, clients } = running;
  const endpoint = await world.client.webhookEndpoints.create({
    url: receiver.url,
    events: ['claim.submitted'],
  });
  const { signing_secret } =
    'signing_secret' in endpoint ? endpoint : await world.client.webhookEndpoints.rotateSecret(endpoint.id);
  const claimable = await world.createClaimableSession();
  const input = world.claimInput(claimable);
  secrets.push(
    ...[claimable.member, stack.file.secret_key, stack.file.secret_key.slice(8), signing_secret],
    ...[IDEMPOTENCY_KEY, input.provider_claim_reference, 'psy-session-50', 'Bearer'],
  );
  const answer = await request(`${stack.file.base_url}/claims`, {
    method: 'POST',
    dispatcher: clients.agent,
    headers: {
      authorization: `Bearer ${stack.file.secret_key}`,
      'content-type': 'application/json',
      'idempotency-key': IDEMPOTENCY_KEY,
      traceparent: `00-${CALLERS_TRACE}-${CALLERS_SPAN}-01`,
    },
    body: JSON.stringify(input),
  });
  claim = (await answer.body.json()) as Claim;
  await eventually('the whole trace was exported', async () => {
    trace = collector.spans.filter(({ traceId }) => traceId === CALLERS_TRACE);
    const hasParent = ({ parentSpanId }: CollectedSpan) =>
      parentSpanId === CALLERS_SPAN || spanOf(parentSpanId) !== undefined;
    return (
      LAST_OF_EACH_PROCESS.every((last) => trace.some(({ name }) => name === last)) && trace.every(hasParent)
    );
  });
});
afterAll(() => {
  receiver?.close();
  collector?.close();
});

test('the claim is submitted, and its trace is one tree below the span that the caller named', () => {
  expect(claim).toMatchObject({ object: 'claim', status: 'submitted' });
  const roots = trace.filter(({ parentSpanId }) => spanOf(parentSpanId) === undefined);
  expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual([CALLERS_SPAN]);
  expect(roots).toMatchObject([
    {
      service: 'gateway',
      name: 'POST /v1/claims',
      attributes: { 'carecover.operation': 'createClaim', 'http.response.status_code': 201 },
    },
  ]);
  expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
});

test('it leads from the gateway through service, Update, workflow, activity, SQL and event to the delivery', () => {
  const deliveries = named('webhooks', 'deliver');
  expect(deliveries.map((span) => lineage(span))).toEqual([
    [
      'webhooks: deliver',
      'claims: publish claim.submitted',
      'claims: event claim.submitted',
      'claims: transaction',
      'claims: activity commitSubmission',
      'claims: workflow claim submit',
      'claims: update claim submit',
      'claims: POST /v1/claims',
      'gateway: POST claims',
      'gateway: POST /v1/claims',
    ],
  ]);
  // Facts, the event and the claim's state are one statement.
  expect(lineage(named('claims', 'with fact')[0]).slice(0, 3)).toEqual([
    'claims: with fact',
    'claims: transaction',
    'claims: activity commitSubmission',
  ]);
  expect(lineage(named('claims', 'insert commands')[0]).slice(0, 2)).toEqual([
    'claims: insert commands',
    'claims: POST /v1/claims',
  ]);
});

test('the steps in other services are below the workflow, with the statements of those services', () => {
  const steps = [
    ['care', 'activity prepareSubmission'],
    ['benefits', 'activity useForClaim'],
  ] as const;
  for (const [service, name] of steps) {
    const [step] = named('claims', name);
    expect(lineage(step).slice(1, 2)).toEqual(['claims: workflow claim submit']);
    expect(step?.attributes['carecover.resource_id']).toBe(claim.id);
    const statements = trace.filter(
      (span) => span.service === service && span.attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map((span) => lineage(span).includes(`claims: ${name}`))).not.toContain(false);
    expect(statements.length).toBeGreaterThan(0);
  }
});

test('the receiver learns of the trace by a standard header and of nothing else', () => {
  expect(received).toHaveLength(1);
  const headers = received[0]?.headers ?? {};
  const [delivery] = named('webhooks', 'deliver');
  expect(headers.traceparent).toBe(`00-${CALLERS_TRACE}-${delivery?.spanId}-01`);
  const standard = [
    'host',
    'connection',
    'content-type',
    'content-length',
    'user-agent',
    'transfer-encoding',
  ];
  expect(
    Object.keys(headers).filter((name) => !standard.includes(name) && !name.startsWith('webhook-')),
  ).toEqual(['traceparent']);
});

test('nothing that was exported, of this or any other request, names a member, a key, a body or a reference', () => {
  for (const secret of secrets) expect(collector.receivedText()).not.toContain(secret);
});

test('what gets no trace from outside begins its own, and work that no request asked for has none', () => {
  const others = collector.spans.filter(({ traceId }) => traceId !== CALLERS_TRACE);
  const first = others.filter(({ parentSpanId }) => parentSpanId === '');
  expect(first.length).toBeGreaterThan(0);
  expect(new Set(first.map(({ service }) => service))).toEqual(new Set(['gateway']));
});

test('a history with a trace in it replays, and tells of no span a second time', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await Connection.connect({ address: running.stack.file.temporal_address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(claim.id);
    const history = await handle.fetchHistory();
    expect(JSON.stringify(history)).toContain(
      Buffer.from(`"00-${CALLERS_TRACE}`).toString('base64').slice(0, 24),
    );
    const told = jest.fn();
    const sinks = { tracing: { updateHandled: { fn: told, callDuringReplay: false } } };
    await Worker.runReplayHistory(
      { workflowBundle: { codePath: await workflowBundle('claim') }, sinks },
      history,
    );
    expect(told).not.toHaveBeenCalled();
  } finally {
    await connection.close();
  }
});
