/** Starts and supervises the servers of a stack: PostgreSQL, NATS, Temporal on PostgreSQL, and Temporal's UI. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { showProgress } from '../process/progress.cjs';
import type { Children } from './children';
import type { Home } from './home';
import { createStream, findNatsFault, startNats } from './nats';
import { initCluster, startPostgres } from './postgres';
import type { Secrets } from './secrets';
import { Supervised } from './supervised';
import { startTemporal, startTemporalUi, TEMPORAL_DATABASES } from './temporal';
import type { TemporalPorts } from './temporal-config';
import { natsExecutable, temporalExecutable } from './toolchain';

/** Maximum number of connections that PostgreSQL accepts: enough for the pools of three replicas of each service, and for Temporal. */
const MAX_CONNECTIONS = '400';

export interface ServerPorts {
  postgresql: number;
  nats: number;
  natsMonitor: number;
  temporal: TemporalPorts;
  temporalUi: number;
}

export interface Servers {
  postgresql: Supervised;
  nats: Supervised;
  temporal: Supervised;
  temporalUi: Supervised;
}

/**
 * Starts all servers of a stack, and waits until PostgreSQL and NATS respond. Builds missing executables first, that of Temporal beside the
 * other servers, because no command needs Temporal.
 *
 * @returns the servers; and a promise that is resolved when Temporal and its UI respond, or rejected with a StartFailure
 */
export async function startServers(options: {
  children: Children;
  home: Home;
  ports: ServerPorts;
  secrets: Secrets;
  print: (line: string) => void;
}): Promise<{ readonly servers: Servers; readonly temporalStarted: Promise<void> }> {
  const { children, home, ports, secrets, print } = options;
  const adminPassword = secrets.postgresAdmin;
  // NATS first: builds run one after the other, and the services need NATS.
  const natsServer = await natsExecutable();
  const temporalServer = temporalExecutable();
  // Prevents an unhandled rejection: the executable is awaited when Temporal starts.
  temporalServer.catch(() => undefined);
  if (!existsSync(home.postgresql)) {
    await showProgress('creating a new database', () =>
      initCluster(home.postgresql, { auth: 'scram-sha-256', password: adminPassword }),
    );
  }
  const log = (name: string) => join(home.logs, `${name}.log`);
  const servers = {
    postgresql: new Supervised(
      'postgresql',
      () =>
        startPostgres({
          children,
          dataFolder: home.postgresql,
          logFile: log('postgresql'),
          port: ports.postgresql,
          password: adminPassword,
          settings: { max_connections: MAX_CONNECTIONS },
        }),
      print,
    ),
    nats: new Supervised(
      'nats',
      () =>
        startNats({
          children,
          executable: natsServer,
          folder: home.nats,
          logFile: log('nats'),
          port: ports.nats,
          monitorPort: ports.natsMonitor,
          passwords: secrets.nats,
        }),
      print,
      () => findNatsFault({ folder: home.nats, monitorPort: ports.natsMonitor }),
    ),
    temporal: new Supervised(
      'temporal',
      async () =>
        startTemporal({
          children,
          executable: await temporalServer,
          folder: home.temporal,
          logFile: log('temporal'),
          ports: ports.temporal,
          database: {
            port: ports.postgresql,
            adminPassword,
            password: secrets.temporal,
            names: TEMPORAL_DATABASES,
          },
        }),
      print,
    ),
    temporalUi: new Supervised(
      'temporal-ui',
      async () =>
        startTemporalUi({
          children,
          executable: await temporalServer,
          logFile: log('temporal-ui'),
          port: ports.temporalUi,
          temporalAddress: `127.0.0.1:${ports.temporal.frontend.grpc}`,
        }),
      print,
    ),
  };
  const databaseStarted = servers.postgresql.start();
  const startTemporalOnDatabase = async () => {
    await temporalServer;
    await showProgress('starting Temporal', () =>
      Promise.all([databaseStarted.then(() => servers.temporal.start()), servers.temporalUi.start()]),
    );
  };
  const temporalStarted = startTemporalOnDatabase();
  // Prevents an unhandled rejection: the calling code awaits the promise later, or stops the stack.
  temporalStarted.catch(() => undefined);
  await showProgress('starting PostgreSQL and NATS', () =>
    Promise.all([
      databaseStarted,
      servers.nats
        .start()
        .then(() => createStream({ ports: [ports.nats], password: secrets.nats.operator, replicas: 1 })),
    ]),
  );
  return { servers, temporalStarted };
}
