/**
 * The contract, provoked: every operation in every way in which it is documented to answer, for real, against the running
 * stack with two of each process, whose gateways are asked in turn. An operation or code added to the table without a
 * provocation here is a failing test. Prints a matrix at the end.
 */
import { errorStatus, isErrorCode, type Operation, validateOutput } from '@carecover/contract';
import { useWorld } from '@carecover/test-support';
import { departureFor, formOnly, malformed } from './common';
import { type Answer, Sender } from './http';
import { Matrix } from './matrix';
import { type Expected, expectedOutcomes, keepsAnswers } from './outcomes';
import { provocations } from './provocations';
import type { Attempt, Outcome } from './provocations/provocation';

/** Outcomes that only a stack with a part missing gives; they come last. */
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
  const poor = await operator<{ project_id: string; secret_key: string }>(
    'projects',
    'create',
    'Poor',
    '--environment',
    'sandbox',
  );
  await operator('projects', 'set', poor.project_id, '--rate-limit', '1');
  const { token } = await running.world.client.tokens.create({ scopes: ['claims:read'], expires_in: 3600 });
  sender = new Sender(file.base_urls, running.trust.agent, {
    main: file.secret_key,
    noScope: (scope) => (scope === 'claims:read' ? other.secret_key : narrow.secret_key),
    token,
    exhausted: poor.secret_key,
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
  return keepsAnswers(operation) ? crypto.randomUUID() : undefined;
}

async function attemptOf(operation: Operation, outcome: Outcome): Promise<Attempt> {
  const provocation = provocations[operation.id]?.[outcome];
  if (provocation !== undefined) return provocation(running.world);
  if (outcome === 'resource_not_found') return formOnly(operation);
  if (outcome === 'validation_failed') return malformed(operation);
  throw new Error(`${operation.id} has no provocation of ${outcome}`);
}

async function provoke({ operation, outcome }: Expected): Promise<Answer> {
  const own = provocations[operation.id]?.[outcome as Outcome];
  const departure = own === undefined ? departureFor(operation, outcome) : undefined;
  if (departure?.credential === 'exhausted')
    await sender.send(operation, formOnly(operation), departure, keyFor(operation));
  if (departure !== undefined)
    return sender.send(operation, formOnly(operation), departure, keyFor(operation));
  if (outcome === NEEDS_OUTAGE) return sender.send(operation, formOnly(operation), {}, keyFor(operation));
  if (outcome === 'replay') return replay(operation);
  if (outcome === 'idempotency_conflict') return conflict(operation);
  const attempt = await attemptOf(operation, outcome as Outcome);
  const answer = await sender.send(operation, attempt, {}, keyFor(operation));
  await attempt.afterwards?.();
  return answer;
}

async function replay(operation: Operation): Promise<Answer> {
  const attempt = await attemptOf(operation, 'success');
  const key = keyFor(operation);
  const first = await sender.send(operation, attempt, {}, key);
  const again = await sender.send(operation, attempt, {}, key);
  expect(again.headers['idempotent-replayed']).toBe('true');
  if (operation.id === 'createWebhookEndpoint') {
    const { signing_secret: _secret, ...rest } = first.body as Record<string, unknown>;
    expect(again.body).toEqual(rest);
  } else {
    expect(again.text).toBe(first.text);
  }
  return again;
}

async function conflict(operation: Operation): Promise<Answer> {
  const key = keyFor(operation);
  await sender.send(operation, await attemptOf(operation, 'success'), {}, key);
  return sender.send(operation, await attemptOf(operation, 'success'), {}, key);
}

/** What holds for every answer: its status and code, its shape, and the headers that its status asks for. */
function check({ operation, outcome }: Expected, answer: Answer): void {
  const code = (answer.body as { error?: { code?: string } }).error?.code ?? 'success';
  expect({
    status: answer.status,
    code,
    ...(answer.status >= 500 ? { body: answer.text } : {}),
  }).toMatchObject({
    status: statusOf(operation, outcome),
    code: isErrorCode(outcome) ? outcome : 'success',
  });
  expect(validateOutput(operation.id, answer.status, answer.body)).toBeUndefined();
  const { headers } = answer;
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const anonymous = ['api_key_missing', 'api_key_invalid', 'https_required', NEEDS_OUTAGE].includes(outcome);
  if (!anonymous) expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  if (answer.status === 401)
    expect(headers['www-authenticate']).toMatch(/^Bearer realm="[^"]+", error="invalid_(request|token)"$/);
  if (answer.status === 429 || answer.status === 503) expect(headers['retry-after']).toMatch(/^\d+$/);
  if (answer.status === 405) expect(headers.allow).toContain(operation.method);
}

const whileUp = expected.filter(({ outcome }) => outcome !== NEEDS_OUTAGE);
test.each(whileUp.map((each) => [each.operation.id, each.outcome, each] as const))(
  '%s answers %s as documented',
  async (_id, _outcome, each) => {
    const answer = await provoke(each);
    check(each, answer);
    matrix.record(each, answer.status);
  },
);

test('every operation answers service_unavailable with Retry-After while the database is away', async () => {
  await running.stack.servers.postgresql.kill();
  for (const each of expected.filter(({ outcome }) => outcome === NEEDS_OUTAGE)) {
    const answer = await provoke(each);
    check(each, answer);
    matrix.record(each, answer.status);
  }
});
