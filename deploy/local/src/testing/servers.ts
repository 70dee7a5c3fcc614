/** Real servers for a suite, each in a folder of its own, on a free port, and gone with the suite. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { indexedValueTypes } from '@carecover/setup/temporal-namespace';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Child } from '../children';
import { NATS_USERS, type NatsUser, startNats } from '../nats';
import { freePort } from '../ports';
import { startTemporalUi } from '../temporal';
import { natsExecutable, temporalExecutable, temporalTestServerExecutable } from '../toolchain';
import { createRunFolder, type RunFolder } from './run-folder';
import {
  createTemporalDatabases,
  dropTemporalDatabases,
  freeTemporalPorts,
  startTemporalOn,
} from './temporal-databases';
import { clusterUrlAt, startCluster } from './test-cluster';

export interface TestServer {
  readonly pid: number;
  /** Stops it and deletes its folder. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash does it. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, after stopping it where it still runs. */
  restart(): Promise<void>;
}

export interface TestNats extends TestServer {
  readonly url: string;
  /** What a process needs to connect as this user; `operator` may read, publish and delete whatever a test needs. */
  access(user: NatsUser): {
    readonly servers: readonly string[];
    readonly user: string;
    readonly password: string;
  };
}

/** A NATS server with JetStream and the users of a deployment, each with a password of its own. */
export async function startTestNats(): Promise<TestNats> {
  const executable = await natsExecutable();
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const passwords = Object.fromEntries(
    NATS_USERS.map((user) => [user, `${user}-${randomBytes(16).toString('hex')}`]),
  ) as Record<NatsUser, string>;
  const server = await startTestServer((run) => {
    const logFile = join(run.path, 'nats.log');
    return startNats({ children: run.children, executable, folder: run.path, logFile, port, passwords });
  });
  return Object.assign(server, {
    url,
    access: (user: NatsUser) => ({ servers: [url], user, password: passwords[user] }),
  });
}

/** A PostgreSQL cluster for a suite that kills it: what it committed survives that. */
export async function startTestPostgres(): Promise<TestServer & { readonly cluster: string }> {
  const port = await freePort();
  const server = await startTestServer((run) => startCluster(run, port));
  return Object.assign(server, { cluster: clusterUrlAt(port) });
}

/** A Temporal server in real time, on databases of its own in the run's cluster. */
export async function startDevTemporal(): Promise<TestServer & { readonly address: string }> {
  const executable = await temporalExecutable();
  const names = await createTemporalDatabases(executable);
  const ports = await freeTemporalPorts();
  const server = await startTestServer((run) => startTemporalOn({ run, executable, names, ports }));
  return {
    ...server,
    get pid() {
      return server.pid;
    },
    address: `127.0.0.1:${ports.frontend.grpc}`,
    stop: async () => {
      await server.stop();
      await dropTemporalDatabases(names);
    },
  };
}

/** The UI of the Temporal server at this address. */
export async function startTestTemporalUi(
  temporalAddress: string,
): Promise<TestServer & { readonly url: string }> {
  const executable = await temporalExecutable();
  const port = await freePort();
  const server = await startTestServer((run) => {
    const logFile = join(run.path, 'temporal-ui.log');
    return startTemporalUi({ children: run.children, executable, logFile, port, temporalAddress });
  });
  return Object.assign(server, { url: `http://127.0.0.1:${port}` });
}

/**
 * Temporal's time-skipping server with its client, in a process of its own. Skipping is global to it: run its tests one
 * after the other, with unique workflow ids and queues, and call `teardown` at the end.
 */
export async function startTimeSkippingTemporal(): Promise<TestWorkflowEnvironment> {
  const environment = await createTimeSkipping(await temporalTestServerExecutable());
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: indexedValueTypes(),
  });
  return environment;
}

/** The SDK gives the server five seconds to start, which a busy machine may not. */
const TIME_SKIPPING_STARTS = 5;

async function createTimeSkipping(path: string): Promise<TestWorkflowEnvironment> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      if (attempt === TIME_SKIPPING_STARTS || !String(error).includes('did not start within')) throw error;
    }
  }
}

async function startTestServer(start: (run: RunFolder) => Promise<Child>): Promise<TestServer> {
  const run = await createRunFolder();
  let child: Child;
  try {
    child = await start(run);
  } catch (error) {
    await run.children.close();
    throw error;
  }
  return {
    get pid() {
      return child.pid;
    },
    stop: () => run.children.close(),
    kill: async () => {
      await child.kill();
    },
    restart: async () => {
      if (child.running()) await child.stop();
      child = await start(run);
    },
  };
}
