/** Advances of a running gateway, whose services are replaced by a server that answers as a test says. */
import type { ServerResponse } from 'node:http';
import { eventually } from '@carecover/testing/servers';
import { GatewayFixture, type TestGateway } from '../testing/gateway-fixture';

const START = new Date('2022-01-01T00:00:00.000Z');
const TARGET = '2022-03-01T00:00:00.000Z';

let fixture: GatewayFixture;
let gateway: TestGateway;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
});
afterEach(() => {
  fixture.upstream.respond = undefined;
});
afterAll(() => fixture.stop());

/** What the services answer to a call of a project: by default nothing is due, and the project has no endpoint. */
type Answers = (
  path: string,
  body: Record<string, string>,
  project: string,
) => object | null | Promise<object | null>;

function answer(answers: Answers): void {
  fixture.upstream.respond = async ({ url, body, caller }, response: ServerResponse) => {
    const path = url.replace('/internal/clock/', '');
    const given = await answers(path, JSON.parse(body.toString() || '{}'), caller?.tenant ?? '');
    const nothing =
      path === 'settle'
        ? { hasReceivers: false, unfinished: 0 }
        : { next: null, count: 0, completed: 0, at: null };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(given ?? nothing));
  };
}

const advance = (key: string, wait_seconds = 10) =>
  gateway.request('/v1/test_clock/advance', {
    key,
    body: { to: TARGET, wait_seconds },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });

test('an item that a write adds while the advance ends is executed at its own instant before the clock is ready', async () => {
  const { project_id, secret_key } = await fixture.project('sandbox', START);
  const item = { at: '2022-02-01T00:00:00.000Z', resource: 'rem_1', what: 'remittance.deadline' };
  const executed: object[] = [];
  let isOffered = false;
  answer(async (path, { now, through }) => {
    const clock = await fixture.clockOf(project_id);
    // The write has read its time before the clock moved to the target, and commits after it.
    const [row] = await fixture.sql`select status from gateway.test_clocks where project_id = ${project_id}`;
    if (path === 'due' && clock?.toISOString() === TARGET && !isOffered) {
      isOffered = true;
      return { next: item, count: 1 };
    }
    if (path !== 'execute') return null;
    executed.push({ now, through, status: row?.status });
    return { next: null, completed: 1, at: item.at };
  });
  const { body } = await advance(secret_key);
  expect(executed).toEqual([{ now: START.toISOString(), through: TARGET, status: 'advancing' }]);
  expect(body).toMatchObject({ status: 'ready', now: TARGET, advanced_to: TARGET, completed: 1 });
});

test('a customer whose advances all wait for a slow endpoint leaves turns for the advance of another one, and all end', async () => {
  const busy = await Promise.all(Array.from({ length: 10 }, () => fixture.project('sandbox', START)));
  const { project_id: owner } = await fixture.project();
  const quiet = await fixture.project('sandbox', START);
  const projects = busy.map(({ project_id }) => project_id);
  await fixture.sql`update gateway.test_clocks set created_by = ${owner} where project_id = any(${projects})`;
  const held: (() => void)[] = [];
  let isSlow = true;
  answer((path, _, project) => {
    if (path !== 'settle' || !isSlow || !projects.includes(project)) return null;
    return new Promise((resolve) => held.push(() => resolve(null)));
  });
  await Promise.all(busy.map(({ secret_key }) => advance(secret_key, 0)));
  await eventually('advances wait', async () => held.length >= 4);
  expect((await advance(quiet.secret_key)).body).toMatchObject({ status: 'ready' });
  expect(held).toHaveLength(4);
  isSlow = false;
  for (const release of held) release();
  await eventually('all have ended', async () => {
    const ready = await fixture.sql`
      select from gateway.test_clocks where status = 'ready' and advanced_to = ${TARGET} and project_id = any(${projects})`;
    return ready.length === projects.length;
  });
});
