/**
 * Runs a stack in one folder: starts the servers, migrates the database, starts the services and the gateway, and creates a project. Its
 * processes end together with the process that starts them. The next start uses the data in the folder.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate, type ServiceName } from '@carecover/setup/migrate';
import { startTime } from '../process/identity.cjs';
import { type Lock, tryLock } from '../process/lock.cjs';
import { showProgress } from '../process/progress.cjs';
import { cacheFolder } from './cache';
import { certificateIn } from './certificate';
import { type Child, Children } from './children';
import { ensureSpace, type FreeSpace, freeSpaceOnDisk, MEGABYTE } from './disk';
import { StartFailure } from './failure';
import { readIfExists, writeAtomically } from './files';
import { type Home, homePaths, REPOSITORY } from './home';
import { createProject, type Project } from './operator-tool';
import { PortChooser } from './ports';
import { ADMIN_ROLE, databaseUrl, ensureDatabase } from './postgres';
import { closeContentToOthers, ensurePrivateFolder, markStackFolder } from './private-folder';
import { ProcessGroup } from './process-group';
import { ensureSecrets, type Secrets } from './secrets';
import { type Servers, startServers } from './servers';
import {
  INNER_SERVICES,
  isServerName,
  processName,
  type ServerName,
  type ServiceContext,
  type ServiceProcess,
  startConsole,
  startIdentityProvider,
  startService,
} from './services';
import type { LocalSettings } from './settings';
import type { StackFile } from './stack-file';
import { chooseStackPorts, type StackPorts } from './stack-ports';
import { Supervised } from './supervised';

const DATABASE = 'carecover';
const RUN_BYTES = 500 * MEGABYTE;
const LOG_BYTES = 20 * MEGABYTE;

export interface StackOptions {
  settings: LocalSettings;
  /** Number of replicas of the gateway and of each service; 1 by default. The console has one. */
  replicas?: number;
  /** Whether each service has a server process and a worker process, as in production; by default one process has both roles. */
  separateWorkers?: boolean;
  /** Whether the console and its identity provider run; true by default. */
  console?: boolean;
  /** `local` by default; `test` adds failpoints and a clock that tests can move. */
  mode?: 'local' | 'test';
  /** Whether the stack can use the default ports; true by default. */
  usualPorts?: boolean;
  /** Returns the port through which the processes of a service connect to a server; by default the server's own port. */
  route?: (service: ServiceName, server: ServerName, port: number) => Promise<number>;
  /**
   * Whether the services start while Temporal is still being built or started, because no command needs it; false by default.
   * {@link Stack.temporalStarted} says when it responds.
   */
  temporalInBackground?: boolean;
  /** Settings of all services that differ from those of a stack. */
  serviceSettings?: NodeJS.ProcessEnv;
  /** Whether the folder is deleted when the stack stops or this process is killed; false by default. */
  temporary?: boolean;
  /** A function that prints a line for the user, for example when a process has ended. */
  print: (line: string) => void;
  freeSpace?: FreeSpace;
}

export class Stack {
  readonly home: Home;
  protected readonly children: Children;
  protected readonly chooser = new PortChooser(join(cacheFolder(), 'ports'));
  private lock: Lock | undefined;
  private servers_: Servers | undefined;
  private file_: StackFile | undefined;
  /** Resolved when Temporal and its UI respond; rejected with a StartFailure if they can't be built or started. */
  temporalStarted: Promise<void> = Promise.resolve();
  protected readonly processes = new Map<string, Supervised>();
  /** The folder of the release that a process runs from its next start. */
  protected release = REPOSITORY;
  /**
   * How many milliseconds a stopping process still accepts requests: none, because a stack has no load balancer that would send them to
   * another process.
   */
  protected readonly drainMs: number = 0;
  protected readonly graceMs: number = 4_000;

  constructor(protected readonly options: StackOptions) {
    this.home = homePaths(options.settings.homeFolder);
    const { temporary: deleteFolder = false, print } = options;
    this.children = new Children(this.home.folder, { deleteFolder, print });
  }

  /** The content of stack.json. */
  get file(): StackFile {
    return requireStarted(this.file_);
  }

  get servers(): Servers {
    return requireStarted(this.servers_);
  }

  /** The PostgreSQL server that accepts writes. */
  get database(): Supervised {
    return this.servers.postgresql;
  }

  /** Returns the process that serves the requests of a service's replica. Replicas are counted from 0. */
  process(service: ServiceName, replica = 0): Supervised {
    return requireStarted(this.processesOf(service, replica)[0]);
  }

  /**
   * Returns a server, or all processes of a service, with a replica's number only those of this replica. Tests that use it can run on a
   * cluster too.
   */
  part(name: ServiceName | ServerName, replica?: number): ProcessGroup {
    if (isServerName(name)) return new ProcessGroup(name, this.processesOfServer(name));
    const members =
      replica === undefined
        ? [...this.processes.values()].filter((each) => each.name.split('-')[0] === name)
        : this.processesOf(name, replica);
    if (members.length === 0) throw new Error(`The stack has no such process of ${name}.`);
    return new ProcessGroup(replica === undefined ? name : `${name} ${replica + 1}`, members);
  }

