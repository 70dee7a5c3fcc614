/** Attacks the guarantee that one project's bodies, however costly, do not keep another project's requests waiting. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BATCH_BODY_LIMIT_BYTES, CoverageBatchInput, operations } from '@carecover/contract';
import { testSize } from '@carecover/local/testing';
import { createLog, createServiceApp, listen } from '@carecover/platform';
import { costlyBodies, measureTurns } from '@carecover/test-support';
import { HASH_SECRET, TestBenefits } from '../../../services/benefits/src/testing/test-benefits';
import { GatewayFixture, type TestGateway } from '../../../services/gateway/src/testing/gateway-fixture';
import { CONTEXT_SECRET } from '../../../services/gateway/src/testing/small-upstream';

const REQUESTS = testSize({ ci: 40, soak: 2_000 });
const AT_ONCE = 6;
/** Of one turn of the event loop, in processor time: below the 50 ms of docs/decisions/0019, since batches took 45 ms before. */
const TURN_LIMIT_MS = 30;
/** Turns beyond the limit: a garbage collection, and code that the engine compiles. */
const EXCEPTIONS = 2;

let fixture: GatewayFixture;
let benefits: TestBenefits;
let service: { port: number; close(): Promise<void> };
let gateway: TestGateway;
let hostile: string;
let other: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  benefits = await TestBenefits.open();
  const app = createServiceApp({
    service: 'benefits',
    handlers: benefits.handlers,
    contextSecret: CONTEXT_SECRET,
    hashSecret: HASH_SECRET,
    log: createLog('benefits', 'silent'),
    ready: async () => undefined,
  });
  service = await listen(app, '127.0.0.1', 0);
  gateway = await fixture.gateway({ BENEFITS_URL: `http://127.0.0.1:${service.port}` });
  hostile = (await fixture.project()).secret_key;
  other = (await fixture.project()).secret_key;
});
afterAll(async () => {
  await fixture.stop();
  await service.close();
  await benefits.close();
});

/** What each of the other project's requests took, in milliseconds, in ascending order. */
async function askAsOther(): Promise<number[]> {
  const durations: number[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const startMs = performance.now();
    const answer = await gateway.request('/v1/coverages/cov_1', { key: other });
    durations.push(performance.now() - startMs);
    expect(answer.status).toBe(404);
  }
  return durations.sort((a, b) => a - b);
}

/** Sends the bodies from a process of its own. @returns a function that stops it, and returns the number of answers by status */
async function startHostile(bodies: readonly Uint8Array[]): Promise<() => Promise<Record<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-bodies-'));
  for (const [index, body] of bodies.entries()) {
    await writeFile(join(folder, String(index).padStart(2, '0')), body);
  }
  const options = JSON.stringify({ port: gateway.port, key: hostile, folder, atOnce: AT_ONCE });
  const child = spawn(process.execPath, [join(__dirname, 'hostile-sender.cjs'), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The sender of the attack is on another machine.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    const [printed] = await once(child.stdout, 'data');
    await rm(folder, { recursive: true });
    return JSON.parse(String(printed));
  };
}

/** Valid batches of the largest size, each of them new. */
function largestBatches(count: number): Buffer[] {
  const [example] = Reflect.get(CoverageBatchInput, 'examples') as { records: object[] }[];
  return Array.from({ length: count }, (_, batch) => {
    const records = Array.from({ length: 500 }, (_, index) => ({
      ...example?.records[0],
      coverage_reference: `coverage-${batch}-${index}`,
      plan_name: 'é'.repeat(160),
      record_version: 'é'.repeat(120),
      member_reference: `${'m'.repeat(200)}-${batch}-${index}`,
      tenant_reference: 't'.repeat(220),
    }));
    const generated_at = '2026-01-01T00:00:00Z';
    const text = JSON.stringify({ ...example, generated_at, batch_reference: `batch-${batch}`, records });
    return Buffer.from(text + ' '.repeat(BATCH_BODY_LIMIT_BYTES - Buffer.byteLength(text)));
  });
}

const batch = operations.createCoverageBatch;
const worstBodies = () =>
  Object.values(costlyBodies).map((make) =>
    make(batch, batch.bodyLimitBytes).subarray(0, batch.bodyLimitBytes),
  );

test.each([
  ['the worst bodies', worstBodies, ['400']],
  ['the largest valid bodies', () => largestBatches(30), ['200', '201']],
] as const)(
  '%s of one project, at once: another project is served meanwhile',
  async (_, makeBodies, expected) => {
    const bodies = makeBodies();
    await askAsOther();
    const calm = await askAsOther();
    const stop = await startHostile(bodies);
    // Code that has not run yet is slower.
    await askAsOther();
    const stopTurns = measureTurns();
    const strained = await askAsOther();
    const turns = stopTurns();
    const statuses = await stop();
    const at = (durations: number[], share: number) =>
      (durations[Math.floor(durations.length * share)] ?? 0).toFixed(1);
    process.stdout.write(
      `other project: p50 ${at(calm, 0.5)} ms and p99 ${at(calm, 0.99)} ms calm, ${at(strained, 0.5)} ms and ${at(strained, 0.99)} ms beside ` +
        `hostile bodies (${JSON.stringify(statuses)}); longest turns of the event loop, CPU: ${turns
          .slice(0, 5)
          .map((turn) => turn.toFixed(1))
          .join(', ')} ms of ${turns.length}\n`,
    );
    expect(expected).toEqual(expect.arrayContaining(Object.keys(statuses)));
    expect(turns.filter((turn) => turn > TURN_LIMIT_MS).length).toBeLessThanOrEqual(EXCEPTIONS);
  },
);
