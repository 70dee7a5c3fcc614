/** Starts real servers for a test suite, each in a folder of its own and on a free port. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Child } from '@carecover/local/children';
import { NATS_USERS, type NatsUser, startNats } from '@carecover/local/nats';
import { freePort } from '@carecover/local/ports';
import { createRunFolder, type RunFolder } from '@carecover/local/run-folder';
import { startTemporalUi } from '@carecover/local/temporal';
import { clusterUrlAt, startCluster } from '@carecover/local/test-cluster';
import { natsExecutable, temporalExecutable, temporalTestServerExecutable } from '@carecover/local/toolchain';
import { indexedValueTypes } from '@carecover/setup/temporal-namespace';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { clusterUrl, withDatabase } from './database';
import {
  createTemporalDatabases,
  dropTemporalDatabases,
  freeTemporalPorts,
  startTemporalOn,
} from './temporal-databases';

export interface TestServer {
  readonly pid: number;
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>;
  /** Kills the server with SIGKILL, which simulates a crash. */
  kill(): Promise<void>;
  /** Stops the server if it runs, and starts it again on the same port and folder. */
  restart(): Promise<void>;
}

export interface TestNats extends TestServer {
  readonly url: string;
  /** Returns the connection options of a NATS user. Tests use `operator` to read, publish and delete messages. */
  access(user: NatsUser): {
    readonly servers: readonly string[];
    readonly user: string;
    readonly password: string;
  };
}

/**
 * Starts a NATS server with JetStream, and with the users and permissions of a deployment.
 *
 * @param wrap returns the program that is started instead of the executable, such as that of `limitFiles`
 */
export async function startTestNats(
  wrap: (folder: string, executable: string) => Promise<string> = async (_folder, executable) => executable,
): Promise<TestNats> {
  const executable = await natsExecutable();
  const [port, monitorPort] = [await freePort(), await freePort()];
  const url = `nats://127.0.0.1:${port}`;
  const passwords = Object.fromEntries(
    NATS_USERS.map((user) => [user, `${user}-${randomBytes(16).toString('hex')}`]),
  ) as Record<NatsUser, string>;
  const server = await startTestServer(async (run) => {
    const logFile = join(run.path, 'nats.log');
    return startNats({
      ...{ children: run.children, executable: await wrap(run.path, executable), folder: run.path, logFile },
      ...{ port, monitorPort, passwords },
    });
  });
  return Object.assign(server, {
    url,
    access: (user: NatsUser) => ({ servers: [url], user, password: passwords[user] }),
  });
}

/** Starts a PostgreSQL cluster for a suite that kills its server. Committed data survives. */
export async function startTestPostgres(): Promise<TestServer & { readonly cluster: string }> {
  const port = await freePort();
  const server = await startTestServer((run) => startCluster(run, port));
  return Object.assign(server, { cluster: clusterUrlAt(port) });
}

/**
 * Starts a Temporal server that runs in real time, with databases of its own in the cluster of the test run. `visibilityUrl` is the
 * address of the database with its list of workflows.
 */
export async function startDevTemporal(): Promise<
  TestServer & { readonly address: string; readonly visibilityUrl: string }
> {
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
    visibilityUrl: withDatabase(clusterUrl(), names.visibility),
    stop: async () => {
      await server.stop();
      await dropTemporalDatabases(names);
    },
  };
}

/** Starts Temporal's UI for the server at this address. */
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
 * Starts Temporal's time-skipping server and a client. All workflows of a server share its clock: run tests one after the other, with
 * unique workflow IDs and task queues, and call `teardown` at the end.
 */
export async function startTimeSkippingTemporal(): Promise<TestWorkflowEnvironment> {
  const environment = await createTimeSkipping(await temporalTestServerExecutable());
  await environment.connection.operatorService.addSearchAttributes({
    namespace: environment.namespace ?? 'default',
    searchAttributes: indexedValueTypes(),
  });
  return environment;
}

/**
 * Maximum number of attempts to start the server. The SDK waits five seconds for the server, whose start can take longer on a busy
 * machine.
 */
const MAX_START_ATTEMPTS = 5;

async function createTimeSkipping(path: string): Promise<TestWorkflowEnvironment> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      if (attempt === MAX_START_ATTEMPTS || !String(error).includes('did not start within')) throw error;
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
