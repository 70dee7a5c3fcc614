import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectStream, ensureStream, STREAM, STREAM_SETTINGS } from '@carecover/events';
import { indexedValueTypes } from '@carecover/setup/temporal-namespace';
import { eventually, freePort, startDevTemporal } from '@carecover/testing/servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { Connection } from '@temporalio/client';
import { runCommandLine } from '../../../libs/cli/src/program';
import { dynamicConfig } from '../../local/src/temporal-config';
import { natsExecutable, temporalExecutable } from '../../local/src/toolchain';
import { COMPOSE_FOLDER, readComposeFile } from './compose-file';

const folder = mkdtempSync(join(tmpdir(), 'carecover-compose-'));
const secrets = join(folder, 'secrets');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('three NATS servers', () => {
  const servers: ChildProcess[] = [];
  const ports: number[] = [];
  let routePort = 0;

  /** Starts three NATS servers with the configuration file of the deployment; only addresses and folders differ. */
  beforeAll(async () => {
    const text = readFileSync(join(COMPOSE_FOLDER, 'nats/nats.conf'), 'utf8');
    execFileSync(process.execPath, [join(COMPOSE_FOLDER, 'make-secrets.mjs'), secrets]);
    copyFileSync(join(COMPOSE_FOLDER, '../nats/authorization.conf'), join(folder, 'authorization.conf'));
    const routes = [await freePort(), await freePort(), await freePort()];
    const passwords = routes.reduce(
      (conf, route, i) => conf.replace(`nats-${i + 1}:6222`, `127.0.0.1:${route}`),
      readFileSync(join(secrets, 'nats_passwords'), 'utf8'),
    );
    writeFileSync(join(folder, 'passwords.conf'), passwords);
    [, routePort = 0] = routes;
    for (const n of [1, 2, 3]) {
      const port = await freePort();
      const store = join(folder, `nats-${n}`);
      mkdirSync(store);
      const own = text
        .replace('0.0.0.0:4222', `127.0.0.1:${port}`)
        .replace('127.0.0.1:8222', `127.0.0.1:${await freePort()}`)
        .replace('0.0.0.0:6222', `127.0.0.1:${routes[n - 1]}`)
        .replace('store_dir: /data', `store_dir: "${store}"`);
      writeFileSync(join(folder, `nats-${n}.conf`), own);
      const args = ['--config', join(folder, `nats-${n}.conf`), '--name', `nats-${n}`];
      servers.push(spawn(await natsExecutable(), args, { stdio: 'ignore' }));
      ports.push(port);
    }
  }, 120_000);
  afterAll(() => {
    for (const server of servers) server.kill('SIGKILL');
  });

  /** Connects to the NATS servers as a NATS user, with the password from the user's secret file. */
  const connect = (user: string) => {
    const password = readFileSync(join(secrets, `nats_${user}_password`), 'utf8');
    const servers = ports.map((port) => `nats://127.0.0.1:${port}`);
    return retryUntilElected(() => connectStream({ servers, user, password }, 'compose-test'));
  };

  test('a server with a wrong password cannot join the cluster', async () => {
    const response = await eventually('a server of the cluster responds', () =>
      joinWithWrongPassword(routePort),
    );
    expect(response).toMatch(/Authorization (Violation|Timeout)/);
  });

  test('the stream is on all servers, the services accept its settings, and it works without one server', async () => {
    const stream = await connect('operator');
    const webhooks = await connect('webhooks');
    const claims = await connect('claims');
    try {
      const manager = async () => jetstreamManager(stream.connection, { timeout: 2_000 });
      const config: typeof STREAM_SETTINGS & { num_replicas: number } = JSON.parse(
        readFileSync(join(COMPOSE_FOLDER, 'nats/stream.json'), 'utf8'),
      );
      const add = async () => (await manager()).streams.add(config);
      await retryUntilElected(add);
      await ensureStream(webhooks);
      const { config: created, cluster } = await (await manager()).streams.info(STREAM);
      expect(created).toMatchObject({ ...STREAM_SETTINGS, num_replicas: 3 });
      const publish = (id: string) =>
        retryUntilElected(() =>
          claims.js.publish('carecover.events.claims.claim.submitted', '{}', { msgID: id }),
        );
      await publish('evt_1');
      const leader = Number((cluster?.leader ?? '').replace('nats-', ''));
      servers[leader - 1]?.kill('SIGKILL');
      await publish('evt_2');
      const { state } = await retryUntilElected(async () => (await manager()).streams.info(STREAM));
      expect(state.messages).toBe(2);
    } finally {
      for (const each of [stream, webhooks, claims]) await each.close();
    }
  }, 120_000);
});

