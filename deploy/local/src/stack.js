Object.defineProperty(exports, '__esModule', { value: true });
exports.Stack = void 0;
/**
 * The whole stack in one folder: servers, migrations, services, gateway, and a project to use it with. Nothing of it
 * outlives the process that starts it, and the next start takes up the same data, however this one ended.
 */
const node_fs_1 = require('node:fs');
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const migrate_1 = require('@carecover/platform/migrate');
const lock_cjs_1 = require('../../process/lock.cjs');
const certificate_1 = require('./certificate');
const children_1 = require('./children');
const disk_1 = require('./disk');
const failure_1 = require('./failure');
const files_1 = require('./files');
const home_1 = require('./home');
const operator_tool_1 = require('./operator-tool');
const postgres_1 = require('./postgres');
const progress_1 = require('./progress');
const secrets_1 = require('./secrets');
const servers_1 = require('./servers');
const services_1 = require('./services');
const stack_ports_1 = require('./stack-ports');
const supervised_1 = require('./supervised');
const DATABASE = 'carecover';
const RUN_BYTES = 500 * disk_1.MEGABYTE;
const LOG_BYTES = 20 * disk_1.MEGABYTE;
class Stack {
  options;
  home;
  children;
  lock;
  servers_;
  file_;
  processes = new Map();
  constructor(options) {
    this.options = options;
    this.home = (0, home_1.homeAt)(options.settings.homeFolder);
    this.children = new children_1.Children(this.home.folder);
  }
  /** What is in stack.json. */
  get file() {
    return started(this.file_);
  }
  get servers() {
    return started(this.servers_);
  }
  /** A service's process; replicas are counted from 0. */
  process(service, replica = 0) {
    return started(this.processes.get(`${service} ${replica}`));
  }
  /** Brings everything up. @throws StartFailure; call {@link stop} then too */
  async start() {
    const { home } = this;
    this.lock = takeLock(home);
    (0, node_fs_1.rmSync)(home.stack, { force: true });
    await (0, progress_1.showing)('stopping what an earlier start left running', () =>
      this.children.stopLeftovers(),
    );
    await (0, disk_1.ensureSpace)(
      home.folder,
      RUN_BYTES,
      'run the stack',
      this.options.freeSpace ?? disk_1.freeSpaceOnDisk,
    );
    (0, node_fs_1.mkdirSync)(home.logs, { recursive: true });
    for (const name of LOGS) rotate((0, node_path_1.join)(home.logs, `${name}.log`));
    const { replicas = 1, usualPorts = true, settings, print } = this.options;
    const ports = await (0, stack_ports_1.chooseStackPorts)({
      file: home.ports,
      settings: settings.ports,
      replicas,
      usual: usualPorts,
    });
    const secrets = await (0, secrets_1.secretsIn)(home.secrets);
    this.servers_ = await (0, servers_1.startServers)({
      children: this.children,
      home,
      ports: ports.servers,
      adminPassword: secrets.postgresAdmin,
      print,
    });
    const adminUrl = await this.prepareDatabase(ports, secrets);
    await this.startServices(ports, secrets);
    const project = await this.project(adminUrl);
    this.file_ = {
      ...addresses(home, ports),
      secret_key: project.secret_key,
      project_id: project.project_id,
      database_url: adminUrl,
      pid: process.pid,
    };
    await (0, files_1.writeWhole)(home.stack, `${JSON.stringify(this.file_, null, 2)}\n`, 0o600);
    return this.file_;
  }
  /** Stops everything within ten seconds, whatever state the start is in. */
  async stop() {
    if (this.lock === undefined) return;
    await this.children.close();
    await (0, promises_1.rm)(this.home.stack, { force: true });
    this.lock.release();
    this.lock = undefined;
  }
  async prepareDatabase(ports, secrets) {
    const at = {
      port: ports.servers.postgresql,
      role: postgres_1.ADMIN_ROLE,
      password: secrets.postgresAdmin,
    };
    const adminUrl = (0, postgres_1.databaseUrl)({ ...at, database: DATABASE });
    await (0, progress_1.showing)('bringing the database to the current schema', async () => {
      await (0, postgres_1.ensureDatabase)(
        (0, postgres_1.databaseUrl)({ ...at, database: postgres_1.ADMIN_ROLE }),
        DATABASE,
      );
      await (0, migrate_1.migrate)({
        adminUrl,
        testClock: this.options.mode === 'test',
        passwords: secrets.roles,
      });
    });
    return adminUrl;
  }
  async startServices(ports, secrets) {
    const { mode = 'local', environment = 'sandbox' } = this.options;
    const around = {
      children: this.children,
      secrets,
      certificate: await (0, certificate_1.certificateIn)(this.home.tls),
      logs: this.home.logs,
      environment,
      mode,
      databaseUrl: (role) =>
        (0, postgres_1.databaseUrl)({
          port: ports.servers.postgresql,
          role,
          password: secrets.roles[role],
          database: DATABASE,
        }),
      temporalAddress: `127.0.0.1:${ports.servers.temporal}`,
      natsUrl: `nats://127.0.0.1:${ports.servers.nats}`,
      innerPorts: ports.inner,
    };
    const specs = [
      ...services_1.INNER_SERVICES.flatMap((service) =>
        ports.inner[service].map((port, replica) => ({ service, replica, port, healthPort: port })),
      ),
      ...ports.gateways.map((gateway, replica) => ({ service: 'gateway', replica, ...gateway })),
    ];
    for (const spec of specs) {
      const start = (extra) => (0, services_1.startService)(spec, around, extra);
      this.processes.set(
        `${spec.service} ${spec.replica}`,
        new supervised_1.Supervised(spec.service, start, this.options.print),
      );
    }
    await (0, progress_1.showing)('starting the services', () =>
      Promise.all([...this.processes.values()].map((service) => service.start())),
    );
  }
  async project(adminUrl) {
    const known = await (0, files_1.readIfThere)(this.home.project);
    if (known !== undefined) return JSON.parse(known);
    const project = await (0, progress_1.showing)('making a project with its key', () =>
      (0, operator_tool_1.createProject)(adminUrl, this.options.environment ?? 'sandbox'),
    );
    await (0, files_1.writeWhole)(this.home.project, JSON.stringify(project, null, 2), 0o600);
    return project;
  }
}
exports.Stack = Stack;
const LOGS = ['postgresql', 'nats', 'temporal', 'gateway', ...services_1.INNER_SERVICES];
function addresses(home, ports) {
  const urls = ports.gateways.map(({ port }) => `https://127.0.0.1:${port}/v1`);
  return {
    base_url: started(urls[0]),
    base_urls: urls,
    ca_certificate: (0, node_path_1.join)(home.tls, 'ca.pem'),
    temporal_address: `127.0.0.1:${ports.servers.temporal}`,
    temporal_ui: `http://127.0.0.1:${ports.servers.temporalUi}`,
    nats_url: `nats://127.0.0.1:${ports.servers.nats}`,
  };
}
function takeLock(home) {
  const lock = (0, lock_cjs_1.tryLock)(home.lock);
  if ('release' in lock) return lock;
  throw new failure_1.StartFailure(
    `Carecover already runs in ${home.folder} (process ${lock.heldBy}): stop it first, or set CARECOVER_HOME to another folder.`,
  );
}
/** Keeps a log that has grown large under another name, so that two starts' worth is there at most. */
function rotate(file) {
  const size = (0, node_fs_1.statSync)(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES) (0, node_fs_1.renameSync)(file, `${file}.1`);
}
function started(part) {
  if (part === undefined) throw new Error('The stack has not been started.');
  return part;
}
