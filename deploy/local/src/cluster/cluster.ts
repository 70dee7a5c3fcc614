/**
 * Runs a cluster on one machine, as processes on loopback ports: Temporal's roles as separate nodes, three NATS servers, a PostgreSQL
 * primary with two standbys, and two processes of each service and role (decision 0033).
 */
import { basename, join } from 'node:path';
import { promoteWorkers } from '@carecover/setup/worker-versions';
import { showProgress } from '../../process/progress.cjs';
import { StartFailure } from '../failure';
import { readIfExists, writeAtomically } from '../files';
import { REPOSITORY } from '../home';
import { createStream, findNatsFault, startNats } from '../nats';
import { freeze } from '../process-tree';
import { ensureSecrets, type Secrets } from '../secrets';
import { INNER_SERVICES, type ServerName } from '../services';
import { Stack } from '../stack';
import type { StackPorts } from '../stack-ports';
import { Supervised } from '../supervised';
import {
  NAMESPACE,
  prepareTemporal,
  startTemporalNode,
  startTemporalUi,
  TEMPORAL_DATABASES,
  type TemporalOptions,
  waitForNamespace,
} from '../temporal';
import { TEMPORAL_SERVICES, type TemporalPorts, type TemporalService } from '../temporal-config';
import { natsExecutable, temporalExecutable } from '../toolchain';
import { Balancer, grpcCheck, httpCheck } from './balancer';
import { PostgresGroup } from './postgres-group';
import { migrateWith } from './release';

/** The number of processes of each service and role. */
export const REPLICAS = 2;
export const TEMPORAL_NODES: Readonly<Record<TemporalService, number>> = {
  frontend: 2,
  history: 2,
  matching: 2,
  worker: 1,
};
export const SHARDS = 128;
export const NATS_SERVERS = 3;
export const POSTGRESQL_SERVERS = 3;
/**
 * How many milliseconds a stopping process still accepts requests: longer than the balancer needs to detect that the process is not
 * ready.
 */
export const DRAIN_MS = 2_000;
/**
 * Milliseconds between SIGTERM and SIGKILL, as in the chart, so that a process that an upgrade stops completes every request that it
 * accepted.
 */
export const GRACE_MS = 45_000;

/**
 * How many milliseconds an upgrade waits for the end of the workflow runs that are pinned to the old release. It then moves the remaining
 * runs to the new release.
 */
const PINNED_MS = 60_000;

type NodeState = 'running' | 'paused' | 'down';

export interface NodeStatus {
  readonly name: string;
  readonly state: NodeState;
  readonly pid: number | null;
  /** Whether this is the primary of PostgreSQL. */
  readonly isPrimary: boolean;
}

interface ClusterPorts {
  readonly gateway: number;
  readonly postgresql: readonly number[];
  readonly nats: readonly { readonly client: number; readonly cluster: number; readonly monitor: number }[];
  readonly temporal: readonly {
    readonly name: string;
    readonly service: TemporalService;
    readonly ports: TemporalPorts;
  }[];
}

const natsName = (index: number) => `nats-${index + 1}`;

/**
 * Groups processes into the steps of an upgrade, with at most one replica of each process per step. The steps are in the order workers,
 * servers, gateways, so that a process is upgraded before the processes that call its new operations.
 */
function upgradeSteps(nodes: readonly Supervised[]): Supervised[][] {
  const rank = (name: string) => (name.startsWith('gateway') ? 2 : name.includes('-worker-') ? 0 : 1);
  const steps = new Map<string, Supervised[]>();
  for (const node of nodes) {
    const step = `${rank(node.name)}-${/\d+$/.exec(node.name)?.[0] ?? 1}`;
    steps.set(step, [...(steps.get(step) ?? []), node]);
  }
  return [...steps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step);
}

export class Cluster extends Stack {
  private ports: ClusterPorts | undefined;
  private readonly balancers: Balancer[] = [];
  private group: PostgresGroup | undefined;
  private readonly serverNodes = new Map<string, Supervised>();
  /** The functions that resume paused nodes, by the nodes' names. */
  private readonly paused = new Map<string, () => void>();
  private isUpgrading = false;
  protected override readonly drainMs = DRAIN_MS;
  protected override readonly graceMs = GRACE_MS;

  /** The processes that can be killed and paused, by name. */
  get nodes(): ReadonlyMap<string, Supervised> {
    return new Map([...this.serverNodes, ...this.processes]);
  }

  /** The name of PostgreSQL's primary. */
  get primary(): string {
    return this.requireGroup().primary;
  }

