/** Starts a stack or a cluster for a test, in test mode, in a temporary folder and on free ports. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Cluster } from '@carecover/local/cluster/cluster';
import { carecover } from '@carecover/local/operator-tool';
import { createTemporaryFolder } from '@carecover/local/run-folder';
import { ensureSecrets } from '@carecover/local/secrets';
import { Stack, type StackOptions } from '@carecover/local/stack';
import { Client } from 'pg';
import { copyStackTemplate, testStackOptions } from './stack-template';

export interface TestStack {
  readonly stack: Stack;
  /** Runs the operator CLI with `--json`, and returns its output as a value. */
  operator<T>(...args: string[]): Promise<T>;
  /** Sets by how many milliseconds the database's clock, which all rules use, is ahead of the real time. */
  moveClock(offsetMs: number): Promise<void>;
  stop(): Promise<void>;
}

export type TestStackOptions = Omit<Partial<StackOptions>, 'settings'> & {
  /** The folder of the stack; by default a new one, in memory if possible. */
  readonly homeFolder?: string;
};

/** Starts a stack of the built services, by default without the console. `stop` deletes the stack's folder. */
export function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  return startForTest((all) => new Stack(all), { console: false, ...options }, copyStackTemplate);
}

export interface TestCluster extends TestStack {
  readonly stack: Cluster;
}

/** Starts a cluster of the built services. `stop` deletes the cluster's folder. */
export function startTestCluster(options: TestStackOptions = {}): Promise<TestCluster> {
  return startForTest((all) => new Cluster(all), options);
}

async function startForTest<S extends Stack>(
  create: (options: StackOptions) => S,
  { homeFolder: given, ...options }: TestStackOptions,
  fill: (homeFolder: string) => Promise<void> = async () => undefined,
): Promise<TestStack & { readonly stack: S }> {
  const homeFolder = given ?? (await createTemporaryFolder());
  const stack = create({ ...testStackOptions(homeFolder), temporary: true, ...options });
  const stop = async () => {
    await stack.stop();
    await rm(homeFolder, { recursive: true, force: true });
  };
  try {
    await fill(homeFolder);
    await stack.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    stop,
    async moveClock(offsetMs) {
      const client = new Client({ connectionString: stack.file.database_url });
      await client.connect();
      try {
        await client.query('update platform.clock_offset set ms = $1', [Math.round(offsetMs)]);
      } finally {
        await client.end();
      }
    },
    operator: async <T>(...args: string[]) =>
      JSON.parse(
        await carecover(stack.file.database_url, [...args, '--json'], {
          TEMPORAL_ADDRESS: stack.file.temporal_address,
          TEMPORAL_UI_URL: stack.file.temporal_ui,
          NATS_URL: stack.file.nats_url,
          NATS_PASSWORD: stack.file.nats_password,
          CARECOVER_ERASURE_JOURNAL: join(homeFolder, 'erasures.jsonl'),
          HASH_SECRET: (await ensureSecrets(stack.home.secrets)).hash,
        }),
      ) as T,
  };
}
