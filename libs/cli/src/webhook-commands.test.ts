import { GatewayFixture } from '@carecover/gateway/testing';
import { runCommand } from './testing/run-command';

let fixture: GatewayFixture;
let project: string;

/** Inserts an endpoint that was created on the first of January of a year. */
const insertEndpoint = (
  id: string,
  owner: string,
  path: string,
  events: string[],
  year = 2027,
) => fixture.sql`
  insert into webhooks.endpoints (id, project_id, url, destination, events, created_at)
  values (${id}, ${owner}, ${`https://example.com/${path}`}, 'example.com:443', ${events}, ${`${year}-01-01T00:00:00Z`})`;

/** Inserts an event of the second of January of a year, whose delivery to the endpoint has failed. */
async function insertFailed(id: string, owner: string, endpoint: string, type: string, year = 2027) {
  const { sql } = fixture;
  const at = `${year}-01-02T00:00:00Z`;
  await sql`
    insert into webhooks.events (id, project_id, resource_id, type, payload, created_at)
    values (${id}, ${owner}, ${id.replace('evt_', 'clm_')}, ${type}, ${JSON.stringify({ id })}, ${at})`;
  await sql`
    insert into webhooks.deliveries (id, endpoint_id, project_id, type, created_at, status, attempts, round_attempts, response_status)
    values (${id}, ${endpoint}, ${owner}, ${type}, ${at}, 'failed', 8, 8, 500)`;
}

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'claims', 'payments', 'benefits', 'webhooks']);
  project = (await fixture.project()).project_id;
  const { sql } = fixture;
  await insertEndpoint('whe_1', project, 'all', ['claim.submitted', 'claim.settled']);
  await insertEndpoint('whe_2', project, 'some', ['claim.settled']);
  await insertFailed('evt_1', project, 'whe_1', 'claim.submitted');
  await sql`
    insert into webhooks.attempts (endpoint_id, event_id, started_at, response_status, duration_ms, response_excerpt)
    values ('whe_1', 'evt_1', '2027-01-02T00:00:01Z', 500, 12, 'out of order')`;
});
afterAll(() => fixture.stop());

const run = (...args: string[]) =>
  runCommand(args, { CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl, CARECOVER_OPERATOR: 'amina' });

async function json<T>(...args: string[]): Promise<T> {
  const { code, output, errors } = await run(...args, '--json');
  if (code !== 0) throw new Error(errors);
  return JSON.parse(output) as T;
}

const lastEntry = async () => (await json<object[]>('audit', 'list', '--limit', '1'))[0];
const delivery = async () =>
  (await fixture.sql`select status, round, round_attempts from webhooks.deliveries where id = 'evt_1'`)[0];

test('deliveries are listed for all endpoints and for one, by status', async () => {
  const failed = {
    event_id: 'evt_1',
    type: 'claim.submitted',
    endpoint_id: 'whe_1',
    status: 'failed',
    attempts: 8,
    last: 500,
    next_attempt_at: null,
    project_id: project,
  };
  expect(await json('webhooks', 'deliveries')).toEqual([failed]);
  expect(await json('webhooks', 'deliveries', 'whe_1', '--status', 'failed')).toEqual([failed]);
  expect(await json('webhooks', 'deliveries', 'whe_2')).toEqual([]);
  expect(await json('webhooks', 'deliveries', '--status', 'pending', '--project', project)).toEqual([]);
  expect(await run('webhooks', 'deliveries', 'whe_unknown')).toMatchObject({ code: 1 });
});

test('why prints the reason, the attempts and the next step for each endpoint', async () => {
  const { code, output } = await run('webhooks', 'why', 'evt_1');
  expect(code).toBe(0);
  expect(output.split('\n')).toEqual([
    'evt_1  claim.submitted  2027-01-02T00:00:00.000Z',
    '  whe_1  https://example.com/all  failed: failed after 8 attempts, the last with response 500',
    '    2027-01-02T00:00:01.000Z  500  12 ms "out of order"',
    '    next: carecover webhooks redeliver whe_1 evt_1',
    '  whe_2  https://example.com/some  none: the endpoint is not subscribed to claim.submitted',
    '',
  ]);
  expect(await run('webhooks', 'why', 'evt_unknown')).toMatchObject({ code: 1 });
  expect(await json('show', 'whe_1')).toMatchObject({
    id: 'whe_1',
    disabled_reason: null,
    failing_since: null,
  });
  expect(await json('show', 'evt_1')).toEqual({ id: 'evt_1' });
});

test('an event is redelivered, and a period recovered, with an entry in the audit log', async () => {
  expect(await json('webhooks', 'redeliver', 'whe_1', 'evt_1')).toMatchObject({
    id: 'evt_1',
    delivered: false,
  });
  expect(await delivery()).toEqual({ status: 'pending', round: 2, round_attempts: 0 });
  expect(await lastEntry()).toMatchObject({
    actor: 'amina',
    action: 'webhook.redeliver',
    subject: 'evt_1',
    details: { endpoint_id: 'whe_1' },
  });
  expect((await run('webhooks', 'why', 'evt_1')).output).toContain(
    '    next: wait for the next attempt; to attempt at once: carecover webhooks redeliver whe_1 evt_1\n',
  );
  expect((await run('webhooks', 'redeliver', 'whe_2', 'evt_1')).errors).toContain(
    'There is no delivery of evt_1 to whe_2.',
  );

  await fixture.sql`
    update webhooks.deliveries set status = 'failed', next_attempt_at = null, leased_until = null where id = 'evt_1'`;
  const period = ['--since', '2027-01-01T00:00:00Z', '--until', '2027-01-03T00:00:00Z'];
  expect(await json('webhooks', 'recover', 'whe_1', ...period)).toEqual({ count: 1 });
  expect(await delivery()).toMatchObject({ status: 'pending', round: 3 });
  expect(await lastEntry()).toMatchObject({ action: 'webhook.recover', subject: 'whe_1' });
  const long = await run(
    'webhooks',
    'recover',
    'whe_1',
    '--since',
    '2026-01-01T00:00:00Z',
    '--until',
    '2027-01-03T00:00:00Z',
  );
  expect([long.code, long.errors]).toEqual([
    1,
    expect.stringContaining('--until must be at most 30 days after'),
  ]);
});

test('in a simulated project an event is redelivered at the time of its clock, which the change moves on', async () => {
  const { project_id } = await fixture.project('sandbox', new Date('2031-03-01T00:00:00Z'));
  await insertEndpoint('whe_3', project_id, 'sim', ['claim.settled'], 2031);
  await insertFailed('evt_3', project_id, 'whe_3', 'claim.settled', 2031);
  await json('webhooks', 'redeliver', 'whe_3', 'evt_3');
  const [row] = await fixture.sql`select simulated_at from webhooks.deliveries where id = 'evt_3'`;
  const now = new Date('2031-03-01T00:00:00.010Z');
  expect([row?.simulated_at, await fixture.clockOf(project_id)]).toEqual([now, now]);
  expect(await json('webhooks', 'recover', 'whe_3', '--since', '2031-02-20T00:00:00Z')).toEqual({ count: 0 });
  expect((await lastEntry()) as { details: object }).toMatchObject({
    details: { until: '2031-03-01T00:00:00.010Z' },
  });
});
