/**
 * Sends random requests of one project to a running stack, with identifiers of another project in them. Every response must be documented
 * and contain no data of the other project, and the other project's resources must not change.
 */
import { readFileSync } from 'node:fs';
import { identifierPrefixes, type Operation, operationList, validateOutput } from '@carecover/contract';
import { fc } from '@carecover/testing';
import { eventually, testSize } from '@carecover/testing/servers';
import {
  createEndpointLimiter,
  findHeldConnections,
  mapConcurrently,
  openUnfinished,
  type RunningWorld,
  World,
} from '@carecover/testing/stack';
import { hostileConnections } from './hostile-connection';
import { hostileRequest, type Material } from './hostile-request';
import { type RawRequest, type RawResponse, Sender } from './http';
import { provocations } from './provocations';
import { type Attempt, withRows } from './provocations/provocation';

const RUNS = testSize({ ci: 10, soak: 300 });
const LIMIT = '1000000';
/** The number of requests that create the attacked resources at the same time. */
const PREPARED_AT_ONCE = 8;

const IDENTIFIER = new RegExp(`\\b(?:${Object.values(identifierPrefixes).join('|')})[A-Za-z0-9_-]{12,}`, 'g');
/** Matches a UUID. Every reference that the test creates contains one. */
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

export function registerHostileRequestTests(running: RunningWorld): void {
  let own: Sender;
  let foreign: Sender;
  const materials = new Map<string, Material>();
  /**
   * The identifiers and references in the resources of the attacked project. The hostile requests name these resources and must not reach
   * them.
   */
  const foreignData = new Set<string>();
  /**
   * Identifiers and references of the attacked project that the attacking project has sent in accepted requests, and that the resources of
   * the attacking project therefore contain.
   */
  const reusedReferences = new Set<string>();
  let before: string[];

  function findReferences(text: string): string[] {
    return [...(text.match(IDENTIFIER) ?? []), ...(text.match(UUID) ?? [])];
  }

  async function attemptOf({ id }: Operation, world: World): Promise<Attempt> {
    const success = provocations[id]?.success;
    if (success === undefined) throw new Error(`${id} has no provocation of success`);
    return withRows(await success(world), running.stack.file.database_url);
  }

  /**
   * Reads all resources of the attacked project with a key of that project. Webhook deliveries are left out, because they change without a
   * request.
   */
  async function readForeign(): Promise<string[]> {
    const reads = operationList.filter(
      ({ id, method, resourceIdParam }) =>
        method === 'GET' && resourceIdParam !== undefined && id !== 'listWebhookDeliveries',
    );
    return Promise.all(
      reads.map(async (operation) => {
        const response = await foreign.send(operation, materials.get(operation.id)?.foreign ?? {});
        expect([operation.id, response.status]).toEqual([operation.id, 200]);
        return response.text;
      }),
    );
  }

  beforeAll(async () => {
    const { operator, clients, world, stack } = running;
    const other = await operator<{ project_id: string; secret_key: string }>(
      ...['projects', 'create', 'Other', '--environment', 'sandbox'],
    );
    await operator('projects', 'set', other.project_id, '--rate-limit', LIMIT);
    const limitEndpoints = createEndpointLimiter(operator, other.project_id);
    const otherWorld = new World(
      clients.create(other.secret_key),
      world.receivers,
      world.moveClock,
      limitEndpoints,
    );
    own = Sender.withKey(stack.file.secret_key, stack.file.base_urls, clients.agent);
    foreign = Sender.withKey(other.secret_key, stack.file.base_urls, clients.agent);
    const foreignIds: string[] = [];
    await mapConcurrently(operationList, PREPARED_AT_ONCE, async (operation) => {
      const foreignKey = crypto.randomUUID();
      const attempt = await attemptOf(operation, otherWorld);
      const { status, text } = await foreign.send(operation, attempt, {}, foreignKey);
      expect([operation.id, status < 300]).toEqual([operation.id, true]);
      for (const datum of findReferences(JSON.stringify(attempt) + text)) foreignData.add(datum);
      const material = { own: await attemptOf(operation, world), foreign: attempt, foreignKey, foreignIds };
      materials.set(operation.id, material);
    });
    foreignIds.push(...[...foreignData].filter((datum) => datum.match(IDENTIFIER)));
    before = await readForeign();
  }, 120_000);

  /** Returns whether a request names a resource of the attacked project: in the path, in a cursor or by an ID in the body. */
  function namesForeign({ path, body = '' }: RawRequest): boolean {
    const named = findReferences(
      `${path} ${[...String(body).matchAll(/_id":"([^"]+)"/g)].map(([, id]) => id).join(' ')}`,
    );
    return named.some((id) => foreignData.has(id));
  }

  function expectDocumented(operation: Operation, response: RawResponse): void {
    const { status, headers, body } = response;
    expect({ status, body, problem: validateOutput(operation.id, status, body) }).toEqual({
      status,
      body,
      problem: undefined,
    });
    // The statuses 401, 429, 500 and 503 are documented too, but must not occur: the stack is available, the key is valid and the rate
    // limit is high.
    expect([status, [401, 429, 500, 503].includes(status)]).toEqual([status, false]);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/i);
    expect(headers['x-ratelimit-limit']).toBe(LIMIT);
  }

  function expectNothingForeign(operation: Operation, request: RawRequest, response: RawResponse): void {
    const sent = findReferences(`${request.path} ${String(request.body)}`);
    const isKnown = (datum: string) => reusedReferences.has(datum) || sent.includes(datum);
    expect(
      findReferences(response.text).filter((datum) => foreignData.has(datum) && !isKnown(datum)),
    ).toEqual([]);
    if (response.status >= 400) return;
    // The operation getApi ignores all parts of a request except the credential, so it can succeed although the request names a resource of
    // the attacked project.
    if (operation.id !== 'getApi') expect(namesForeign(request)).toBe(false);
    for (const datum of findReferences(String(request.body))) reusedReferences.add(datum);
  }

  test.each(operationList.map((operation) => [operation.id, operation] as const))(
    'every response of %s is documented, no internal error, and contains no data of another project',
    async (id, operation) => {
      const material = materials.get(id);
      if (material === undefined) throw new Error(`no material for requests to ${id}`);
      await fc.assert(
        fc.asyncProperty(hostileRequest(operation, material), async (request) => {
          const response = await own.sendRaw(operation.method, request);
          expectDocumented(operation, response);
          expectNothingForeign(operation, request, response);
        }),
        { numRuns: RUNS },
      );
    },
    300_000,
  );

  test('unfinished connections do not block other requests, and end when their peers close them', async () => {
    const { base_url, ca_certificate, secret_key } = running.stack.file;
    const port = Number(new URL(base_url).port);
    const target = { port, ca: readFileSync(ca_certificate, 'utf8'), secretKey: secret_key };
    await fc.assert(
      fc.asyncProperty(hostileConnections(), async (generated) => {
        const connections = await Promise.all(
          generated.map(({ state, behaviour, sentPart }) =>
            openUnfinished(state, behaviour, target, sentPart),
          ),
        );
        for (const connection of connections) connection.behave();
        const response = await own.sendRaw('GET', { path: '/', headers: {}, body: undefined });
        expect(response.status).toBe(200);
        for (const connection of connections) connection.destroy();
        await eventually('the connections end', async () => {
          const held = findHeldConnections(port);
          return connections.every((connection) => !held.has(connection.port));
        });
      }),
      { numRuns: RUNS },
    );
  }, 300_000);

  test("the other project's resources are unchanged", async () => {
    expect(await readForeign()).toEqual(before);
  });
}
