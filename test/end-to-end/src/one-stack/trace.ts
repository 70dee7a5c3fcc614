/**
 * Checks the trace of one `POST /claims`: it is one tree from the client's span to the delivery of the event, over six processes, Temporal,
 * PostgreSQL and NATS, and contains no personal data and no credentials.
 */
import type { Claim } from '@carecover/client';
import { eventually } from '@carecover/local/testing';
import { workflowBundle } from '@carecover/platform/bundle';
import { type CollectedSpan, type Delivery, type Receiver, startReceiver } from '@carecover/test-support';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { request } from 'undici';
import { collector, running } from './world';

const CLIENT_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CLIENT_SPAN = '00f067aa0ba902b7';
const IDEMPOTENCY_KEY = 'trace-me-if-you-can';

let receiver: Receiver;
const received: Delivery[] = [];
/** Texts that no exported span may contain: data of the member, the key, references in the request, and secrets of the endpoint. */
const secrets: string[] = [];
let claim: Claim;
let trace: CollectedSpan[];

const spanOf = (id: string) => trace.find(({ spanId }) => spanId === id);
const findSpans = (service: string, name: string) =>
  trace.filter((span) => span.service === service && span.name === name);

/** Returns the names of a span and its ancestors, each with the name of its service. */
function lineage(span: CollectedSpan | undefined): string[] {
  return span === undefined ? [] : [`${span.service}: ${span.name}`, ...lineage(spanOf(span.parentSpanId))];
}

/**
 * The last spans that the processes export, by name. A process exports its spans in the order of their ends, so when these spans have
 * arrived, the whole trace has arrived.
 */
const LAST_OF_EACH_PROCESS = ['activity prepareSubmission', 'activity useForClaim', 'deliver'];

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
  const response = await request(`${stack.file.base_url}/claims`, {
    method: 'POST',
    dispatcher: clients.agent,
    headers: {
      authorization: `Bearer ${stack.file.secret_key}`,
      'content-type': 'application/json',
      'idempotency-key': IDEMPOTENCY_KEY,
      traceparent: `00-${CLIENT_TRACE}-${CLIENT_SPAN}-01`,
    },
    body: JSON.stringify(input),
  });
  claim = (await response.body.json()) as Claim;
  await eventually('the whole trace was exported', async () => {
    trace = collector.spans.filter(({ traceId }) => traceId === CLIENT_TRACE);
    const hasParent = ({ parentSpanId }: CollectedSpan) =>
      parentSpanId === CLIENT_SPAN || spanOf(parentSpanId) !== undefined;
    return (
      LAST_OF_EACH_PROCESS.every((last) => trace.some(({ name }) => name === last)) && trace.every(hasParent)
    );
  });
});
afterAll(() => receiver?.close());

test("the claim is submitted, and its trace is one tree below the client's span", () => {
  expect(claim).toMatchObject({ object: 'claim', status: 'submitted' });
  const roots = trace.filter(({ parentSpanId }) => spanOf(parentSpanId) === undefined);
  expect(roots.map(({ parentSpanId }) => parentSpanId)).toEqual([CLIENT_SPAN]);
  expect(roots).toMatchObject([
    {
      service: 'gateway',
      name: 'POST /v1/claims',
      attributes: { 'carecover.operation': 'createClaim', 'http.response.status_code': 201 },
    },
  ]);
  expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
});

test('the trace leads from the gateway through service, Update, workflow, activity, SQL and event to the delivery', () => {
  const deliveries = findSpans('webhooks', 'deliver');
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
  // One SQL statement, named "insert facts", inserts the facts and the event and updates the claim's state.
  expect(lineage(findSpans('claims', 'insert facts')[0]).slice(0, 3)).toEqual([
    'claims: insert facts',
    'claims: transaction',
    'claims: activity commitSubmission',
  ]);
  expect(lineage(findSpans('claims', 'insert commands')[0]).slice(0, 2)).toEqual([
    'claims: insert commands',
    'claims: POST /v1/claims',
  ]);
});

test('the steps in other services are below the workflow and contain the statements of those services', () => {
  const steps = [
    ['care', 'activity prepareSubmission'],
    ['benefits', 'activity useForClaim'],
  ] as const;
  for (const [service, name] of steps) {
    const [step] = findSpans('claims', name);
    expect(lineage(step).slice(1, 2)).toEqual(['claims: workflow claim submit']);
    expect(step?.attributes['carecover.resource_id']).toBe(claim.id);
    const statements = trace.filter(
      (span) => span.service === service && span.attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map((span) => lineage(span).includes(`claims: ${name}`))).not.toContain(false);
    expect(statements.length).toBeGreaterThan(0);
  }
});

test('the traceparent header is the only tracing information that the receiver gets', () => {
  expect(received).toHaveLength(1);
  const headers = received[0]?.headers ?? {};
  const [delivery] = findSpans('webhooks', 'deliver');
  expect(headers.traceparent).toBe(`00-${CLIENT_TRACE}-${delivery?.spanId}-01`);
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

test('no exported span contains a member, a key, a body or a reference', () => {
  for (const secret of secrets) expect(collector.receivedText()).not.toContain(secret);
});

test('a request without traceparent starts a trace, and work without a request has none', () => {
  const others = collector.spans.filter(({ traceId }) => traceId !== CLIENT_TRACE);
  const first = others.filter(({ parentSpanId }) => parentSpanId === '');
  expect(first.length).toBeGreaterThan(0);
  expect(new Set(first.map(({ service }) => service))).toEqual(new Set(['gateway']));
});

test('a history with a trace context can be replayed, and the replay exports no span', async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const connection = await Connection.connect({ address: running.stack.file.temporal_address });
  try {
    const handle = new Client({ connection }).workflow.getHandle(claim.id);
    const history = await handle.fetchHistory();
    expect(JSON.stringify(history)).toContain(
      Buffer.from(`"00-${CLIENT_TRACE}`).toString('base64').slice(0, 24),
    );
    const exportSpan = jest.fn();
    const sinks = { tracing: { updateHandled: { fn: exportSpan, callDuringReplay: false } } };
    await Worker.runReplayHistory(
      { workflowBundle: { codePath: await workflowBundle('claim') }, sinks },
      history,
    );
    expect(exportSpan).not.toHaveBeenCalled();
  } finally {
    await connection.close();
  }
});