  /** Returns the processes of a service's replica: the server and the worker, or one process with both roles. */
  private processesOf(service: ServiceName, replica: number): Supervised[] {
    const roles = [undefined, 'server', 'worker'] as const;
    return roles.flatMap((role) => this.processes.get(processName({ service, replica, role })) ?? []);
  }

  /** Returns the processes that are together a server. Of PostgreSQL's servers, only the one that accepts writes. */
  protected processesOfServer(name: ServerName): Supervised[] {
    return [this.servers[name]];
  }

  /** Starts the stack. @throws StartFailure for a problem that the user can fix; the calling code must then call {@link stop} too */
  async start(): Promise<StackFile> {
    const { ports, secrets, adminUrl } = await this.startServersWithDatabase();
    await this.startServices(ports, secrets);
    await this.afterServicesStarted(ports);
    const project = await this.ensureProject(adminUrl);
    this.file_ = {
      ...this.addresses(ports),
      nats_password: secrets.nats.operator,
      secret_key: project.secret_key,
      project_id: project.project_id,
      database_url: adminUrl,
      pid: process.pid,
      started: startTime(process.pid) ?? '',
    };
    await writeAtomically(this.home.stack, `${JSON.stringify(this.file_, null, 2)}\n`);
    return this.file_;
  }

  /**
   * Starts the servers, and creates the databases, the secrets and the project without starting the services, so that a later start takes
   * less time. The calling code must then call {@link stop}. Returns the connection URL of the services' database as the administrator.
   */
  async prepare(): Promise<string> {
    const { adminUrl } = await this.startServersWithDatabase();
    await this.ensureProject(adminUrl);
    return adminUrl;
  }

  /** Starts PostgreSQL, NATS and Temporal, and migrates the database of the services. */
  private async startServersWithDatabase(): Promise<{
    ports: StackPorts;
    secrets: Secrets;
    adminUrl: string;
  }> {
    const { home } = this;
    ensurePrivateFolder(home);
    this.lock = takeLock(home);
    rmSync(home.stack, { force: true });
    await showProgress('stopping processes of an earlier start', () => this.children.stopLeftovers());
    closeContentToOthers(home.folder);
    await ensureSpace(home.folder, RUN_BYTES, 'run the stack', this.options.freeSpace ?? freeSpaceOnDisk);
    markStackFolder(home);
    mkdirSync(home.logs, { recursive: true });
    for (const name of readdirSync(home.logs)) if (name.endsWith('.log')) rotate(join(home.logs, name));

    const ports = await this.choosePorts();
    const secrets = await ensureSecrets(home.secrets);
    await this.startServers(ports, secrets);
    return { ports, secrets, adminUrl: await this.prepareDatabase(ports, secrets) };
  }

  /** Stops the stack within ten seconds. Can be called while the stack starts. */
  async stop(): Promise<void> {
    if (this.lock === undefined) return;
    for (const supervised of this.supervised()) supervised.disableRestart();
    await this.children.close();
    await rm(this.home.stack, { force: true });
    this.chooser.release();
    this.lock.release();
    this.lock = undefined;
  }

  protected choosePorts(): Promise<StackPorts> {
    const { replicas = 1, separateWorkers = false, usualPorts = true, settings } = this.options;
    return chooseStackPorts({
      chooser: this.chooser,
      file: this.home.ports,
      settings: settings.ports,
      replicas,
      separateWorkers,
      usual: usualPorts,
    });
  }

  /** Starts PostgreSQL and NATS, and Temporal before or beside the services. */
  protected async startServers({ servers: ports }: StackPorts, secrets: Secrets): Promise<void> {
    const { children, home } = this;
    const { print, temporalInBackground } = this.options;
    const started = await startServers({ children, home, ports, secrets, print });
    this.servers_ = started.servers;
    this.temporalStarted = started.temporalStarted;
    if (temporalInBackground !== true) await started.temporalStarted;
  }

  /** Returns the processes of the services to start. */
  private serviceProcesses(ports: StackPorts): ServiceProcess[] {
    const { inner, workers } = ports;
    const ofRole = (role: ServiceProcess['role'], portsOf: StackPorts['inner']) =>
      INNER_SERVICES.flatMap((service) =>
        portsOf[service].map((port, replica) => ({ service, replica, port, healthPort: port, role })),
      );
    return [
      ...(workers === null
        ? ofRole(undefined, inner)
        : [...ofRole('server', inner), ...ofRole('worker', workers)]),
      ...ports.gateways.map((gateway, replica) => ({ service: 'gateway' as const, replica, ...gateway })),
    ];
  }

  /** Returns the build ID with which workers start; null, because the workers of a stack have no version. */
  protected buildId(): string | null {
    return null;
  }

  /** Called after all services have started and before the stack sends its first request. A subclass can override it. */
  protected async afterServicesStarted(_ports: StackPorts): Promise<void> {}

