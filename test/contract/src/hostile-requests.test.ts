/**
 * Whatever one project sends to a running stack, it gets a documented answer, nothing of another project's, and changes nothing
 * there. The other project did everything that the API has before, and its identifiers stand in the requests.
 */
import { readFileSync } from 'node:fs';
import { type Operation, operationList, prefixes, validateOutput } from '@carecover/contract';
import { fc } from '@carecover/local/properties';
import { eventually, testSize } from '@carecover/local/testing';
import { endpointLimiter, heldConnections, openUnfinished, useWorld, World } from '@carecover/test-support';
import { hostileConnections } from './hostile-connection';
import { hostileRequest, type Material } from './hostile-request';
import { type Answer, type RawRequest, Sender } from './http';
import { provocations } from './provocations';
import type { Attempt } from './provocations/provocation';

const RUNS = testSize({ ci: 10, soak: 300 });
const LIMIT = '1000000';

const IDENTIFIER = new RegExp(`\\b(?:${Object.values(prefixes).join('|')})[A-Za-z0-9_-]{12,}`, 'g');
/** Every reference of the test's own making holds one. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

const running = useWorld();
let own: Sender;
let foreign: Sender;
const materials = new Map<string, Material>();
/** Everything by which something of the other project's is known. */
const foreignData = new Set<string>();
/** What of it our project wrote down as its own, such as a reference. */
const taken = new Set<string>();
let before: string[];

function dataIn(text: string): string[] {
  return [...(text.match(IDENTIFIER) ?? []), ...(text.match(UUID) ?? [])];
}

function attemptOf({ id }: Operation, world: World): Promise<Attempt> {
  const success = provocations[id]?.success;
  if (success === undefined) throw new Error(`${id} has no provocation of success`);
  return success(world);
}

/** What the other project has, resource by resource; deliveries go on by themselves. */
async function readForeign(): Promise<string[]> {
  const reads = operationList.filter(
    ({ id, method, resourceIdParam }) =>
      method === 'GET' && resourceIdParam !== undefined && id !== 'listWebhookDeliveries',
  );
  return Promise.all(
    reads.map(async (operation) => {
      const answer = await foreign.send(operation, materials.get(operation.id)?.foreign ?? {});
      expect([operation.id, answer.status]).toEqual([operation.id, 200]);
      return answer.text;
    }),
  );
}

beforeAll(async () => {
  const { operator, trust, world, stack } = running;
  const other = await operator<{ project_id: string; secret_key: string }>(
    ...['projects', 'create', 'Other', '--environment', 'sandbox'],
  );
  await operator('projects', 'set', other.project_id, '--rate-limit', LIMIT);
  const limitEndpoints = endpointLimiter(operator, other.project_id);
  const otherWorld = new World(
    trust.client(other.secret_key),
    world.receivers,
    world.moveClock,
    limitEndpoints,
  );
  own = Sender.of(stack.file.secret_key, stack.file.base_urls, trust.agent);
  foreign = Sender.of(other.secret_key, stack.file.base_urls, trust.agent);
  const foreignIds: string[] = [];
  await Promise.all(
    operationList.map(async (operation) => {
      const foreignKey = crypto.randomUUID();
      const attempt = await attemptOf(operation, otherWorld);
      const { status, text } = await foreign.send(operation, attempt, {}, foreignKey);
      expect([operation.id, status < 300]).toEqual([operation.id, true]);
      for (const datum of dataIn(JSON.stringify(attempt) + text)) foreignData.add(datum);
      const material = { own: await attemptOf(operation, world), foreign: attempt, foreignKey, foreignIds };
      materials.set(operation.id, material);
    }),
  );
  foreignIds.push(...[...foreignData].filter((datum) => datum.match(IDENTIFIER)));
  before = await readForeign();
}, 120_000);

/** Whether it names a resource of the other project: in the path, as a cursor, or in a member of the body that is one. */
function namesForeign({ path, body = '' }: RawRequest): boolean {
  const named = dataIn(
    `${path} ${[...String(body).matchAll(/_id":"([^"]+)"/g)].map(([, id]) => id).join(' ')}`,
  );
  return named.some((id) => foreignData.has(id));
}

function expectDocumented(operation: Operation, answer: Answer): void {
  const { status, headers, body } = answer;
  expect({ status, body, problem: validateOutput(operation.id, status, body) }).toEqual({
    status,
    body,
    problem: undefined,
  });
  // Documented too, but nothing is away or broken, the key is good and the limit is far.
  expect([status, [401, 429, 500, 503].includes(status)]).toEqual([status, false]);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/i);
  expect(headers['x-ratelimit-limit']).toBe(LIMIT);
}

function expectNothingForeign(operation: Operation, request: RawRequest, answer: Answer): void {
  const sent = dataIn(`${request.path} ${String(request.body)}`);
  const isKnown = (datum: string) => taken.has(datum) || sent.includes(datum);
  expect(dataIn(answer.text).filter((datum) => foreignData.has(datum) && !isKnown(datum))).toEqual([]);
  if (answer.status >= 400) return;
  // Discovery looks at the credential alone.
  if (operation.id !== 'getApi') expect(namesForeign(request)).toBe(false);
  for (const datum of dataIn(String(request.body))) taken.add(datum);
}

test.each(operationList.map((operation) => [operation.id, operation] as const))(
  "whatever is sent to %s, the answer is documented, no fault of ours, and nothing of another project's",
  async (id, operation) => {
    const material = materials.get(id);
    if (material === undefined) throw new Error(`nothing to draw requests to ${id} from`);
    await fc.assert(
      fc.asyncProperty(hostileRequest(operation, material), async (request) => {
        const answer = await own.sendRaw(operation.method, request);
        expectDocumented(operation, answer);
        expectNothingForeign(operation, request, answer);
      }),
      { numRuns: RUNS },
    );
  },
  300_000,
);

test('whatever state connections are left in, others are answered, and they end with their peers', async () => {
  const { base_url, ca_certificate, secret_key } = running.stack.file;
  const port = Number(new URL(base_url).port);
  const target = { port, ca: readFileSync(ca_certificate, 'utf8'), secretKey: secret_key };
  await fc.assert(
    fc.asyncProperty(hostileConnections(), async (drawn) => {
      const connections = await Promise.all(
        drawn.map(({ state, behaviour, part }) => openUnfinished(state, behaviour, target, part)),
      );
      for (const connection of connections) connection.behave();
      const answer = await own.sendRaw('GET', { path: '/', headers: {}, body: undefined });
      expect(answer.status).toBe(200);
      for (const connection of connections) connection.destroy();
      await eventually('the connections end', async () => {
        const held = heldConnections(port);
        return connections.every((connection) => !held.has(connection.port));
      });
    }),
    { numRuns: RUNS },
  );
}, 300_000);

test('what the other project has is as it was', async () => {
  expect(await readForeign()).toEqual(before);
});
