/** An overloaded or failed component does not affect requests that do not need it. The tests use real components. */
import { createServer, type Server, type Socket } from 'node:net';
import {
  type BlackHole,
  eventually,
  freeze,
  startBlackHole,
  startTestPostgres,
  type TestServer,
} from '@carecover/testing/servers';
import { setProject } from './store/projects';
import { type Answer, codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const UNAVAILABLE = [503, 'service_unavailable'];
const outcomeOf = (answer: Answer) => [answer.status, codeOf(answer)];

describe('the database', () => {
  let postgres: TestServer & { readonly cluster: string };
  let fixture: GatewayFixture;
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    fixture = await GatewayFixture.start(['gateway'], postgres.cluster);
    gateway = await fixture.gateway();
    key = (await fixture.project()).secret_key;
  });
  afterAll(async () => {
    await fixture.stop();
    await postgres.stop();
  });

  async function expectServed(): Promise<void> {
    // After the outage, a request can still fail on a database connection that was opened before the outage. So requests are repeated until
    // one succeeds.
    for (;;) {
      const answer = await gateway.request('/v1/claims', { key });
      if (answer.status === 200) return;
      expect(outcomeOf(answer)).toEqual(UNAVAILABLE);
    }
  }

  /** Checks that requests that do not need the database get their usual response, and that requests with a key get 503 with Retry-After. */
  async function expectUnavailable(): Promise<void> {
    const keyed = Array.from({ length: 100 }, () => gateway.request('/v1/claims', { key }));
    const others = await Promise.all([
      gateway.request('/v1/claims'),
      gateway.request('/v1/claims', { key: 'sk_test_nonsense' }),
      gateway.request('/v1/openapi.json'),
    ]);
    expect(others.map(outcomeOf)).toEqual([
      [401, 'api_key_missing'],
      [401, 'api_key_invalid'],
      [200, null],
    ]);
    const answers = await Promise.all(keyed);
    expect(answers.map(outcomeOf)).toEqual(Array(100).fill(UNAVAILABLE));
    expect(answers.every(({ headers }) => headers.get('retry-after') !== null)).toBe(true);
  }

  test('that does not respond causes 503 within the time limit, and is used again when it responds', async () => {
    await expectServed();
    const thaw = freeze(postgres.pid);
    try {
      await expectUnavailable();
    } finally {
      thaw();
    }
    await expectServed();
  });

  test('that is killed is used again after its restart', async () => {
    await expectServed();
    await postgres.kill();
    await expectUnavailable();
    await postgres.restart();
    await expectServed();
  });
});