  /** Returns the processes that are restarted if they end. */
  protected supervised(): Supervised[] {
    return [...this.processes.values(), ...Object.values(this.servers_ ?? {})];
  }

  /** Returns the addresses of the started stack. */
  protected addresses(ports: StackPorts) {
    const urls = ports.gateways.map(({ port }) => `https://127.0.0.1:${port}/v1`);
    return {
      base_url: requireStarted(urls[0]),
      base_urls: urls,
      ca_certificate: join(this.home.tls, 'ca.pem'),
      console_url: `http://127.0.0.1:${ports.console}`,
      temporal_address: `127.0.0.1:${ports.servers.temporal.frontend.grpc}`,
      temporal_ui: `http://127.0.0.1:${ports.servers.temporalUi}`,
      nats_url: `nats://127.0.0.1:${ports.servers.nats}`,
    };
  }

  private async prepareDatabase(ports: StackPorts, secrets: Secrets): Promise<string> {
    const at = { port: ports.servers.postgresql, role: ADMIN_ROLE, password: secrets.postgresAdmin };
    const adminUrl = databaseUrl({ ...at, database: DATABASE });
    await showProgress('migrating the database', async () => {
      await ensureDatabase(databaseUrl({ ...at, database: ADMIN_ROLE }), DATABASE);
      await migrate({ adminUrl, testClock: this.options.mode === 'test', passwords: secrets.roles });
    });
    return adminUrl;
  }

  private async startServices(ports: StackPorts, secrets: Secrets): Promise<void> {
    const { mode = 'local', route, serviceSettings } = this.options;
    const { temporal_address, nats_url } = this.addresses(ports);
    const certificate = await certificateIn(this.home.tls);
    const { postgresql, temporal, nats } = ports.servers;
    const contextOf = async (service: ServiceName): Promise<ServiceContext> => {
      const databasePort = (await route?.(service, 'postgresql', postgresql)) ?? postgresql;
      const temporalPort = await route?.(service, 'temporal', temporal.frontend.grpc);
      const natsPort = await route?.(service, 'nats', nats);
      return {
        children: this.children,
        secrets,
        certificate,
        logs: this.home.logs,
        failpoints: this.home.failpoints,
        mode,
        drainMs: this.drainMs,
        graceMs: this.graceMs,
        databaseUrl: (role) =>
          databaseUrl({ port: databasePort, role, password: secrets.roles[role], database: DATABASE }),
        temporalAddress: temporalPort === undefined ? temporal_address : `127.0.0.1:${temporalPort}`,
        natsUrl: natsPort === undefined ? nats_url : `nats://127.0.0.1:${natsPort}`,
        release: () => this.release,
        buildId: () => this.buildId(),
        innerPorts: ports.inner,
      };
    };
    const consoleUrl =
      this.options.console === false ? {} : { CONSOLE_PUBLIC_URL: `http://127.0.0.1:${ports.console}` };
    for (const target of this.serviceProcesses(ports)) {
      const context = await contextOf(target.service);
      this.supervise(processName(target), (extra) =>
        startService(target, context, {
          ...(target.service === 'gateway' ? consoleUrl : {}),
          ...serviceSettings,
          ...extra,
        }),
      );
    }
    if (this.options.console !== false) this.superviseConsole(ports, await contextOf('gateway'));
    await showProgress('starting the services', () =>
      Promise.all([...this.processes.values()].map((service) => service.start())),
    );
  }

  /**
   * Supervises the console and its identity provider. They can start with the context of any service: contexts differ only in the ports of
   * the database, Temporal and NATS, and these two processes connect to none of them.
   */
  private superviseConsole(ports: StackPorts, context: ServiceContext): void {
    const console = {
      console: ports.console,
      consoleHealth: ports.consoleHealth,
      identityProvider: ports.identityProvider,
      gateways: ports.gateways,
    };
    const temporalUi = `http://127.0.0.1:${ports.servers.temporalUi}`;
    this.supervise('identity-provider', (extra) => startIdentityProvider(console, context, extra));
    this.supervise('console', (extra) => startConsole({ ...console, temporalUi }, context, extra));
  }

  private supervise(name: string, start: (extra: NodeJS.ProcessEnv) => Promise<Child>): void {
    this.processes.set(name, new Supervised(name, start, this.options.print));
  }

  private async ensureProject(adminUrl: string): Promise<Project> {
    const known = await readIfExists(this.home.project);
    if (known !== undefined) return JSON.parse(known) as Project;
    const project = await showProgress('creating a project with its key', () => createProject(adminUrl));
    await writeAtomically(this.home.project, JSON.stringify(project, null, 2));
    return project;
  }
}

function takeLock(home: Home): Lock {
  const lock = tryLock(home.lock);
  if ('release' in lock) return lock;
  throw new StartFailure(
    `Carecover already runs in ${home.folder} (process ${lock.heldBy}): stop it first, or set CARECOVER_HOME to another folder.`,
  );
}

/** Renames a log file that is too large, and overwrites the log file that was renamed before. */
function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES) renameSync(file, `${file}.1`);
}

function requireStarted<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The stack has not been started.');
  return part;
}
