/** What one part under strain does to the others: nothing. Every part is real, and hangs or dies for real. */
import { createServer, type Server, type Socket } from 'node:net';
import {
  type BlackHole,
  eventually,
  freeze,
  startBlackHole,
  startTestPostgres,
  type TestServer,
} from '@carecover/local/testing';
import { setProject } from './store/projects';
import { type Answer, codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

const AWAY = [503, 'service_unavailable'];
const outcome = (answer: Answer) => [answer.status, codeOf(answer)];

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
    // One that was asked on a connection of before may still meet its end.
    for (;;) {
      const answer = await gateway.request('/v1/claims', { key });
      if (answer.status === 200) return;
      expect(outcome(answer)).toEqual(AWAY);
    }
  }

  /** What needs no database is answered as ever; what does is told to come again. */
  async function expectAway(): Promise<void> {
    const keyed = Array.from({ length: 100 }, () => gateway.request('/v1/claims', { key }));
    const others = await Promise.all([
      gateway.request('/v1/claims'),
      gateway.request('/v1/claims', { key: 'sk_test_nonsense' }),
      gateway.request('/v1/openapi.json'),
    ]);
    expect(others.map(outcome)).toEqual([
      [401, 'api_key_missing'],
      [401, 'api_key_invalid'],
      [200, null],
    ]);
    const answers = await Promise.all(keyed);
    expect(answers.map(outcome)).toEqual(Array(100).fill(AWAY));
    expect(answers.every(({ headers }) => headers.get('retry-after') !== null)).toBe(true);
  }

  test('that hangs is waited for within bounds, and found again once it goes on', async () => {
    await expectServed();
    const thaw = freeze(postgres.pid);
    try {
      await expectAway();
    } finally {
      thaw();
    }
    await expectServed();
  });

  test('that is killed is found again once it is back', async () => {
    await expectServed();
    await postgres.kill();
    await expectAway();
    await postgres.restart();
    await expectServed();
  });
});

describe('a service', () => {
  let fixture: GatewayFixture;
  let greedy: string;
  let quiet: string;
  let hole: BlackHole;
  let silent: Server;
  let silentUrl: string;
  const held = new Set<Socket>();

  async function busyProject(): Promise<string> {
    const project = await fixture.project();
    await setProject(fixture.sql, 'tests', project.project_id, { rateLimitPerMinute: 1_000_000 });
    return project.secret_key;
  }

  beforeAll(async () => {
    fixture = await GatewayFixture.start();
    [greedy, quiet] = [await busyProject(), await busyProject()];
    hole = await startBlackHole();
    silent = createServer((socket) => {
      held.add(socket.on('error', () => undefined));
      socket.resume();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    silentUrl = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  });
  /** A request that still waits for the silent replica is answered when it ends. */
  function breakSilence(): void {
    for (const socket of held) socket.destroy();
    held.clear();
  }
  afterEach(() => {
    fixture.upstream.respond = undefined;
  });
  afterAll(async () => {
    breakSilence();
    silent.close();
    await fixture.stop();
    await hole.close();
  });

  test('that never answers holds a bounded number of requests and stops no other', async () => {
    const gateway = await fixture.gateway({ CLAIMS_URL: silentUrl });
    const stuck = Array.from({ length: 700 }, () => gateway.request('/v1/claims', { key: greedy }));
    const refused: Answer[] = [];
    for (const each of stuck) void each.then((answer) => refused.push(answer));
    const others = await Promise.all(
      Array.from({ length: 50 }, () => gateway.request('/v1/bookings', { key: quiet })),
    );
    expect(others.map(({ status }) => status)).toEqual(Array(50).fill(200));
    // What no line has room for is not kept waiting: these come while the silent one still keeps its own.
    await eventually('the rest is refused', async () => refused.length >= 700 - 64 - 512);
    expect(held.size).toBeLessThanOrEqual(64);
    const closing = setInterval(breakSilence, 20);
    expect((await Promise.all(stuck)).map(outcome)).toEqual(Array(700).fill(AWAY));
    clearInterval(closing);
  });

  test('that is slow serves a project that asks little before all that another one asked', async () => {
    const gateway = await fixture.gateway();
    const answerLater: (() => void)[] = [];
    let answered = 0;
    const answerNext = () => {
      const next = answerLater.shift();
      if (next === undefined) return;
      next();
      answered += 1;
    };
    fixture.upstream.respond = ({ url }, response) => {
      if (url.includes('limit=1')) response.end('{}');
      else answerLater.push(() => response.end('{}'));
    };
    const many = Array.from({ length: 128 }, () => gateway.request('/v1/claims', { key: greedy }));
    await eventually('its places are taken', async () => answerLater.length === 64);
    const slowly = setInterval(answerNext, 30);
    const few = await Promise.all(
      Array.from({ length: 4 }, () => gateway.request('/v1/claims?limit=1', { key: quiet })),
    );
    expect(few.map(({ status }) => status)).toEqual(Array(4).fill(200));
    expect(answered).toBeLessThan(128 - 64);
    clearInterval(slowly);
    const fast = setInterval(() => {
      while (answerLater.length > 0) answerNext();
    }, 1);
    expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(128).fill(200));
    clearInterval(fast);
  });

  test('of which one replica hangs is served by the other, the request that hung included', async () => {
    const gateway = await fixture.gateway({ CLAIMS_URL: `${silentUrl},${fixture.upstream.url}` });
    const first = [0, 1].map(() => gateway.request('/v1/claims', { key: quiet }));
    await eventually('one of them hangs', async () => held.size === 1);
    for (let asked = 0; asked < 50; asked++) {
      expect((await gateway.request('/v1/claims', { key: quiet })).status).toBe(200);
    }
    breakSilence();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('that can neither be reached nor rejects is 503, and a replica like that is passed over', async () => {
    const gateway = await fixture.gateway({
      CLAIMS_URL: hole.url,
      BENEFITS_URL: `${hole.url},${fixture.upstream.url}`,
    });
    const lost = Array.from({ length: 100 }, () => gateway.request('/v1/claims', { key: greedy }));
    const others = await Promise.all([
      ...Array.from({ length: 50 }, () => gateway.request('/v1/bookings', { key: quiet })),
      ...Array.from({ length: 50 }, () => gateway.request('/v1/preauthorizations', { key: quiet })),
    ]);
    expect(others.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect((await Promise.all(lost)).map(outcome)).toEqual(Array(100).fill(AWAY));
  });
});
