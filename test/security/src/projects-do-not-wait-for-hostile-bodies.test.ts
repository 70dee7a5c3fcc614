/** Attacks the guarantee that costly bodies of one project do not delay the requests of another project. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BATCH_BODY_LIMIT_BYTES, CoverageBatchInput, operations } from '@carecover/contract';
import { GatewayFixture, type TestGateway } from '@carecover/gateway/testing';
import { createServiceApp, startHttpServer } from '@carecover/http';
import { createLog } from '@carecover/telemetry';
import { testSize } from '@carecover/testing/servers';
import { TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { costlyBodies, measureTurns } from '@carecover/testing/stack';
import { HASH_SECRET, TestBenefits } from '../../../services/benefits/src/testing/test-benefits';

const REQUESTS = testSize({ ci: 40, soak: 500 });
const AT_ONCE = 6;
/** The limit of one turn of the event loop, in milliseconds of processor time, which decision 0019 permits. */
const TURN_LIMIT_MS = 50;
/** The number of turns that can exceed the limit, because garbage collection and compilation can occur in them. */
const MAX_SLOW_TURNS = 2;

let fixture: GatewayFixture;
let benefits: TestBenefits;
let service: { port: number; close(): Promise<void> };
let gateway: TestGateway;
let hostile: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  benefits = await TestBenefits.open();
  const app = createServiceApp({
    service: 'benefits',
    handlers: benefits.handlers,
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: HASH_SECRET,
    log: createLog('benefits', 'silent'),
    ready: async () => undefined,
  });
  service = await startHttpServer(app, '127.0.0.1', 0);
  gateway = await fixture.gateway({ BENEFITS_URL: `http://127.0.0.1:${service.port}` });
  hostile = (await fixture.project()).secret_key;
});
afterAll(async () => {
  await fixture.stop();
  await service.close();
  await benefits.close();
});

/** Sends requests of a new project, which has its own rate limit. Returns their durations in milliseconds, ascending. */
async function measureOther(): Promise<number[]> {
  const { secret_key: other } = await fixture.project();
  const durations: number[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const startMs = performance.now();
    const response = await gateway.request('/v1/coverages/cov_1', { key: other });
    durations.push(performance.now() - startMs);
    expect(response.status).toBe(404);
  }
  return durations.sort((a, b) => a - b);
}

/**
 * Starts a process that sends the given bodies to the gateway. The returned function stops the process and returns the number of
 * responses per status.
 */
async function startHostileSender(
  bodies: readonly Uint8Array[],
): Promise<() => Promise<Record<string, number>>> {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-bodies-'));
  for (const [index, body] of bodies.entries()) {
    await writeFile(join(folder, String(index).padStart(2, '0')), body);
  }
  const options = JSON.stringify({ port: gateway.port, key: hostile, folder, atOnce: AT_ONCE });
  const child = spawn(process.execPath, [join(__dirname, 'hostile-sender.cjs'), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The sending process gets a low priority, because a real attacker would not use the processors of the machine on which Carecover runs.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    const [printed] = await once(child.stdout, 'data');
    await rm(folder, { recursive: true });
    return JSON.parse(String(printed));
  };
}

/** Creates valid coverage batches of the maximum size, each with different records. */
function createLargestBatches(count: number): Buffer[] {
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
const createCostlyBodies = () =>
  Object.values(costlyBodies).map((make) =>
    make(batch, batch.bodyLimitBytes).subarray(0, batch.bodyLimitBytes),
  );

test.each([
  ['costly bodies', createCostlyBodies, ['400']],
  ['the largest valid bodies', () => createLargestBatches(30), ['200', '201']],
] as const)(
  'another project gets responses during concurrent %s of one project',
  async (_, makeBodies, expected) => {
    const bodies = makeBodies();
    await measureOther();
    const calm = await measureOther();
    const stop = await startHostileSender(bodies);
    // The requests of the other project are first sent unmeasured, so that V8 has compiled the code.
    await measureOther();
    const stopTurns = measureTurns();
    const loaded = await measureOther();
    const turns = stopTurns();
    const statuses = await stop();
    const percentile = (durations: number[], share: number) =>
      (durations[Math.floor(durations.length * share)] ?? 0).toFixed(1);
    process.stdout.write(
      `other project: p50 ${percentile(calm, 0.5)} ms and p99 ${percentile(calm, 0.99)} ms without load, ${percentile(loaded, 0.5)} ms and ${percentile(loaded, 0.99)} ms with ` +
        `hostile bodies (${JSON.stringify(statuses)}); longest turns of the event loop, CPU: ${turns
          .slice(0, 5)
          .map((turn) => turn.toFixed(1))
          .join(', ')} ms of ${turns.length}\n`,
    );
    expect(expected).toEqual(expect.arrayContaining(Object.keys(statuses)));
    expect(turns.filter((turn) => turn > TURN_LIMIT_MS).length).toBeLessThanOrEqual(MAX_SLOW_TURNS);
  },
);
