/** The journey through a stack of real servers with two gateways and two of each service, as `npm start -- --replicas 2` walks it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { verifyWebhook } from '@carecover/client';
import { runJourney } from '@carecover/local/journey';
import { eventually, startTestStack, type TestStack } from '@carecover/local/testing';
import { type Delivery, startReceiver } from '@carecover/test-support';

let testStack: TestStack;
/** What the latest walk came to. */
let walked: Awaited<ReturnType<typeof runJourney>> | undefined;

beforeAll(async () => {
  testStack = await startTestStack({ mode: 'local', replicas: 2 });
}, 120_000);
afterAll(async () => {
  await testStack?.stop();
});

async function walk(lines: string[]) {
  walked = await runJourney(testStack.stack.file, {
    print: (line) => lines.push(line),
    verifyLedger: async () => {
      await testStack.operator('ledger', 'verify');
    },
  });
  return walked;
}

test('the whole journey reaches its end, and again on the same stack', async () => {
  for (let round = 1; round <= 2; round++) {
    const lines: string[] = [];
    const { valuation, events, claimId } = await walk(lines);
    expect(valuation.status).toBe('settled');
    expect(valuation.amount).toMatchObject({
      payer_liability: 350_000,
      remitted: 350_000,
      settled: 350_000,
      outstanding: 0,
    });
    expect(valuation.events.map(({ type }) => type)).toEqual([
      'created',
      'validated',
      'submitted',
      'queried',
      'evidence_added',
      'resubmitted',
      'partially_approved',
      'remittance_recorded',
      'settled',
      'reconciled',
    ]);
    expect(events).toHaveLength(11);
    expect(lines.at(-1)).toContain(`/workflows/${claimId}`);
    expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
  }
}, 120_000);

test("carecover show tells the claim's story as known now and as it was known, the same each time it is asked", async () => {
  const { valuation, claimId } = walked ?? (await walk([]));
  const show = async (...options: string[]) => {
    const { text } = await testStack.operator<{ text: string }>('show', claimId, ...options);
    const facts = text.split('\n').filter((line) => /^ +\d+ {2}/.test(line));
    return { text, types: facts.map((line) => line.trim().split(/ +/)[3]) };
  };
  const now = await show();
  expect(now.text).toContain(`${claimId}  settled  as known now`);
  expect(now.types).toEqual(valuation.events.map(({ type }) => type));

  const queried = valuation.events.find(({ type }) => type === 'queried');
  const at = queried?.recorded_at ?? '';
  const then = await show('--at', at);
  expect(then.text).toContain(`${claimId}  queried  as known at ${at}`);
  expect(then.types).toEqual(['created', 'validated', 'submitted', 'queried']);
  expect(then.text).toMatch(/payer_liability -.*settled 0/);
  expect(await show('--at', at)).toEqual(then);

  const beforeIt = new Date(Date.parse(valuation.events[0]?.recorded_at ?? '') - 1).toISOString();
  await expect(show('--at', beforeIt)).rejects.toThrow('no such');
}, 120_000);

test("carecover listen forwards the events of a claim's journey, each once and signed, until it is interrupted", async () => {
  const received: Delivery[] = [];
  const developer = await startReceiver((delivery) => received.push(delivery));
  const tool = join(__dirname, '../../../services/gateway/bin/carecover.js');
  const listener = spawn(process.execPath, [tool, 'listen', '--forward-to', developer.url], {
    env: { ...process.env, CARECOVER_HOME: testStack.stack.home.folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => listener.once('exit', resolve));
  let told = '';
  const telling = new Promise<void>((resolve) => {
    listener.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString('utf8');
      if (told.includes('\n')) resolve();
    });
  });
  await Promise.race([telling, ended]);
  const secret = /whsec_\S+/.exec(told)?.[0] ?? '';
  const { events } = await walk([]);
  await eventually(
    'all are forwarded',
    async () => received.length >= events.length || listener.exitCode !== null,
  );
  listener.kill('SIGINT');
  expect(await ended).toBe(0);
  developer.close();

  const forwarded = await Promise.all(
    received.map(({ body, headers }) => verifyWebhook(body, headers, secret)),
  );
  expect(forwarded.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
  for (const { id } of forwarded) expect(told).toContain(`${id}  204`);
}, 120_000);
