/**
 * Starts a stack for benchmarks, which differs from production only in its size. The stack's folder is on disk, so that durable writes have
 * realistic costs, and the rate limit of its projects is too high to have an effect.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Carecover } from '@carecover/client';
import { connectPostgres, constantText, withSessionSettings } from '@carecover/postgres';
import { migrate, type ServiceName } from '@carecover/setup/migrate';
import { certificateIn, startTestStack, type TestStack } from '@carecover/testing/servers';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';

const RATE_LIMIT = '1000000';

export interface BenchStack {
  /** The gateway's URL without a path, the API key and the certificate, for the load generator. */
  readonly https: { readonly origin: string; readonly key: string; readonly ca: string };
  readonly consoleUrl: string;
  /** The URLs of all gateways, without a path. */
  readonly origins: readonly string[];
  readonly projectId: string;
  /** Paths of the PEM files of the stack's certificate and key, for bare servers with the same TLS. */
  readonly tls: { readonly certificate: string; readonly key: string };
  readonly temporalAddress: string;
  /** The setting WORKFLOW_SIGNALS_PER_SECOND of the services; 0 if signals to workflows are paused. */
  readonly signalsPerSecond: number;
  readonly client: Carecover;
  /** Creates the resources that the measured requests need, through the API. */
  readonly world: World;
  /** Access to the processes and servers of the stack. */
  readonly parts: Pick<TestStack['stack'], 'process' | 'servers'>;
  /** Creates another project with the same limits. */
  newProject(): Promise<{ readonly key: string; readonly keyId: string }>;
  /** Creates another project with the same limits, and returns a {@link BenchStack} for it. */
  openProject(): Promise<BenchStack>;
  /** Revokes a key. */
  revoke(keyId: string): Promise<void>;
  /**
   * Returns the connection URL of the stack's database as the administrator. The search path of the connection has the schemas of
   * `services`.
   */
  databaseUrl(...services: string[]): string;
  /** Creates another database on the same server. No service uses it, so that no sweep changes its rows. */
  sideDatabase(services: readonly ServiceName[]): Promise<SideDatabase>;
}

export interface SideDatabase {
  /** Returns the connection URL of the other database, as {@link BenchStack.databaseUrl} does for the database of the stack. */
  url(...services: string[]): string;
  drop(): Promise<void>;
}

function withSchemas(adminUrl: string, services: readonly string[]): string {
  return withSessionSettings(adminUrl, { search_path: [...services, 'platform'].join(',') });
}

type Passwords = Readonly<Record<ServiceName, string>>;

async function createSideDatabase(
  stackUrl: string,
  services: readonly ServiceName[],
  passwords: Passwords,
): Promise<SideDatabase> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const asAdmin = async (statement: string) => {
    const sql = connectPostgres(stackUrl, 1, 'bench');
    try {
      await sql`${constantText(statement)}`;
    } finally {
      await sql.end();
    }
  };
  await asAdmin(`create database ${name}`);
  const url = new URL(stackUrl);
  url.pathname = name;
  await migrate({ adminUrl: url.href, testClock: false, services, passwords });
  return {
    url: (...services) => withSchemas(url.href, services),
    drop: () => asAdmin(`drop database ${name} with (force)`),
  };
}

export interface Stack {
  /** Prepares the stack for a benchmark. Each benchmark gets a new project, so that benchmarks don't affect each other. */
  open(benchmark: string): Promise<BenchStack>;
  stop(): Promise<void>;
}

/** The processes of a stack for benchmarks. */
export interface Processes {
  /** The number of processes of the gateway, and of processes with the role `server` of each service. */
  readonly replicas: number;
  /** Whether the role `worker` has processes of its own, as in production; otherwise each process of a service has both roles. */
  readonly separateWorkers: boolean;
  /** The setting WORKFLOW_SIGNAL_DELAY_MS of the services: 0 in measurements during which the workflows must follow. */
  readonly signalDelayMs: number;
}

/** Starts the stack for benchmarks. @param signalsPerSecond how many signals to workflows each process sends per second; 0 for none */
export async function startBenchStack(
  { signalDelayMs, ...processes }: Processes,
  signalsPerSecond: number,
): Promise<Stack> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'carecover-bench-'));
  const serviceSettings = {
    WORKFLOW_SIGNAL_DELAY_MS: String(signalDelayMs),
    WORKFLOW_SIGNALS_PER_SECOND: String(signalsPerSecond),
  };
  const started = await startTestStack({
    homeFolder,
    mode: 'local',
    console: true,
    ...processes,
    serviceSettings,
  });
  const { file, home } = started.stack;
  const { leaf, key } = await certificateIn(home.tls);
  const ca = await readFile(file.ca_certificate, 'utf8');
  const trusted = createStackClients(file);
  const receivers = await startReceivers();
  async function newProject(name: string) {
    const created = await started.operator<{ project_id: string; key_id: string; secret_key: string }>(
      ...['projects', 'create', name, '--environment', 'sandbox'],
    );
    await started.operator('projects', 'set', created.project_id, '--rate-limit', RATE_LIMIT);
    return created;
  }
  const stack: Stack = {
    async open(benchmark) {
      const created = await newProject(benchmark);
      const client = trusted.create(created.secret_key);
      return {
        https: { origin: new URL(file.base_url).origin, key: created.secret_key, ca },
        consoleUrl: file.console_url,
        origins: file.base_urls.map((url) => new URL(url).origin),
        projectId: created.project_id,
        tls: { certificate: leaf, key },
        temporalAddress: file.temporal_address,
        signalsPerSecond,
        client,
        parts: started.stack,
        async newProject() {
          const { secret_key: key, key_id: keyId } = await newProject(benchmark);
          return { key, keyId };
        },
        openProject: () => stack.open(benchmark),
        revoke: async (keyId) => {
          await started.operator('keys', 'revoke', keyId);
        },
        world: new World(
          client,
          receivers,
          started.moveClock,
          createEndpointLimiter(started.operator, created.project_id),
        ),
        databaseUrl: (...services) => withSchemas(file.database_url, services),
        async sideDatabase(services) {
          const { roles } = JSON.parse(await readFile(home.secrets, 'utf8')) as { roles: Passwords };
          return createSideDatabase(file.database_url, services, roles);
        },
      };
    },
    async stop() {
      receivers.close();
      await trusted.close();
      await started.stop();
    },
  };
  return stack;
}
