/**
 * Checks the trace of one `POST /claims`: it is one tree from the client's span to the delivery of the event, over six processes,
 * PostgreSQL and NATS, and contains no personal data and no credentials.
 */
import type { Claim } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { type CollectedSpan, type Delivery, type Receiver, startReceiver } from '@carecover/testing/stack';
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
 * Whether the whole trace was exported. A process exports its spans in the order of their ends, and the span of a request ends last in its
 * process: the responses of the gateway and of each called service, and the delivery.
 */
function isComplete(): boolean {
  const requests = trace.filter(({ name }) => /^POST (care|benefits|claims)$/.test(name));
  const isAnswered = ({ spanId }: CollectedSpan) => trace.some(({ parentSpanId }) => parentSpanId === spanId);
  return (
    trace.some(({ parentSpanId }) => parentSpanId === CLIENT_SPAN) &&
    trace.some(({ name }) => name === 'deliver') &&
    requests.every(isAnswered) &&
    trace.every(({ parentSpanId }) => parentSpanId === CLIENT_SPAN || spanOf(parentSpanId) !== undefined)
  );
}

beforeAll(async () => {
  receiver = await startReceiver((delivery) => received.push(delivery));
  const { world, stack, clients } = running;
  const endpoint = await world.client.webhookEndpoints.create({
    url: receiver.url,
    events: ['claim.submitted'],
  });
  const signing_secret =
    endpoint.signing_secret ?? (await world.client.webhookEndpoints.rotateSecret(endpoint.id)).signing_secret;
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
    return isComplete();
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

test('the trace leads from the gateway through the service, SQL and the event to the delivery, and no span is in a workflow', () => {
  const deliveries = findSpans('webhooks', 'deliver');
  expect(deliveries.map((span) => lineage(span))).toEqual([
    [
      'webhooks: deliver',
      'claims: publish claim.submitted',
      'claims: event claim.submitted',
      'claims: transaction',
      'claims: POST /v1/claims',
      'gateway: POST claims',
      'gateway: POST /v1/claims',
    ],
  ]);
  // One SQL statement, named "insert facts", inserts the facts and the event and updates the claim's state.
  expect(lineage(findSpans('claims', 'insert facts')[0]).slice(0, 3)).toEqual([
    'claims: insert facts',
    'claims: transaction',
    'claims: POST /v1/claims',
  ]);
  expect(lineage(findSpans('claims', 'insert commands')[0]).slice(0, 2)).toEqual([
    'claims: insert commands',
    'claims: POST /v1/claims',
  ]);
  expect(trace.filter(({ name }) => /^(workflow|activity) /.test(name))).toEqual([]);
});

test('the steps in other services are below the request and contain the statements of those services', () => {
  for (const service of ['care', 'benefits']) {
    const steps = findSpans('claims', `POST ${service}`);
    expect(steps.map((step) => lineage(step)[1])).toEqual(steps.map(() => 'claims: POST /v1/claims'));
    const statements = trace.filter(
      (span) => span.service === service && span.attributes['db.system.name'] === 'postgresql',
    );
    expect(statements.map((span) => lineage(span).includes(`claims: POST ${service}`))).not.toContain(false);
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
