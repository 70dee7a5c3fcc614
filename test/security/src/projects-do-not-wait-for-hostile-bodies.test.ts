/** Attacks the guarantee that one project's bodies, however costly, do not keep another project's requests waiting. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { operations } from '@carecover/contract';
import { testSize } from '@carecover/local/testing';
import { costlyBodies } from '@carecover/test-support';
import { GatewayFixture, type TestGateway } from '../../../services/gateway/src/testing/gateway-fixture';

const REQUESTS = testSize({ ci: 20, soak: 2_000 });
const AT_ONCE = 6;

let fixture: GatewayFixture;
let gateway: TestGateway;
let hostile: string;
let other: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  hostile = (await fixture.project()).secret_key;
  other = (await fixture.project()).secret_key;
});
afterAll(() => fixture.stop());

const check = {
  member_reference: 'member-1',
  service_code: 'physio',
  scheduled_at: '2030-01-01T09:00:00Z',
  amount: 1,
  currency: 'KES',
};

/** What each of the other project's requests took, in milliseconds, in ascending order. */
async function askAsOther(): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const startMs = performance.now();
    const answer = await gateway.request('/v1/eligibility_checks', {
      key: other,
      body: check,
      headers: { 'idempotency-key': `request-${count}` },
    });
    durations.push(performance.now() - startMs);
    expect(answer.status).toBe(200);
  }
  return durations.sort((a, b) => a - b);
}

/** Sends the worst bodies from a process of its own; what is given back stops it and tells how many had which status. */
async function startHostile(): Promise<() => Promise<Record<string, number>>> {
  const batch = operations.createCoverageBatch;
  const folder = await mkdtemp(join(tmpdir(), 'carecover-bodies-'));
  for (const [index, make] of Object.values(costlyBodies).entries()) {
    const body = make(batch, batch.bodyLimitBytes).subarray(0, batch.bodyLimitBytes);
    await writeFile(join(folder, String(index).padStart(2, '0')), body);
  }
  const options = JSON.stringify({ port: gateway.port, key: hostile, folder, atOnce: AT_ONCE });
  const child = spawn(process.execPath, [join(__dirname, 'hostile-sender.cjs'), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    const [printed] = await once(child.stdout, 'data');
    await rm(folder, { recursive: true });
    return JSON.parse(String(printed));
  };
}

test('the worst bodies of one project, at once: every one is 400, and another project is served meanwhile', async () => {
  await askAsOther();
  const calm = await askAsOther();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const stop = await startHostile();
  delay.enable();
  const strained = await askAsOther();
  delay.disable();
  const statuses = await stop();
  const at = (durations: number[], share: number) =>
    (durations[Math.floor(durations.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `other project: p50 ${at(calm, 0.5)} ms and p99 ${at(calm, 0.99)} ms calm, ${at(strained, 0.5)} ms and ${at(strained, 0.99)} ms beside ` +
      `hostile bodies (${JSON.stringify(statuses)}); event loop late by p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms, at most ${(delay.max / 1e6).toFixed(0)} ms\n`,
  );
  expect(Object.keys(statuses)).toEqual(['400']);
  // One body alone took 2 s. Generous: the machine of the tests does much else.
  expect(Number(at(strained, 0.5))).toBeLessThan(1_000);
});
