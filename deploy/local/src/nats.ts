/** Runs a NATS server with JetStream. Messages are synced to disk before they are acknowledged, and every client must log in as a user. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Child, Children } from './children';
import { writeAtomically } from './files';
import { REPOSITORY } from './home';
import { waitUntilReady } from './ready';

/** The NATS users in `deploy/nats/authorization.conf`: the services that publish or consume events, and the operator CLI. */
export const NATS_USERS = ['benefits', 'claims', 'payments', 'webhooks', 'operator'] as const;
export type NatsUser = (typeof NATS_USERS)[number];

const AUTHORIZATION = join(REPOSITORY, 'deploy/nats/authorization.conf');

/** The addresses of a server in a NATS cluster, and the password with which its servers log in to each other. */
interface NatsMembership {
  port: number;
  routes: readonly number[];
  password: string;
}

export interface NatsOptions {
  children: Children;
  /** Name of the process, by default `nats`. In a cluster, it is also the name of the server. */
  name?: string;
  cluster?: NatsMembership;
  executable: string;
  folder: string;
  logFile: string;
  port: number;
  passwords: Readonly<Record<NatsUser, string>>;
}

/** Starts a NATS server and waits until JetStream is available. */
export async function startNats(options: NatsOptions): Promise<Child> {
  const { port, cluster, name = 'nats' } = options;
  const configFile = join(options.folder, 'nats.conf');
  await mkdir(options.folder, { recursive: true });
  const passwords = NATS_USERS.map(
    (user) => `NATS_${user.toUpperCase()}_PASSWORD: ${JSON.stringify(options.passwords[user])}\n`,
  );
  await writeAtomically(join(options.folder, 'passwords.conf'), passwords.join(''));
  // The configuration is written instead of copied, because a copy would have the permissions of the repository's file.
  await writeFile(join(options.folder, 'authorization.conf'), await readFile(AUTHORIZATION));
  await writeAtomically(
    configFile,
    [
      `listen: "127.0.0.1:${port}"`,
      // Without the option `sync_interval: always`, acknowledged messages would be lost in a power failure.
      `jetstream { store_dir: ${JSON.stringify(options.folder)}, sync_interval: always }`,
      'include "authorization.conf"',
      ...(cluster === undefined ? [] : [`server_name: "${name}"`, formatMembership(cluster)]),
      '',
    ].join('\n'),
  );
  const child = options.children.start({
    name,
    command: options.executable,
    args: ['--config', configFile],
    logFile: options.logFile,
  });
  await waitUntilReady(child, options.logFile, () => hasJetStream(port));
  return child;
}

/**
 * Returns the section of the configuration that makes the server a member of the cluster, with the same content as in
 * deploy/compose/nats/nats.conf.
 */
function formatMembership({ port, routes, password }: NatsMembership): string {
  const urls = routes.map((route) => `"nats-route://server:${password}@127.0.0.1:${route}"`);
  return `cluster {
  name: carecover
  listen: "127.0.0.1:${port}"
  authorization { user: server, password: ${JSON.stringify(password)} }
  routes: [${urls.join(', ')}]
}`;
}

/** Returns whether the server's INFO message says that JetStream is enabled. */
function hasJetStream(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let info = '';
    const done = (isEnabled: boolean) => {
      socket.destroy();
      resolve(isEnabled);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('error', () => done(false));
    socket.on('data', (chunk) => {
      info += chunk.toString();
      if (info.includes('\r\n')) done(/"jetstream":\s*true/.test(info));
    });
  });
}