  override get database(): Supervised {
    return this.node(this.primary);
  }

  protected override processesOfServer(server: ServerName): Supervised[] {
    if (server === 'postgresql') return [this.database];
    const { nats, temporal } = this.requirePorts();
    const names =
      server === 'nats' ? nats.map((_, index) => natsName(index)) : temporal.map(({ name }) => name);
    return names.map((name) => this.node(name));
  }

  node(name: string): Supervised {
    const found = this.nodes.get(name);
    if (found !== undefined) return found;
    throw new StartFailure(`There is no node ${name}: the nodes are ${[...this.nodes.keys()].join(', ')}.`);
  }

  status(): NodeStatus[] {
    return [...this.nodes].map(([name, { pid }]) => ({
      name,
      state: pid === undefined ? 'down' : this.paused.has(name) ? 'paused' : 'running',
      pid: pid ?? null,
      isPrimary: name === this.group?.primary,
    }));
  }

  /** Kills a node with SIGKILL. The node is not restarted until {@link startNode} is called. */
  async killNode(name: string): Promise<void> {
    await this.node(name).kill();
    this.paused.delete(name);
  }

  /** Starts a node that was killed. */
  async startNode(name: string): Promise<void> {
    const node = this.node(name);
    if (node.pid === undefined) await node.start();
  }

  /** Suspends a node with SIGSTOP. Returns a function that resumes it. */
  pauseNode(name: string): () => void {
    const { pid } = this.node(name);
    if (pid === undefined) throw new StartFailure(`${name} does not run.`);
    if (this.paused.has(name)) throw new StartFailure(`${name} is already paused.`);
    const resume = freeze(pid);
    const resumeOnce = () => {
      // A promotion of a standby restarts the old primary under the same name, and the new process can be paused too. So the entry is
      // deleted only if it belongs to the pause that ends here.
      if (this.paused.get(name) === resumeOnce) this.paused.delete(name);
      resume();
    };
    this.paused.set(name, resumeOnce);
    return resumeOnce;
  }

  /** Promotes a standby of PostgreSQL. Returns the name of the new primary. */
  async promote(): Promise<string> {
    const old = this.primary;
    const promoted = await this.requireGroup().promote();
    this.paused.delete(old);
    return promoted;
  }

  /** Resolves when both standbys of PostgreSQL are connected to the primary and receive its changes. */
  waitForStandbys(): Promise<void> {
    return this.requireGroup().waitUntilStreaming(POSTGRESQL_SERVERS - 1);
  }

  /**
   * Replaces every process of the services and of the console by a process of another release, one replica of each at a time while the
   * others respond. Workers of both releases run side by side until the workflow runs that are pinned to the old release have ended or
   * {@link PINNED_MS} have passed. The migrations of the new release run first: they only expand the schema, so both releases work with it.
   *
   * @param release folder of a built release; default: this clone
   * @throws StartFailure if a process of a service or the console is down or paused, or if another upgrade runs
   */
  async upgrade(release = REPOSITORY): Promise<void> {
    const missing = this.status().find(({ name, state }) => this.processes.has(name) && state !== 'running');
    if (missing !== undefined) throw new StartFailure(`${missing.name} is ${missing.state}: start it first.`);
    if (this.isUpgrading) throw new StartFailure('An upgrade runs already.');
    this.isUpgrading = true;
    try {
      const { roles } = await ensureSecrets(this.home.secrets);
      await migrateWith(release, {
        adminUrl: this.file.database_url,
        testClock: this.options.mode === 'test',
        passwords: roles,
      });
      this.release = release;
      const [firstWorkers = [], ...others] = upgradeSteps([...this.processes.values()]);
      const restart = (step: readonly Supervised[]) => Promise.all(step.map((node) => node.restart()));
      await restart(firstWorkers);
      // At this point one worker of each service has the new release. The other worker has the old release, so that the runs that are
      // pinned to the old release can end.
      await this.promoteWorkers(this.file.temporal_address, PINNED_MS);
      for (const step of others) await restart(step);
    } finally {
      this.isUpgrading = false;
    }
  }

  override async stop(): Promise<void> {
    for (const resume of this.paused.values()) resume();
    await super.stop();
    await Promise.all(this.balancers.map((balancer) => balancer.close()));
    this.balancers.length = 0;
  }

