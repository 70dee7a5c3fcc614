/** Runs the journey of `npm start -- --replicas 2` against a stack with two replicas of the gateway and of each service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { verifyWebhook } from '@carecover/client';
import { runJourney } from '@carecover/local/journey';
import { eventually, startTestStack, type TestStack } from '@carecover/testing/servers';
import { type Delivery, startReceiver } from '@carecover/testing/stack';

let testStack: TestStack;
/** The result of the latest journey. */
let latest: Awaited<ReturnType<typeof runJourney>> | undefined;

beforeAll(async () => {
  testStack = await startTestStack({ mode: 'local', replicas: 2 });
}, 120_000);
afterAll(async () => {
  await testStack?.stop();
});

async function runAndStore(lines: string[]) {
  latest = await runJourney(testStack.stack.file, {
    print: (line) => lines.push(line),
    verifyLedger: async () => {
      await testStack.operator('ledger', 'verify');
    },
  });
  return latest;
}

test('the journey completes twice on the same stack', async () => {
  for (let round = 1; round <= 2; round++) {
    const lines: string[] = [];
    const { valuation, events, openClaimId } = await runAndStore(lines);
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
    expect(events).toHaveLength(15);
    expect(lines.at(-1)).toContain(`/workflows/${openClaimId}\n`);
    expect(lines.filter((line) => line.includes('failed'))).toEqual([]);
  }
}, 120_000);

test("carecover show prints a claim's history as known now and at a cutoff, with the same result each time", async () => {
  const { valuation, claimId } = latest ?? (await runAndStore([]));
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

  const beforeFirst = new Date(Date.parse(valuation.events[0]?.recorded_at ?? '') - 1).toISOString();
  await expect(show('--at', beforeFirst)).rejects.toThrow('has no valuation at this cutoff');
}, 120_000);

test('the links of the journey open the running workflow of the open claim, and the list of open claims', async () => {
  const lines: string[] = [];
  const { openClaimId, claimId } = await runAndStore(lines);
  const [run = '', list = ''] = (lines.at(-1) ?? '').match(/http:\S+/g) ?? [];
  // The UI's pages read these addresses of its API.
  const read = async (link: string) => {
    const { pathname, search, origin } = new URL(link);
    return (await fetch(`${origin}/api/v1${pathname}${search}`)).json();
  };
  const shown = await eventually('the workflow runs', async () => {
    const { workflowExecutionInfo: info } = await read(run);
    return info?.status === 'WORKFLOW_EXECUTION_STATUS_RUNNING' && info;
  });
  expect(shown.execution.workflowId).toBe(openClaimId);
  await eventually('the list has the open claim, and not the settled one', async () => {
    const { executions = [] } = await read(list);
    const ids = executions.map(({ execution }: typeof shown) => execution.workflowId);
    return ids.includes(openClaimId) && !ids.includes(claimId);
  });
});

test('carecover show says what an open claim waits for, and links its run; without a run, it says why', async () => {
  const { openClaimId, claimId } = latest ?? (await runAndStore([]));
  const ui = testStack.stack.file.temporal_ui;
  const show = async (id: string) => (await testStack.operator<{ text: string }>('show', id)).text;
  const { text, link } = await eventually('the run is linked', async () => {
    const text = await show(openClaimId);
    const [, link] = /^workflow: running, since \S+Z; (\S+)$/m.exec(text) ?? [];
    return link === undefined ? undefined : { text, link };
  });
  expect(text).toMatch(
    /^waits for the answer to the information request .*: clinical_summary, until \d{4}-/m,
  );
  expect(link).toContain(`${ui}/namespaces/default/workflows/${openClaimId}/`);
  expect(await show(claimId)).toMatch(
    /^workflow: (none, because the claim waits for nothing|completed, since)/m,
  );
}, 60_000);

test('carecover listen forwards each event of a journey once with a valid signature, until SIGINT', async () => {
  const received: Delivery[] = [];
  const developer = await startReceiver((delivery) => received.push(delivery));
  const tool = join(__dirname, '../../../libs/cli/bin/carecover.js');
  const listener = spawn(process.execPath, [tool, 'listen', '--forward-to', developer.url], {
    env: { ...process.env, CARECOVER_HOME: testStack.stack.home.folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => listener.once('exit', resolve));
  let output = '';
  const started = new Promise<void>((resolve) => {
    listener.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('\n')) resolve();
    });
  });
  await Promise.race([started, ended]);
  const secret = /whsec_\S+/.exec(output)?.[0] ?? '';
  const { events } = await runAndStore([]);
  await eventually(
    'all events are forwarded',
    async () => received.length >= events.length || listener.exitCode !== null,
  );
  listener.kill('SIGINT');
  expect(await ended).toBe(0);
  developer.close();

  const forwarded = await Promise.all(
    received.map(({ body, headers }) => verifyWebhook(body, headers, secret)),
  );
  expect(forwarded.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
  for (const { id } of forwarded) expect(output).toContain(`${id}  204`);
}, 120_000);
