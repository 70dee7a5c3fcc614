/** Runs `carecover demo` with a quarter of a year, twice at the same time with the same seed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '@carecover/testing/servers';
import { CLI, running } from './world';

interface Demo {
  readonly project_id: string;
  readonly secret_key: string;
  readonly now: string;
  readonly bookings: number;
  readonly claims: number;
  readonly advices: number;
  readonly settlements: number;
  readonly valuation_runs: number;
}

const ARGUMENTS = ['demo', '--years', '0.25', '--start', '2024-01-01T00:00:00Z', '--seed', '5', '--json'];

async function runDemo(): Promise<Demo> {
  const { base_url, secret_key, ca_certificate } = running.stack.file;
  const env = {
    PATH: process.env.PATH,
    CARECOVER_SECRET_KEY: secret_key,
    NODE_EXTRA_CA_CERTS: ca_certificate,
  };
  const args = [CLI, ...ARGUMENTS, '--base-url', base_url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Demo;
}

test('a demo has claims in several states at the time of its clock, and the same seed and start give the same story', async () => {
  const [first, second] = await Promise.all([runDemo(), runDemo()]);
  const { project_id, secret_key, ...story } = first;
  const { project_id: otherId, secret_key: otherKey, ...same } = second;
  expect(project_id).toMatch(/^prj_\w+_sim$/);
  expect(otherId).not.toBe(project_id);
  expect(same).toEqual(story);
  expect(story.now).toBe('2024-04-02T00:00:00.000Z');
  expect(story.claims).toBeGreaterThan(10);
  expect(story.settlements).toBeGreaterThan(0);

  const [client, other] = [secret_key, otherKey].map((key) => running.clients.create(key));
  if (client === undefined || other === undefined) throw new Error('no client');
  const { now, failure } = await client.testClock.retrieve();
  expect([now >= story.now, now < '2024-04-02T00:01:00.000Z', failure]).toEqual([true, true, null]);
  const at = story.now;
  const [receivables, otherReceivables] = await Promise.all(
    [client, other].map(
      async (each) => (await each.receivables.retrieve({ at, currency: 'KES' })).currencies,
    ),
  );
  expect(receivables).toHaveLength(1);
  expect(receivables?.[0]?.outstanding).toEqual(otherReceivables?.[0]?.outstanding);
  expect((await client.remittances.list({ status: 'exception' })).data).not.toEqual([]);
  const statuses = new Set<string>();
  for await (const { status } of client.claims.list()) statuses.add(status);
  expect(statuses.size).toBeGreaterThan(2);
  const { data: runs } = await client.valuationRuns.list();
  expect(runs).toHaveLength(story.valuation_runs);
  await eventually('every valuation run is ready', async () => {
    const { data } = await client.valuationRuns.list();
    return data.every(({ status }) => status === 'ready');
  });
}, 300_000);