  protected override async choosePorts(): Promise<StackPorts> {
    const file = this.home.ports;
    const last = JSON.parse((await readIfExists(file)) ?? '{}') as Record<string, number>;
    const chosen: Record<string, number> = {};
    const choose = async (name: string) => {
      const preferred = last[name] === undefined ? [] : [last[name]];
      const port = await this.chooser.choose({ preferred });
      chosen[name] = port;
      return port;
    };
    const several = async <T>(count: number, make: (number: number) => Promise<T>) => {
      const made: T[] = [];
      for (let number = 1; number <= count; number += 1) made.push(await make(number));
      return made;
    };
    const temporalPorts = async (name: string) => ({
      grpc: await choose(name),
      membership: await choose(`${name}-membership`),
    });
    const nodes: { name: string; service: TemporalService; own: TemporalPorts[TemporalService] }[] = [];
    for (const service of TEMPORAL_SERVICES) {
      for (let number = 1; number <= TEMPORAL_NODES[service]; number += 1) {
        const name = `temporal-${service}-${number}`;
        nodes.push({ name, service, own: await temporalPorts(name) });
      }
    }
    const ofFirst = Object.fromEntries(
      TEMPORAL_SERVICES.map((service) => [service, nodes.find((node) => node.service === service)?.own]),
    ) as TemporalPorts;
    const inner = {} as StackPorts['inner'];
    const workers = {} as StackPorts['inner'];
    for (const service of INNER_SERVICES) {
      inner[service] = await several(REPLICAS, (number) => choose(`${service}-server-${number}`));
      workers[service] = await several(REPLICAS, (number) => choose(`${service}-worker-${number}`));
    }
    const gateways = await several(REPLICAS, async (number) => ({
      port: await choose(`gateway-${number}`),
      healthPort: await choose(`gateway-health-${number}`),
      operatorPort: await choose(`gateway-operator-${number}`),
    }));
    this.ports = {
      gateway: await choose('balancer-gateway'),
      postgresql: await several(POSTGRESQL_SERVERS, (number) => choose(`postgresql-${number}`)),
      nats: await several(NATS_SERVERS, async (number) => ({
        client: await choose(`nats-${number}`),
        cluster: await choose(`nats-${number}-cluster`),
        monitor: await choose(`nats-${number}-monitor`),
      })),
      temporal: nodes.map(({ name, service, own }) => ({
        name,
        service,
        ports: { ...ofFirst, [service]: own },
      })),
    };
    const frontend = { ...ofFirst.frontend, grpc: await choose('balancer-temporal') };
    const ports: StackPorts = {
      console: await choose('console'),
      consoleHealth: await choose('console-health'),
      identityProvider: await choose('identity-provider'),
      servers: {
        postgresql: await choose('balancer-postgresql'),
        nats: chosen['nats-1'] ?? 0,
        natsMonitor: chosen['nats-1-monitor'] ?? 0,
        temporal: { ...ofFirst, frontend },
        temporalUi: await choose('temporal-ui'),
      },
      inner,
      workers,
      gateways,
    };
    await writeAtomically(file, JSON.stringify({ ...last, ...chosen }, null, 2));
    return ports;
  }

  protected override async startServers(ports: StackPorts, secrets: Secrets): Promise<void> {
    const [natsServer, temporalServer] = await Promise.all([natsExecutable(), temporalExecutable()]);
    await this.balanceGateways(ports);
    await showProgress('starting three PostgreSQL and three NATS servers', () =>
      Promise.all([this.startPostgres(ports, secrets), this.startNatsServers(natsServer, secrets)]),
    );
    await showProgress('starting the nodes of Temporal', () =>
      this.startTemporalNodes(temporalServer, ports, secrets),
    );
  }

  /**
   * Returns the build ID of the workers: `clone` for the release in this clone, otherwise the commit's hash, which is the name of the
   * release's folder.
   */
  protected override buildId(): string {
    return this.release === REPOSITORY ? 'clone' : basename(this.release);
  }

  /**
   * Makes the release that has just been started the current version of every worker deployment, because without a current version no
   * worker receives a task. Moves runs that are pinned to another release, which an earlier start used, to this release.
   */
  protected override async afterServicesStarted(ports: StackPorts): Promise<void> {
    await this.promoteWorkers(this.addresses(ports).temporal_address, 0);
  }

  protected override supervised(): Supervised[] {
    return [...this.nodes.values()];
  }

  protected override addresses(ports: StackPorts) {
    const { gateway, nats } = this.requirePorts();
    const url = `https://127.0.0.1:${gateway}/v1`;
    return {
      ...super.addresses(ports),
      base_url: url,
      base_urls: [url],
      nats_url: nats.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    };
  }

