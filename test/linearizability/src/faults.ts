/**
 * Faults of a stack, one at a time: processes that are killed or suspended, and connections to servers that are delayed, partitioned or
 * reset. Faults of a cluster: nodes that are killed or suspended, and promotions of a standby of PostgreSQL.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { freeze, type NetworkLink, startNetworkLink, type TestCluster } from '@carecover/testing/servers';
import type { RunningWorld } from '@carecover/testing/stack';
import type { History } from './history';

const ALL = ['postgresql', 'temporal', 'nats'] as const;
/** The services whose processes and connections fail, with the servers to which each connects. */
const SERVERS_OF = [
  { service: 'claims', servers: ALL },
  { service: 'benefits', servers: ALL },
  { service: 'payments', servers: ALL },
  { service: 'care', servers: ['postgresql'] },
  { service: 'gateway', servers: ['postgresql'] },
] as const;

/** The network links from each service to each server. Both replicas of a service use the same link. */
export class Network {
  private readonly links = new Map<string, Promise<NetworkLink>>();

  readonly route = async (service: string, server: string, port: number): Promise<number> => {
    const name = `${service} ${server}`;
    const link = this.links.get(name) ?? startNetworkLink(port);
    this.links.set(name, link);
    return (await link).port;
  };

  async link(service: string, server: string): Promise<NetworkLink> {
    const link = await this.links.get(`${service} ${server}`);
    if (link === undefined) throw new Error(`${service} has no path to ${server}`);
    return link;
  }

  async close(): Promise<void> {
    for (const link of this.links.values()) await (await link).close();
  }
}

interface Fault {
  readonly name: string;
  /** Starts the fault, and ends it after its duration. */
  execute(): Promise<void>;
}

const kill = (
  name: string,
  part: { kill(): Promise<void>; start(): Promise<void> },
  durationMs: number,
): Fault => ({
  name: `kill ${name}`,
  execute: async () => {
    await part.kill();
    await sleep(durationMs / 4);
    await part.start();
  },
});

/** @param start suspends the process and returns the function that resumes it */
const suspend = (name: string, start: () => () => void, durationMs: number): Fault => ({
  name: `suspend ${name}`,
  execute: async () => {
    const resume = start();
    await sleep(durationMs);
    resume();
  },
});

/**
 * Lists the faults of a stack with two replicas.
 *
 * @param durationMs how long each fault lasts
 */
export function listFaults({ stack }: RunningWorld, network: Network, durationMs: number): Fault[] {
  const faults: Fault[] = [];
  for (const [index, { service, servers }] of SERVERS_OF.entries()) {
    const replica = index % 2;
    const process = stack.process(service, replica);
    faults.push(
      kill(`${service} ${replica}`, process, durationMs),
      suspend(`${service} ${replica}`, () => freeze(process.pid ?? 0), durationMs),
    );
    for (const server of servers) {
      const path = `${service} to ${server}`;
      const during = (name: string, begin: (link: NetworkLink) => void, resetsAfter = false): Fault => ({
        name: `${name} ${path}`,
        execute: async () => {
          const link = await network.link(service, server);
          begin(link);
          await sleep(durationMs);
          if (resetsAfter) link.reset();
          link.repair();
        },
      });
      faults.push(
        during('delay', (link) => link.delay(100)),
        during('partition', (link) => link.partition()),
        during('partition and reset', (link) => link.partition(), true),
      );
    }
  }
  faults.push(
    kill('postgresql', stack.servers.postgresql, durationMs),
    kill('temporal', stack.servers.temporal, durationMs),
    kill('nats', stack.servers.nats, durationMs),
  );
  return faults;
}

/**
 * Lists the faults of a cluster. The last two lose the primary of PostgreSQL.
 *
 * @param durationMs how long a suspended node stays suspended
 */
export function listClusterFaults(stack: TestCluster['stack'], durationMs: number): Fault[] {
  const withPrimary = (name: string, lose: (primary: string) => unknown): Fault => ({
    name,
    execute: async () => {
      await stack.waitForStandbys();
      await lose(stack.primary);
      await stack.promote();
    },
  });
  const nodes = [...stack.nodes.keys()].filter((name) => name !== stack.primary && name !== 'temporal-ui');
  return [
    ...nodes.flatMap((node) => [
      kill(node, { kill: () => stack.killNode(node), start: () => stack.startNode(node) }, durationMs),
      suspend(node, () => stack.pauseNode(node), durationMs),
    ]),
    withPrimary('kill the primary and promote a standby', (primary) => stack.killNode(primary)),
    withPrimary('suspend the primary and promote a standby', (primary) => stack.pauseNode(primary)),
  ];
}

/** Executes the faults one after the other, with a pause before each, and records them in the history. */
export async function executeFaults(
  faults: readonly Fault[],
  history: History,
  pauseMs: number,
): Promise<void> {
  for (const { name, execute } of faults) {
    await sleep(pauseMs);
    await history.recordFault(name, execute);
  }
}
