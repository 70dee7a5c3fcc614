/** Runs the NATS server with JetStream on disk, each message synced before it is acknowledged, for known users alone. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Child, Children } from './children';
import { writeWhole } from './files';
import { REPOSITORY } from './home';
import { untilReady } from './ready';

/** Whom `deploy/nats/authorization.conf` knows: the services with events, and the operator's command line. */
export const NATS_USERS = ['benefits', 'claims', 'payments', 'webhooks', 'operator'] as const;
export type NatsUser = (typeof NATS_USERS)[number];

const AUTHORIZATION = join(REPOSITORY, 'deploy/nats/authorization.conf');

export interface NatsOptions {
  children: Children;
  executable: string;
  folder: string;
  logFile: string;
  port: number;
  passwords: Readonly<Record<NatsUser, string>>;
}

/** Starts the server and waits until it serves streams. */
export async function startNats(options: NatsOptions): Promise<Child> {
  const { port } = options;
  const configFile = join(options.folder, 'nats.conf');
  await mkdir(options.folder, { recursive: true });
  const passwords = NATS_USERS.map(
    (user) => `NATS_${user.toUpperCase()}_PASSWORD: ${JSON.stringify(options.passwords[user])}\n`,
  );
  await writeWhole(join(options.folder, 'passwords.conf'), passwords.join(''));
  // Written, not copied: a copy would keep the permissions of the repository's file.
  await writeFile(join(options.folder, 'authorization.conf'), await readFile(AUTHORIZATION));
  await writeFile(
    configFile,
    [
      `listen: "127.0.0.1:${port}"`,
      // Without it, a power cut loses messages whose publisher was told that they are safe.
      `jetstream { store_dir: ${JSON.stringify(options.folder)}, sync_interval: always }`,
      'include "authorization.conf"',
      '',
    ].join('\n'),
  );
  const child = options.children.start({
    name: 'nats',
    command: options.executable,
    args: ['--config', configFile],
    logFile: options.logFile,
  });
  await untilReady(child, options.logFile, () => greets(port));
  return child;
}

/** A NATS server greets with its description; ours is ready once that says JetStream is on. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let greeting = '';
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('error', () => done(false));
    socket.on('data', (chunk) => {
      greeting += chunk.toString();
      if (greeting.includes('\r\n')) done(/"jetstream":\s*true/.test(greeting));
    });
  });
}
