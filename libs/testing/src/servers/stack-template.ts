/**
 * The folder with which test stacks start: its databases, secrets and project exist already. Their creation takes about 4 s of processor
 * time, a quarter of the start of a stack.
 */
import { readdir, rm } from 'node:fs/promises';
import { cached } from '@carecover/local/cache';
import { homePaths } from '@carecover/local/home';
import { withConnection } from '@carecover/local/postgres';
import { RUN_SETTING } from '@carecover/local/run-folder';
import { runTool } from '@carecover/local/run-tool';
import { Stack, type StackOptions } from '@carecover/local/stack';
import { TEMPORAL_DATABASES } from '@carecover/local/temporal';
import { withDatabase } from './database';

const NO_PORTS = {
  CARECOVER_PORT: null,
  CARECOVER_CONSOLE_PORT: null,
  CARECOVER_TEMPORAL_PORT: null,
  CARECOVER_NATS_PORT: null,
  CARECOVER_POSTGRES_PORT: null,
};

/** Returns the options of a stack in test mode, in this folder and on free ports. */
export function testStackOptions(homeFolder: string) {
  return {
    settings: { homeFolder, ports: NO_PORTS },
    mode: 'test',
    usualPorts: false,
    print: () => undefined,
  } as const satisfies StackOptions;
}

/**
 * Copies the template into the folder of a stack of any mode, if the folder is empty. The first call of a test run creates the template.
 * Outside a test run there is none, and the folder stays empty.
 */
export async function copyStackTemplate(homeFolder: string): Promise<void> {
  const run = process.env[RUN_SETTING];
  if (run === undefined || (await readdir(homeFolder)).length > 0) return;
  const template = await cached({ name: 'stack-template', input: [], make: createTemplate }, run);
  // `cp` keeps the owner of PostgreSQL's files. The functions of Node.js do not keep it.
  await runTool('cp', ['-Rp', `${template}/.`, homeFolder], { env: process.env });
}

async function createTemplate(folder: string): Promise<void> {
  const stack = new Stack(testStackOptions(folder));
  try {
    const adminUrl = await stack.prepare();
    await stack.servers.temporal.stop();
    // Deletes the record of this server: a server on a copy of its database would try to connect to it.
    await withConnection(withDatabase(adminUrl, TEMPORAL_DATABASES.histories), (client) =>
      client.query('truncate cluster_membership'),
    );
  } finally {
    await stack.stop();
  }
  const { ports, logs, temporal } = homePaths(folder);
  for (const path of [ports, logs, temporal]) await rm(path, { recursive: true, force: true });
}
