/**
 * Creates the configuration files of Temporal's server: its PostgreSQL plugin, databases, ports and settings. The same files are used if
 * one process runs all services of the server, and if each service has its own processes.
 */

/** The services of a Temporal server, each with a port for gRPC and one for the membership protocol. */
export const TEMPORAL_SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type TemporalService = (typeof TEMPORAL_SERVICES)[number];

interface TemporalServicePorts {
  grpc: number;
  membership: number;
}

/** The ports of one process of Temporal's server. */
export type TemporalPorts = Record<TemporalService, TemporalServicePorts>;

/** The environment variable with the database password, which no configuration file contains. */
export const PASSWORD_VARIABLE = 'TEMPORAL_DATABASE_PASSWORD';

/** The names of Temporal's two databases: one for histories, one for the list of workflows. */
export interface TemporalDatabases {
  histories: string;
  visibility: string;
}

export interface TemporalConfig {
  database: {
    port: number;
    names: TemporalDatabases;
    /** Database role with which the server logs in. */
    user: string;
    /** Database role to which a session switches after the login, for example the owner of the tables. */
    role?: string;
  };
  ports: TemporalPorts;
  /** Address at which Temporal's system workflows connect to the frontends; by default, the address of the frontend in `ports`. */
  frontendAddress?: string;
  /** Number of history shards. It can't be changed after the databases are created. */
  shards: number;
  /** Path of the file with the content of {@link dynamicConfig}. */
  dynamicConfigFile: string;
}

const LOOPBACK = '127.0.0.1';
const CLUSTER = 'active';

/** Maximum number of database connections per service and process of Temporal's server, by database. */
const MAX_CONNECTIONS = { histories: 20, visibility: 5 };

/** Returns the content of the configuration file of Temporal's server, which listens only on the loopback address. */
export function temporalConfig(config: TemporalConfig): string {
  const { database, ports } = config;
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      // Unlike the plugin postgres12, postgres12_pgx uses prepared statements, which take a third less CPU time in Temporal and PostgreSQL.
      pluginName: 'postgres12_pgx',
      databaseName,
      connectAddr: `${LOOPBACK}:${database.port}`,
      connectProtocol: 'tcp',
      user: database.user,
      password: '{{ env `TEMPORAL_DATABASE_PASSWORD` }}',
      maxConns,
      maxIdleConns: maxConns,
      ...(database.role === undefined ? {} : { connectAttributes: { role: database.role } }),
    },
  });
  const disabled = { state: 'disabled' };
  const frontend = config.frontendAddress ?? `${LOOPBACK}:${ports.frontend.grpc}`;
  const content = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: config.shards,
      defaultStore: 'histories',
      visibilityStore: 'visibility',
      datastores: {
        histories: store(database.names.histories, MAX_CONNECTIONS.histories),
        visibility: store(database.names.visibility, MAX_CONNECTIONS.visibility),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: LOOPBACK } },
    services: Object.fromEntries(
      TEMPORAL_SERVICES.map((name) => [
        name,
        {
          rpc: {
            grpcPort: ports[name].grpc,
            membershipPort: ports[name].membership,
            bindOnIP: LOOPBACK,
          },
        },
      ]),
    ),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: CLUSTER,
      currentClusterName: CLUSTER,
      clusterInformation: {
        [CLUSTER]: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    publicClient: { hostPort: frontend },
    archival: { history: disabled, visibility: disabled },
    namespaceDefaults: { archival: { history: disabled, visibility: disabled } },
    dynamicConfigClient: { filepath: config.dynamicConfigFile, pollInterval: '60s' },
  };
  // The first line is a comment that makes Temporal read the file as a template.
  return `# enable-template\n${JSON.stringify(content, null, 2)}\n`;
}

const DYNAMIC_CONFIG: Readonly<Record<string, number | boolean | string>> = {
  // The services send a ping after five seconds without a response. With Temporal's default of ten, it closes a connection on which commands
  // wait, after four pings.
  'frontend.keepAliveMinTime': '4s',
  // Temporal keeps the state of each workflow for an hour after its last use, by default of up to 128,000 workflows. A state takes 20 to
  // 40 kB. A limit in bytes is of no use here, because Temporal compares it with the stored size, which is less than a tenth of that.
  'history.hostLevelCacheMaxSize': 1_000,
  // Temporal also keeps events for an hour, by default up to 512 kB per shard. One limit for all shards of a process does not depend on how
  // many shards the process has. It is compared with the stored size too.
  'history.enableHostLevelEventsCache': true,
  'history.eventsHostLevelCacheMaxSizeBytes': 4 * 1024 * 1024,
  // A paused run executes nothing, and no sweep replaces it.
  'frontend.WorkflowPauseEnabled': false,
  // One partition per task queue is enough for one server process. Temporal's default of four costs additional polls and forwarding.
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
};

/** Returns the content of the dynamic configuration file: settings that a running Temporal server reads periodically. */
export function dynamicConfig(): string {
  const entries = Object.entries(DYNAMIC_CONFIG).map(([key, value]) => [key, [{ value }]]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
