/** The whole stack for a test: every process real, in a folder of its own, in test mode, on free ports. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../home';
import { Stack, type StackOptions } from '../stack';

export interface TestStack {
  readonly stack: Stack;
  /** Runs the operator's tool with `--json` and gives what it printed, parsed. */
  operator<T>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
}

const NO_PORTS = {
  CARECOVER_PORT: null,
  CARECOVER_TEMPORAL_PORT: null,
  CARECOVER_NATS_PORT: null,
  CARECOVER_POSTGRES_PORT: null,
};

/** Starts the stack from the built services; stopping removes its folder. */
export async function startTestStack(options: Partial<StackOptions> = {}): Promise<TestStack> {
  const homeFolder = await mkdtemp(join(tmpdir(), 'carecover-stack-'));
  const stack = new Stack({
    settings: { homeFolder, ports: NO_PORTS },
    mode: 'test',
    usualPorts: false,
    print: () => undefined,
    ...options,
  });
  const stop = async () => {
    await stack.stop();
    await rm(homeFolder, { recursive: true, force: true });
  };
  try {
    await stack.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    stop,
    async operator<T>(...args: string[]) {
      const cli = join(REPOSITORY, 'services/gateway/dist/cli.js');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', cli, ...args, '--json'],
        { env: { ...process.env, CARECOVER_ADMIN_DATABASE_URL: stack.file.database_url } },
      );
      return JSON.parse(stdout) as T;
    },
  };
}
