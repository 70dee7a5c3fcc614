/**
 * Chooses the ports of a stack: those in its settings, otherwise those of its last start, otherwise the default ports, otherwise free
 * ports.
 */
import { readIfExists, writeAtomically } from './files';
import type { PortChooser } from './ports';
import type { ServerPorts } from './servers';
import { INNER_SERVICES, type InnerService } from './services';
import type { LocalSettings, PortSetting } from './settings';
import { TEMPORAL_SERVICES, type TemporalPorts } from './temporal-config';

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  gateway: 8443,
  console: 8080,
  identityProvider: 8081,
  temporal: 7233,
  temporalUi: 8233,
  nats: 4222,
  postgresql: 54_320,
};

const SETTING_OF: Readonly<Record<string, PortSetting>> = {
  gateway: 'CARECOVER_PORT',
  console: 'CARECOVER_CONSOLE_PORT',
  temporal: 'CARECOVER_TEMPORAL_PORT',
  nats: 'CARECOVER_NATS_PORT',
  postgresql: 'CARECOVER_POSTGRES_PORT',
};

export interface StackPorts {
  console: number;
  /** The private port of the console, which serves health and metrics. */
  consoleHealth: number;
  /** The port of the identity provider that the console uses. */
  identityProvider: number;
  servers: ServerPorts;
  inner: Record<InnerService, number[]>;
  /** The health ports of the processes with only the role `worker`; null if each process of a service has both roles. */
  workers: Record<InnerService, number[]> | null;
  gateways: { port: number; healthPort: number; operatorPort: number }[];
}

const portsOfNoService = (): Record<InnerService, number[]> => ({
  care: [],
  benefits: [],
  claims: [],
  payments: [],
  webhooks: [],
});

/**
 * Chooses the ports of a stack and stores them. With `usual: false` the default ports are not chosen, so that a test does not take them
 * from a user's stack.
 *
 * @throws StartFailure if a port in the settings is taken
 */
export async function chooseStackPorts(options: {
  chooser: PortChooser;
  file: string;
  settings: LocalSettings['ports'];
  replicas: number;
  separateWorkers: boolean;
  usual: boolean;
}): Promise<StackPorts> {
  const last = JSON.parse((await readIfExists(options.file)) ?? '{}') as Record<string, number>;
  const chosen: Record<string, number> = {};
  const choose = async (name: string) => {
    const setting = SETTING_OF[name];
    const named = setting === undefined ? null : options.settings[setting];
    const port = await options.chooser.choose({
      setting: setting === undefined || named === null ? undefined : { name: setting, port: named },
      preferred: [last[name], options.usual ? DEFAULT_PORTS[name] : undefined].filter(
        (port) => port !== undefined,
      ),
    });
    chosen[name] = port;
    return port;
  };
  // Ports that settings name are chosen first, so that they are not chosen for another server.
  const isNamed = ([, setting]: readonly [string, PortSetting]) => options.settings[setting] !== null;
  const withSetting = Object.entries(SETTING_OF);
  const inOrder = [...withSetting.filter(isNamed), ...withSetting.filter((each) => !isNamed(each))];
  for (const [name] of inOrder) await choose(name);
  const chosenPort = (name: string) => chosen[name] ?? 0;

  const temporal = {} as TemporalPorts;
  for (const name of TEMPORAL_SERVICES) {
    temporal[name] = {
      grpc: name === 'frontend' ? chosenPort('temporal') : await choose(`temporal-${name}`),
      membership: await choose(`temporal-${name}-membership`),
    };
  }
  const servers = {
    postgresql: chosenPort('postgresql'),
    nats: chosenPort('nats'),
    natsMonitor: await choose('nats-monitor'),
    temporal,
    temporalUi: await choose('temporalUi'),
  };
  const gateways: StackPorts['gateways'] = [];
  const inner = portsOfNoService();
  const workers = options.separateWorkers ? portsOfNoService() : null;
  for (let replica = 0; replica < options.replicas; replica += 1) {
    gateways.push({
      port: replica === 0 ? chosenPort('gateway') : await choose(`gateway-${replica + 1}`),
      healthPort: await choose(`gateway-health-${replica + 1}`),
      operatorPort: await choose(`gateway-operator-${replica + 1}`),
    });
    for (const service of INNER_SERVICES) {
      inner[service].push(await choose(`${service}-${replica + 1}`));
      workers?.[service].push(await choose(`${service}-worker-${replica + 1}`));
    }
  }
  const identityProvider = await choose('identityProvider');
  const consoleHealth = await choose('console-health');
  await writeAtomically(options.file, JSON.stringify({ ...last, ...chosen }, null, 2));
  return {
    servers,
    inner,
    workers,
    gateways,
    console: chosenPort('console'),
    consoleHealth,
    identityProvider,
  };
}