describe('a service', () => {
  let fixture: GatewayFixture;
  let busyKey: string;
  let quietKey: string;
  let hole: BlackHole;
  let silent: Server;
  let silentUrl: string;
  const held = new Set<Socket>();

  async function createUnlimitedKey(): Promise<string> {
    const project = await fixture.project();
    await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute: 1_000_000 });
    return project.secret_key;
  }

  beforeAll(async () => {
    fixture = await GatewayFixture.start();
    [busyKey, quietKey] = [await createUnlimitedKey(), await createUnlimitedKey()];
    hole = await startBlackHole();
    silent = createServer((socket) => {
      held.add(socket.on('error', () => undefined));
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    silentUrl = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  });
  /** Closes the connections of the unresponsive replica, which ends the requests that wait for it. */
  function closeHeldConnections(): void {
    for (const socket of held) socket.destroy();
    held.clear();
  }
  afterEach(() => {
    fixture.upstream.respond = undefined;
  });
  afterAll(async () => {
    closeHeldConnections();
    silent.close();
    await fixture.stop();
    await hole.close();
  });

  test('that never responds has a limited number of waiting requests and does not affect other services', async () => {
    const gateway = await fixture.gateway({ CLAIMS_URL: silentUrl });
    const stuck = Array.from({ length: 700 }, () => gateway.request('/v1/claims', { key: busyKey }));
    const early: Answer[] = [];
    for (const each of stuck) void each.then((answer) => early.push(answer));
    const others = await Promise.all(
      Array.from({ length: 50 }, () => gateway.request('/v1/bookings', { key: quietKey })),
    );
    expect(others.map(({ status }) => status)).toEqual(Array(50).fill(200));
    // The unresponsive replica still has all connections in use, and the number of waiting requests is limited, so further requests are
    // rejected.
    await eventually(
      'the requests above the limits are rejected',
      async () => early.length >= 700 - 64 - 512,
    );
    expect(held.size).toBeLessThanOrEqual(64);
    const closing = setInterval(closeHeldConnections, 20);
    expect((await Promise.all(stuck)).map(outcomeOf)).toEqual(Array(700).fill(UNAVAILABLE));
    clearInterval(closing);
  });

  test('that is slow serves a project with few requests before all requests of a busy project', async () => {
    const gateway = await fixture.gateway({ PROJECT_REQUESTS: '32' });
    const pendingResponses: (() => void)[] = [];
    let responded = 0;
    const respondNext = () => {
      const next = pendingResponses.shift();
      if (next === undefined) return;
      next();
      responded += 1;
    };
    fixture.upstream.respond = ({ url }, response) => {
      if (url.includes('limit=1')) response.end('{}');
      else pendingResponses.push(() => response.end('{}'));
    };
    const many = Array.from({ length: 128 }, () => gateway.request('/v1/claims', { key: busyKey }));
    await eventually('its permits are in use', async () => pendingResponses.length === 32);
    const slowly = setInterval(respondNext, 30);
    const few = await Promise.all(
      Array.from({ length: 4 }, () => gateway.request('/v1/claims?limit=1', { key: quietKey })),
    );
    expect(few.map(({ status }) => status)).toEqual(Array(4).fill(200));
    expect(responded).toBeLessThan(128 - 32);
    clearInterval(slowly);
    const fast = setInterval(() => {
      while (pendingResponses.length > 0) respondNext();
    }, 1);
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(128).fill(200));
    clearInterval(fast);
  });

  test('with one unresponsive replica is served by the other, including the request that waited', async () => {
    const gateway = await fixture.gateway({ CLAIMS_URL: `${silentUrl},${fixture.upstream.url}` });
    closeHeldConnections();
    // While no other request is in progress, a request can go to either replica. So the test sends requests until one waits for the
    // unresponsive replica. On a busy machine two can wait, because the second was sent before the replica accepted the connection of the
    // first.
    const first: ReturnType<typeof gateway.request>[] = [];
    await eventually('one of the requests waits', async () => {
      if (held.size === 0) first.push(gateway.request('/v1/claims', { key: quietKey }));
      return held.size > 0;
    });
    for (let count = 0; count < 50; count++) {
      expect((await gateway.request('/v1/claims', { key: quietKey })).status).toBe(200);
    }
    closeHeldConnections();
    for (const { status } of await Promise.all(first)) expect(status).toBe(200);
  });

  test('that drops connection attempts gets 503, and a replica that does so is skipped', async () => {
    const gateway = await fixture.gateway({
      CLAIMS_URL: hole.url,
      BENEFITS_URL: `${hole.url},${fixture.upstream.url}`,
      PROJECT_REQUESTS: '32',
    });
    const unreachable = Array.from({ length: 40 }, () => gateway.request('/v1/claims', { key: busyKey }));
    const others = await Promise.all([
      ...Array.from({ length: 50 }, () => gateway.request('/v1/bookings', { key: quietKey })),
      ...Array.from({ length: 50 }, () => gateway.request('/v1/preauthorizations', { key: quietKey })),
    ]);
    expect(others.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect((await Promise.all(unreachable)).map(outcomeOf)).toEqual(Array(40).fill(UNAVAILABLE));
  });
});
