Object.defineProperty(exports, '__esModule', { value: true });
/**
 * The contract, provoked: every operation in every way in which it is documented to answer, for real, against the running
 * stack. An operation or code added to the table without a provocation here is a failing test. Prints a matrix at the end.
 */
const node_fs_1 = require('node:fs');
const client_1 = require('@carecover/client');
const contract_1 = require('@carecover/contract');
const testing_1 = require('@carecover/local/testing');
const undici_1 = require('undici');
const common_1 = require('./common');
const http_1 = require('./http');
const matrix_1 = require('./matrix');
const outcomes_1 = require('./outcomes');
const access_1 = require('./provocations/access');
const benefits_1 = require('./provocations/benefits');
const care_1 = require('./provocations/care');
const claims_1 = require('./provocations/claims');
const payments_1 = require('./provocations/payments');
const webhooks_1 = require('./provocations/webhooks');
const receivers_1 = require('./receivers');
const world_1 = require('./world');
const provocations = {
  ...access_1.accessProvocations,
  ...care_1.careProvocations,
  ...benefits_1.benefitsProvocations,
  ...claims_1.claimsProvocations,
  ...payments_1.paymentsProvocations,
  ...webhooks_1.webhooksProvocations,
};
/** Outcomes that only a stack with a part missing gives; they come last. */
const NEEDS_OUTAGE = 'service_unavailable';
const expected = (0, outcomes_1.expectedOutcomes)();
const matrix = new matrix_1.Matrix();
let testStack;
let receivers;
let agent;
let sender;
let world;
beforeAll(async () => {
  testStack = await (0, testing_1.startTestStack)();
  receivers = await (0, receivers_1.startReceivers)();
  const { file } = testStack.stack;
  agent = new undici_1.Agent({ connect: { ca: (0, node_fs_1.readFileSync)(file.ca_certificate, 'utf8') } });
  const fetchTrusting = (url, init) => (0, undici_1.fetch)(url, { ...init, dispatcher: agent });
  const { operator } = testStack;
  await operator('projects', 'set', file.project_id, '--rate-limit', '1000000');
  const narrow = await operator('keys', 'create', '--project', file.project_id, '--scopes', 'claims:read');
  const other = await operator(
    'keys',
    'create',
    '--project',
    file.project_id,
    '--scopes',
    'practitioners:read',
  );
  const poor = await operator('projects', 'create', 'Poor', '--environment', 'sandbox');
  await operator('projects', 'set', poor.project_id, '--rate-limit', '1');
  const client = new client_1.Carecover({
    baseUrl: file.base_url,
    apiKey: file.secret_key,
    fetch: fetchTrusting,
  });
  const { token } = await client.tokens.create({ scopes: ['claims:read'], expires_in: 3600 });
  sender = new http_1.Sender(file.base_url, agent, {
    main: file.secret_key,
    noScope: (scope) => (scope === 'claims:read' ? other.secret_key : narrow.secret_key),
    token,
    exhausted: poor.secret_key,
  });
  world = new world_1.World(client, receivers);
}, 120_000);
afterAll(async () => {
  process.stdout.write(`${matrix.render(expected)}\n`);
  await agent?.close();
  receivers?.close();
  await testStack?.stop();
}, 60_000);
function statusOf(operation, outcome) {
  if ((0, contract_1.isErrorCode)(outcome)) return (0, contract_1.errorStatus)(outcome);
  if (outcome === 'replay') return operation.replayStatus;
  if (outcome.startsWith('failure ')) return Number(outcome.slice('failure '.length));
  return operation.success[0].status;
}
function keyFor(operation) {
  return (0, outcomes_1.keepsAnswers)(operation) ? crypto.randomUUID() : undefined;
}
async function attemptOf(operation, outcome) {
  const provocation = provocations[operation.id]?.[outcome];
  if (provocation !== undefined) return provocation(world);
  if (outcome === 'resource_not_found') return (0, common_1.formOnly)(operation);
  if (outcome === 'validation_failed') return (0, common_1.malformed)(operation);
  throw new Error(`${operation.id} has no provocation of ${outcome}`);
}
async function provoke({ operation, outcome }) {
  const own = provocations[operation.id]?.[outcome];
  const departure = own === undefined ? (0, common_1.departureFor)(operation, outcome) : undefined;
  if (departure?.credential === 'exhausted')
    await sender.send(operation, (0, common_1.formOnly)(operation), departure, keyFor(operation));
  if (departure !== undefined)
    return sender.send(operation, (0, common_1.formOnly)(operation), departure, keyFor(operation));
  if (outcome === NEEDS_OUTAGE)
    return sender.send(operation, (0, common_1.formOnly)(operation), {}, keyFor(operation));
  if (outcome === 'replay') return replay(operation);
  if (outcome === 'idempotency_conflict') return conflict(operation);
  return sender.send(operation, await attemptOf(operation, outcome), {}, keyFor(operation));
}
async function replay(operation) {
  const attempt = await attemptOf(operation, 'success');
  const key = keyFor(operation);
  const first = await sender.send(operation, attempt, {}, key);
  const again = await sender.send(operation, attempt, {}, key);
  expect(again.headers['idempotent-replayed']).toBe('true');
  if (operation.id === 'createWebhookEndpoint') {
    const { signing_secret: _secret, ...rest } = first.body;
    expect(again.body).toEqual(rest);
  } else {
    expect(again.text).toBe(first.text);
  }
  return again;
}
async function conflict(operation) {
  const key = keyFor(operation);
  await sender.send(operation, await attemptOf(operation, 'success'), {}, key);
  return sender.send(operation, await attemptOf(operation, 'success'), {}, key);
}
/** What holds for every answer: its status and code, its shape, and the headers that its status asks for. */
function check({ operation, outcome }, answer) {
  const code = answer.body.error?.code ?? 'success';
  expect({
    status: answer.status,
    code,
    ...(answer.status >= 500 ? { body: answer.text } : {}),
  }).toMatchObject({
    status: statusOf(operation, outcome),
    code: (0, contract_1.isErrorCode)(outcome) ? outcome : 'success',
  });
  expect((0, contract_1.validateOutput)(operation.id, answer.status, answer.body)).toBeUndefined();
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
test.each(whileUp.map((each) => [each.operation.id, each.outcome, each]))(
  '%s answers %s as documented',
  async (_id, _outcome, each) => {
    const answer = await provoke(each);
    check(each, answer);
    matrix.record(each, answer.status);
  },
  30_000,
);
test('every operation answers service_unavailable with Retry-After while the database is away', async () => {
  await testStack.stack.servers.postgresql.kill();
  for (const each of expected.filter(({ outcome }) => outcome === NEEDS_OUTAGE)) {
    const answer = await provoke(each);
    check(each, answer);
    matrix.record(each, answer.status);
  }
}, 60_000);
