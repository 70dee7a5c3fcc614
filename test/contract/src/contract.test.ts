/**
 * Causes every documented outcome of every operation in a running stack with two replicas of each process, through the gateways in
 * rotation. Fails for an operation or error code without a provocation in ./provocations. Prints a matrix of the outcomes.
 */
import { errorStatus, isErrorCode, type Operation, validateOutput } from '@carecover/contract';
import { useWorld } from '@carecover/testing/stack';
import { createInvalidRequest, deviationFor, requestUnknownResource } from './common';
import { registerConfusedKeyTests } from './confused-keys';
import { registerHostileRequestTests } from './hostile-requests';
import { type RawResponse, Sender } from './http';
import { registerIdempotencyTests } from './idempotency';
import { Matrix } from './matrix';
import { type Expected, expectedOutcomes, storesResponses } from './outcomes';
import { provocations } from './provocations';
import { type Attempt, type Outcome, withRows } from './provocations/provocation';
import { registerTenancyTests } from './tenancy';

/**
 * The outcome that requires an unavailable service or server. It is tested last, because the test stops parts of the stack for this
 * outcome.
 */
const NEEDS_OUTAGE = 'service_unavailable';

const expected = expectedOutcomes();
const matrix = new Matrix();

const running = useWorld({ replicas: 2 });
let sender: Sender;

beforeAll(async () => {
  const { operator, stack } = running;
  const { file } = stack;
  const narrow = await operator<{ secret_key: string }>(
    'keys',
    'create',
    '--project',
    file.project_id,
    '--scopes',
    'claims:read',
  );
  const other = await operator<{ secret_key: string }>(
    'keys',
    'create',
    '--project',
    file.project_id,
    '--scopes',
    'practitioners:read',
  );
  const rateLimited = await operator<{ project_id: string; secret_key: string }>(
    'projects',
    'create',
    'Rate-limited',
    '--environment',
    'sandbox',
  );
  await operator('projects', 'set', rateLimited.project_id, '--rate-limit', '1');
  const { token } = await running.world.client.tokens.create({ scopes: ['claims:read'], expires_in: 3600 });
  sender = new Sender(file.base_urls, running.clients.agent, {
    main: file.secret_key,
    noScope: (scope) => (scope === 'claims:read' ? other.secret_key : narrow.secret_key),
    token,
    exhausted: rateLimited.secret_key,
  });
});

afterAll(async () => {
  process.stdout.write(`${matrix.render(expected)}\n`);
});

function statusOf(operation: Operation, outcome: string): number {
  if (isErrorCode(outcome)) return errorStatus(outcome);
  if (outcome === 'replay') return operation.replayStatus;
  if (outcome.startsWith('failure ')) return Number(outcome.slice('failure '.length));
  return operation.success[0].status;
}

function keyFor(operation: Operation): string | undefined {
  return storesResponses(operation) ? crypto.randomUUID() : undefined;
}

async function attemptOf(operation: Operation, outcome: Outcome): Promise<Attempt> {
  const provocation = provocations[operation.id]?.[outcome];
  if (provocation !== undefined) return provocation(running.world);
  if (outcome === 'resource_not_found') return requestUnknownResource(operation);
  if (outcome === 'validation_failed') return createInvalidRequest(operation);
  throw new Error(`${operation.id} has no provocation of ${outcome}`);
}

const rowsOf = (attempt: Attempt) => withRows(attempt, running.stack.file.database_url);

async function provoke({ operation, outcome }: Expected): Promise<RawResponse> {
  const own = provocations[operation.id]?.[outcome as Outcome];
  const deviation = own === undefined ? deviationFor(operation, outcome) : undefined;
  if (deviation?.credential === 'exhausted')
    await sender.send(operation, requestUnknownResource(operation), deviation, keyFor(operation));
  if (deviation !== undefined)
    return sender.send(operation, requestUnknownResource(operation), deviation, keyFor(operation));
  if (outcome === NEEDS_OUTAGE)
    return sender.send(operation, requestUnknownResource(operation), {}, keyFor(operation));
  if (outcome === 'replay') return replay(operation);
  if (outcome === 'idempotency_conflict') return conflict(operation);
  const attempt = await rowsOf(await attemptOf(operation, outcome as Outcome));
  const response = await sender.send(operation, attempt, {}, keyFor(operation));
  await attempt.cleanUp?.();
  return response;
}

async function replay(operation: Operation): Promise<RawResponse> {
  const attempt = await rowsOf(await attemptOf(operation, 'success'));
  const key = keyFor(operation);
  const first = await sender.send(operation, attempt, {}, key);
  const replayed = await sender.send(operation, attempt, {}, key);
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  if (operation.id === 'createWebhookEndpoint') {
    const { signing_secret: _secret, ...rest } = first.body as Record<string, unknown>;
    expect(replayed.body).toEqual(rest);
  } else {
    expect(replayed.text).toBe(first.text);
  }
  await attempt.cleanUp?.();
  return replayed;
}

async function conflict(operation: Operation): Promise<RawResponse> {
  const key = keyFor(operation);
  const attempts = [await attemptOf(operation, 'success'), await attemptOf(operation, 'success')] as const;
  for (const attempt of attempts) await rowsOf(attempt);
  await sender.send(operation, attempts[0], {}, key);
  const response = await sender.send(operation, attempts[1], {}, key);
  for (const attempt of attempts) await attempt.cleanUp?.();
  return response;
}

/** Expects the documented status, error code, schema and headers of a response. */
function expectDocumented({ operation, outcome }: Expected, response: RawResponse): void {
  const code = (response.body as { error?: { code?: string } }).error?.code ?? 'success';
  expect({
    status: response.status,
    code,
    ...(response.status >= 500 ? { body: response.text } : {}),
  }).toMatchObject({
    status: statusOf(operation, outcome),
    code: isErrorCode(outcome) ? outcome : 'success',
  });
  expect(validateOutput(operation.id, response.status, response.body)).toBeUndefined();
  const { headers } = response;
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const isUnauthenticated = ['api_key_missing', 'api_key_invalid', 'https_required', NEEDS_OUTAGE].includes(
    outcome,
  );
  if (!isUnauthenticated) expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  if (response.status === 401)
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="[^"]+", error="invalid_(request|token)"$/);
  if (response.status === 429 || response.status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
  if (response.status === 405) expect(headers.allow).toContain(operation.method);
}

const withoutOutage = expected.filter(({ outcome }) => outcome !== NEEDS_OUTAGE);
test.each(withoutOutage.map((each) => [each.operation.id, each.outcome, each] as const))(
  '%s responds %s as documented',
  async (_id, _outcome, each) => {
    const response = await provoke(each);
    expectDocumented(each, response);
    matrix.record(each, response.status);
  },
);

describe('concurrent requests', () => registerIdempotencyTests(running));
describe('idempotency keys of other requests', () => registerConfusedKeyTests(running));
describe('two projects', () => registerTenancyTests(running));
describe('hostile requests', () => registerHostileRequestTests(running));

test('every operation responds service_unavailable with Retry-After while the database is unavailable', async () => {
  await running.stack.database.kill();
  for (const each of expected.filter(({ outcome }) => outcome === NEEDS_OUTAGE)) {
    const response = await provoke(each);
    expectDocumented(each, response);
    matrix.record(each, response.status);
  }
});