/** Repeats `work` while the NATS cluster starts and elects its leader. @throws the error of the last attempt */
async function retryUntilElected<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(200);
    }
  }
}

describe('the check by which a container or a pod of NATS is restarted', () => {
  /** Starts a NATS server with these further lines of configuration, and returns the exit status of the check. */
  async function check(configuration: string, store: string): Promise<number | null> {
    const [port, monitor] = [await freePort(), await freePort()];
    const file = join(folder, 'checked.conf');
    writeFileSync(file, `listen: 127.0.0.1:${port}\nhttp: 127.0.0.1:${monitor}\n${configuration}`);
    const server = spawn(await natsExecutable(), ['--config', file], { stdio: 'ignore' });
    try {
      const health = `http://127.0.0.1:${monitor}/healthz`;
      await eventually('it responds', async () => (await fetch(health).catch(() => null))?.ok);
      return runCheck(monitor, store);
    } finally {
      server.kill('SIGKILL');
    }
  }

  const runCheck = (monitor: number, store: string) =>
    spawnSync('sh', [join(COMPOSE_FOLDER, '../nats/check-writes.sh')], {
      env: { ...process.env, NATS_MONITOR_PORT: String(monitor), NATS_STORE: store },
    }).status;

  test('fails if JetStream is disabled and the disk has space', async () => {
    expect(await check('', folder)).toBe(1);
  });

  test('succeeds while the disk is full, because a restart would not help', async () => {
    // This file system has no free space.
    expect(await check('', '/proc')).toBe(0);
  });

  test('succeeds if JetStream is enabled, and while the server does not respond', async () => {
    expect(await check(`jetstream { store_dir: "${join(folder, 'checked')}" }`, folder)).toBe(0);
    expect(runCheck(await freePort(), folder)).toBe(0);
  });

  test('is the health check of each container, which ends a server that must be restarted', () => {
    for (const name of ['nats-1', 'nats-2', 'nats-3']) {
      const { healthcheck, configs = [] } = readComposeFile().services[name] ?? {};
      expect(configs).toContainEqual({ source: 'nats_check_writes', target: '/check-writes.sh' });
      expect(healthcheck?.test).toContain(
        'sh /check-writes.sh || kill 1; wget -q -O /dev/null http://127.0.0.1:8222/healthz',
      );
    }
  });
});

test("Temporal's namespace is set up with every search attribute, and a second run changes nothing", async () => {
  const temporal = await startDevTemporal();
  const connection = await Connection.connect({ address: temporal.address });
  try {
    const setUp = async () => {
      let written = '';
      const write = (text: string) => {
        written += text;
      };
      const context = {
        env: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'fresh' },
        output: { write },
        progress: process.stderr,
        readInput: async () => '',
        catchStop: () => new AbortController().signal,
      };
      expect([await runCommandLine(['temporal', 'setup', '--json'], context, write), written]).toEqual([
        0,
        `${JSON.stringify({ namespace: 'fresh', search_attributes: Object.keys(indexedValueTypes()) })}\n`,
      ]);
      return connection.operatorService.listSearchAttributes({ namespace: 'fresh' });
    };
    const first = await setUp();
    expect(first.customAttributes).toEqual(indexedValueTypes());
    expect(await setUp()).toEqual(first);
  } finally {
    await connection.close();
    await temporal.stop();
  }
}, 120_000);

test('Temporal accepts every setting of its dynamic configuration, and rejects an unknown one', async () => {
  const executable = await temporalExecutable();
  const validate = (file: string) => promisify(execFile)(executable, ['validate-dynamic-config', file]);
  const deployed = join(COMPOSE_FOLDER, 'temporal/dynamic-config.yaml');
  const local = join(folder, 'local.yaml');
  writeFileSync(local, dynamicConfig());
  const wrong = join(folder, 'wrong.yaml');
  writeFileSync(wrong, 'history.maxInFlightUpdate: [{ value: 200 }]');
  await validate(deployed);
  await validate(local);
  await expect(validate(wrong)).rejects.toThrow(/maxInFlightUpdate/i);
});

/** Connects as a NATS server with a wrong password. Returns the response; undefined if no server listens on the port yet. */
async function joinWithWrongPassword(port: number): Promise<string | undefined> {
  const socket = connectSocket(port, '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk.toString();
  });
  socket.on('error', () => undefined);
  socket.write('CONNECT {"name":"nats-4","cluster":"carecover","user":"server","pass":"guessed"}\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return response === '' ? undefined : response;
}