  private async promoteWorkers(temporalAddress: string, waitMs: number): Promise<void> {
    const settings = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: NAMESPACE };
    await promoteWorkers(settings, this.buildId(), waitMs);
  }

  private requirePorts(): ClusterPorts {
    if (this.ports === undefined) throw new Error('The cluster has not been started.');
    return this.ports;
  }

  private requireGroup(): PostgresGroup {
    if (this.group === undefined) throw new StartFailure('The cluster has not been started.');
    return this.group;
  }

  private async listen(port: number): Promise<Balancer> {
    const balancer = await Balancer.listen(port);
    this.balancers.push(balancer);
    return balancer;
  }

  private async balanceGateways(ports: StackPorts): Promise<void> {
    const balancer = await this.listen(this.requirePorts().gateway);
    balancer.setTargets(
      ports.gateways.map(({ port, healthPort }) => ({ port, check: httpCheck(healthPort) })),
    );
  }

  private async startPostgres(ports: StackPorts, secrets: Secrets): Promise<void> {
    const primaryPort = ports.servers.postgresql;
    this.group = new PostgresGroup({
      children: this.children,
      folder: this.home.folder,
      logs: this.home.logs,
      ports: this.requirePorts().postgresql,
      primaryPort,
      balancer: await this.listen(primaryPort),
      passwords: { admin: secrets.postgresAdmin, betweenServers: secrets.betweenServers },
      print: this.options.print,
    });
    for (const { name, supervised } of this.group.members) this.serverNodes.set(name, supervised);
    await this.group.start();
  }

  private async startNatsServers(executable: string, secrets: Secrets): Promise<void> {
    const { nats } = this.requirePorts();
    const servers = nats.map(({ client, cluster, monitor }, index) => {
      const name = natsName(index);
      const folder = join(this.home.folder, name);
      const routes = nats.filter((other) => other.cluster !== cluster).map((other) => other.cluster);
      const start = () =>
        startNats({
          children: this.children,
          name,
          executable,
          folder,
          logFile: join(this.home.logs, `${name}.log`),
          port: client,
          monitorPort: monitor,
          passwords: secrets.nats,
          cluster: { port: cluster, routes, password: secrets.betweenServers },
        });
      const findFault = () => findNatsFault({ folder, monitorPort: monitor });
      const node = new Supervised(name, start, this.options.print, findFault);
      this.serverNodes.set(name, node);
      return node;
    });
    await Promise.all(servers.map((server) => server.start()));
    await createStream({
      ports: nats.map(({ client }) => client),
      password: secrets.nats.operator,
      replicas: NATS_SERVERS,
    });
  }

  private async startTemporalNodes(executable: string, ports: StackPorts, secrets: Secrets): Promise<void> {
    const { temporal: nodes } = this.requirePorts();
    const balanced = `127.0.0.1:${ports.servers.temporal.frontend.grpc}`;
    const optionsOf = (name: string, nodePorts: TemporalPorts): TemporalOptions => ({
      children: this.children,
      executable,
      folder: this.home.temporal,
      logFile: join(this.home.logs, `${name}.log`),
      ports: nodePorts,
      shards: SHARDS,
      frontendAddress: balanced,
      database: {
        port: ports.servers.postgresql,
        adminPassword: secrets.postgresAdmin,
        password: secrets.temporal,
        names: TEMPORAL_DATABASES,
      },
    });
    await prepareTemporal(optionsOf('temporal', ports.servers.temporal));
    const frontends = await this.listen(ports.servers.temporal.frontend.grpc);
    frontends.setTargets(
      nodes
        .filter(({ service }) => service === 'frontend')
        .map(({ ports: { frontend } }) => ({ port: frontend.grpc, check: grpcCheck(frontend.grpc) })),
    );
    const [first, ...others] = nodes.map(({ name, service, ports: nodePorts }) => {
      const start = () => startTemporalNode({ ...optionsOf(name, nodePorts), name, service });
      const node = new Supervised(name, start, this.options.print);
      this.serverNodes.set(name, node);
      return node;
    });
    // The first node starts alone, because the first node of a new cluster inserts the cluster's metadata, and fails if another node
    // inserts it first.
    await first?.start();
    const ui = new Supervised(
      'temporal-ui',
      () =>
        startTemporalUi({
          children: this.children,
          executable,
          logFile: join(this.home.logs, 'temporal-ui.log'),
          port: ports.servers.temporalUi,
          temporalAddress: balanced,
        }),
      this.options.print,
    );
    this.serverNodes.set('temporal-ui', ui);
    await Promise.all([...others, ui].map((node) => node.start()));
    await waitForNamespace(balanced);
  }
}
