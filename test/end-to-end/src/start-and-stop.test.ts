/** Tests the process of `npm start`: its stop, its restart after SIGKILL, and its messages when it can't start. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, natsExecutable, temporalExecutable } from '@carecover/testing/servers';

jest.setTimeout(180_000);

const REPOSITORY = resolve(__dirname, '../../..');

interface StackFile {
  base_url: string;
  ca_certificate: string;
  secret_key: string;
  temporal_ui: string;
  pid: number;
}

interface ProcessRecord {
  name: string;
  pid: number;
}

let folder: string;
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-start-'));
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Starts `npm start` with `home` as the folder of the stack, and without the journey that follows a first start. */
function start(home: string, env: NodeJS.ProcessEnv = {}, ...args: string[]) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'journey.done'), '');
  return startFirst(home, env, ...args);
}

/** Starts `npm start` with `home` as the folder of the stack. The journey follows if the folder is new. */
function startFirst(home: string, env: NodeJS.ProcessEnv = {}, ...args: string[]) {
  // As in package.json. Without npm, the signals of a test reach the process directly.
  const command = [
    '--disable-warning=ExperimentalWarning',
    join(REPOSITORY, 'deploy/bootstrap.mjs'),
    'start',
  ];
  const child = spawn(process.execPath, [...command, ...args], {
    env: { ...process.env, CARECOVER_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const file = join(home, 'stack.json');
  const records = () =>
    JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8')) as readonly ProcessRecord[];
  return {
    child,
    output: () => output,
    ended: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
    waitUntilUp: async (): Promise<StackFile> => {
      await eventually('the stack is running', async () => {
        if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
        return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).pid === child.pid;
      });
      return JSON.parse(readFileSync(file, 'utf8'));
    },
    /** Returns the IDs of the server and service processes that `npm start` has started. */
    processes: () => records().map(({ pid }) => pid),
    processOf: (name: string) => records().find((record) => record.name === name)?.pid ?? 0,
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Kills the reaper of a supervisor, so that no process stops the supervisor's children after the supervisor has ended. */
function killReaper(supervisor = 0): void {
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ');
  const reapers = children.filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reaper.cjs'),
  );
  for (const pid of reapers) process.kill(Number(pid), 'SIGKILL');
}

/** Lists the files and folders below `home` that users other than the owner can access. */
function listAccessibleToOthers(home: string): string[] {
  const listed = execFileSync('find', [home, '!', '-type', 'l', '-perm', '/077'], { encoding: 'utf8' });
  return listed.split('\n').filter((path) => path !== '');
}

/** Sends a request to the gateway of a stack, and returns the status and the body of the response. */
function call(stack: StackFile, method: string, path: string, body?: object) {
  return new Promise<{ status: number | undefined; body: { id: string } }>((resolve, reject) => {
    const outgoing = request(`${stack.base_url}${path}`, {
      method,
      agent: false,
      ca: readFileSync(stack.ca_certificate),
      headers: {
        authorization: `Bearer ${stack.secret_key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'idempotency-key': `start-${Math.random()}` }),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, body: JSON.parse(text) });
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const ENDPOINT = { url: 'http://127.0.0.1:9/receiver', events: ['claim.settled'] };

test('a start that SIGINT interrupted, SIGKILL and a second stack leave the data and the processes of a stack complete', async () => {
  const home = join(folder, 'home');
  const interrupted = start(home);
  await eventually('a process is running', async () => existsSync(join(home, 'processes.json')));
  const begun = interrupted.processes();
  interrupted.child.kill('SIGINT');
  await expect(interrupted.ended()).resolves.toBe(0);
  expect(begun.filter(isRunning)).toEqual([]);

  const first = start(home);
  const stack = await first.waitUntilUp();
  const created = await call(stack, 'POST', '/webhook_endpoints', ENDPOINT);
  expect(created.status).toBe(201);

  // The reaper is killed first, so that the processes continue to run after the supervisor has been killed.
  const left = first.processes();
  killReaper(first.child.pid);
  first.child.kill('SIGKILL');
  await first.ended();
  expect(left.filter(isRunning)).toEqual(left);

  // Stacks with different folders run concurrently. The other stack starts when the second one has chosen its ports: until then the ports
  // of the killed one, which the second one is to keep, are free for any stack.
  const second = start(home);
  await eventually('the second start has started a process', async () =>
    second.processes().some((pid) => !left.includes(pid)),
  );
  const other = start(join(folder, 'other'));
  const [again, otherStack] = await Promise.all([second.waitUntilUp(), other.waitUntilUp()]);
  expect(again.secret_key).toBe(stack.secret_key);
  expect(again.base_url).toBe(stack.base_url);
  expect(left.filter(isRunning)).toEqual([]);
  const found = await call(again, 'GET', `/webhook_endpoints/${created.body.id}`);
  expect(found.status).toBe(200);
  expect(listAccessibleToOthers(home)).toEqual([]);
  expect(otherStack.base_url).not.toBe(again.base_url);
  expect(otherStack.temporal_ui).not.toBe(again.temporal_ui);
  expect((await call(otherStack, 'GET', '/practitioners')).status).toBe(200);

  // The reader of the output ends, as a full disk or a closed terminal end it. The restart of a service prints lines.
  other.child.stdout.destroy();
  other.child.stderr.destroy();
  const killed = other.processOf('care');
  process.kill(killed, 'SIGKILL');
  await eventually(
    'care runs again',
    async () => isRunning(other.processOf('care')) && other.processOf('care') !== killed,
  );
  await sleep(1_000);
  expect(other.child.exitCode).toBeNull();

  const third = start(home);
  await expect(third.ended()).resolves.toBe(1);
  expect(third.output()).toMatch(/Carecover already runs in .*: stop it first/);

  const processes = second.processes();
  expect(processes.length).toBeGreaterThanOrEqual(9);
  second.child.kill('SIGINT');
  await expect(second.ended()).resolves.toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
  expect(existsSync(join(home, 'stack.json'))).toBe(false);
});

/** Writes a shell script into the test's folder, and returns its path. */
function writeScript(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

test('the first journey completes before Temporal runs, and the workflow of its open claim follows when Temporal runs', async () => {
  const gate = join(folder, 'gate');
  const temporal = writeScript(
    'temporal',
    `[ "$1" = ui ] || while [ ! -e '${gate}' ]; do sleep 0.1; done\nexec '${await temporalExecutable()}' "$@"`,
  );
  const first = startFirst(join(folder, 'home'), { CARECOVER_TEMPORAL: temporal });
  await eventually(
    'the journey has ended',
    async () => {
      if (first.child.exitCode !== null) throw new Error(`npm start ended:\n${first.output()}`);
      return first.output().includes('Temporal is still starting');
    },
    120_000,
  );
  expect(first.output()).toMatch(/the claim is settled$/m);
  expect(first.output()).not.toContain('failed');
  writeFileSync(gate, '');
  const stack = await first.waitUntilUp();
  await eventually('Temporal runs', async () =>
    first.output().includes(`Temporal runs: ${stack.temporal_ui}\n`),
  );
  const link = /what it waits for, and its history +(http:\S+)/.exec(first.output())?.[1] ?? '';
  await eventually('the workflow of the open claim runs', async () => {
    const response = await fetch(link.replace('/namespaces/', '/api/v1/namespaces/'));
    const { workflowExecutionInfo: info } = (await response.json()) as {
      workflowExecutionInfo?: { status: string };
    };
    return info?.status === 'WORKFLOW_EXECUTION_STATUS_RUNNING';
  });
  const processes = first.processes();
  first.child.kill('SIGINT');
  await expect(first.ended()).resolves.toBe(0);
  expect(processes.filter(isRunning)).toEqual([]);
});

test('SIGINT while Temporal is being built beside the services leaves no process', async () => {
  const pidFile = join(folder, 'go.pid');
  writeScript('go', `echo $$ > '${pidFile}'\nexec sleep 600`);
  const building = start(join(folder, 'home'), {
    PATH: `${folder}:${process.env.PATH}`,
    XDG_CACHE_HOME: join(folder, 'cache'),
    CARECOVER_OFFLINE: '1',
    CARECOVER_NATS_SERVER: await natsExecutable(),
  });
  const stack = await building.waitUntilUp();
  expect((await call(stack, 'POST', '/webhook_endpoints', ENDPOINT)).status).toBe(201);
  const processes = [...building.processes(), Number(readFileSync(pidFile, 'utf8'))];
  expect(processes.filter(isRunning)).toEqual(processes);
  building.child.kill('SIGINT');
  await expect(building.ended()).resolves.toBe(0);
  await eventually('no process runs', async () => processes.filter(isRunning).length === 0);
  expect(building.output()).not.toMatch(/\bat .*\.js/);
});

test('an invalid setting or argument ends npm start with one message and exit code 1', async () => {
  const port = start(join(folder, 'home'), { CARECOVER_PORT: 'https' });
  await expect(port.ended()).resolves.toBe(1);
  expect(port.output()).toMatch(/CARECOVER_PORT is not valid: it must be a whole number/);
  expect(port.output()).not.toMatch(/\bat .*\.js/);

  const replicas = start(join(folder, 'home'), {}, '--replicas', 'many');
  await expect(replicas.ended()).resolves.toBe(1);
  expect(replicas.output()).toMatch(/--replicas many is not possible: npm start takes --replicas N/);

  const level = start(join(folder, 'home'), { LOG_LEVEL: 'loud' });
  await expect(level.ended()).resolves.toBe(1);
  expect(level.output()).toMatch(/LOG_LEVEL is not valid/);
});
