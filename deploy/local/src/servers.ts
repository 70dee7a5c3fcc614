/** The servers under the services, each kept running: PostgreSQL, NATS and Temporal, with their data in the stack's folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Children } from './children';
import type { Home } from './home';
import { startNats } from './nats';
import { initCluster, startPostgres } from './postgres';
import { showing } from './progress';
import { Supervised } from './supervised';
import { startTemporal } from './temporal';
import { natsExecutable, temporalExecutable } from './toolchain';

/** Room for the pools of three replicas of every service. */
const MAX_CONNECTIONS = '400';

export interface ServerPorts {
  postgresql: number;
  nats: number;
  temporal: number;
  temporalUi: number;
}

export interface Servers {
  postgresql: Supervised;
  nats: Supervised;
  temporal: Supervised;
}

/** Starts all three, building first what isn't there yet, and waits until they answer. */
export async function startServers(options: {
  children: Children;
  home: Home;
  ports: ServerPorts;
  adminPassword: string;
  print: (line: string) => void;
}): Promise<Servers> {
  const { children, home, ports, adminPassword, print } = options;
  // One after the other: each build takes all processors.
  const natsServer = await natsExecutable();
  const temporalServer = await temporalExecutable();
  if (!existsSync(home.postgresql)) {
    await showing('making a new database', () =>
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
        }),
      print,
    ),
    temporal: new Supervised(
      'temporal',
      () =>
        startTemporal({
          children,
          executable: temporalServer,
          databaseFile: home.temporal,
          logFile: log('temporal'),
          port: ports.temporal,
          uiPort: ports.temporalUi,
        }),
      print,
    ),
  };
  await showing('starting PostgreSQL, NATS and Temporal', () =>
    Promise.all(Object.values(servers).map((server) => server.start())),
  );
  return servers;
}
