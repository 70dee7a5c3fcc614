/** Runs a NATS server with JetStream. Messages are synced to disk before they are acknowledged, and every client must log in as a user. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import type { Child, Children } from './children';
import { type FreeSpace, freeSpaceOnDisk, MEGABYTE } from './disk';
import { StartFailure } from './failure';
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
  /** The port on which the server reports its health, on the loopback address. */
  monitorPort: number;
  passwords: Readonly<Record<NatsUser, string>>;
}

/** Starts a NATS server and waits until JetStream is available. */
export async function startNats(options: NatsOptions): Promise<Child> {
  const { port, monitorPort, cluster, name = 'nats' } = options;
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
      `http: "127.0.0.1:${monitorPort}"`,
      // Without the option `sync_interval: always`, acknowledged messages would be lost in a power failure. Without the option
      // `max_file_store`, the stream is limited to three quarters of the space that is free when the server starts.
      `jetstream { store_dir: ${JSON.stringify(options.folder)}, sync_interval: always, max_file_store: 2GiB }`,
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
  await waitUntilReady(
    child,
    options.logFile,
    async () => (await readHealth(monitorPort, JETSTREAM_ONLY)) === null,
  );
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

interface CreateResponse {
  readonly error?: { readonly err_code?: number; readonly description: string };
}

/** The error code of JetStream for a stream that exists with other settings. The webhooks service changes them. */
const EXISTS = 10_058;
/** The settings of the stream: those of containers, and with one replica those that the webhooks service sets. */
const STREAM_FILE = join(REPOSITORY, 'deploy/compose/nats/stream.json');
const STREAM_TIMEOUT_MS = 60_000;
const STREAM_PAUSE_MS = 200;

/**
 * Creates the event stream as the NATS user `operator` if it does not exist, with a copy on this number of servers.
 *
 * @throws StartFailure if NATS does not create it within a minute
 */
export async function createStream(options: {
  readonly ports: readonly number[];
  readonly password: string;
  readonly replicas: number;
}): Promise<void> {
  const settings = { ...JSON.parse(await readFile(STREAM_FILE, 'utf8')), num_replicas: options.replicas };
  const connection = await connect({
    servers: options.ports.map((port) => `nats://127.0.0.1:${port}`),
    user: 'operator',
    pass: options.password,
    inboxPrefix: '_INBOX.operator',
  });
  try {
    const deadline = Date.now() + STREAM_TIMEOUT_MS;
    for (;;) {
      // The servers of a cluster must first elect a leader. Before that, a request gets no response or an error.
      const { error } = await connection
        .request(`$JS.API.STREAM.CREATE.${settings.name}`, JSON.stringify(settings), { timeout: 5_000 })
        .then((message) => message.json<CreateResponse>())
        .catch((cause: unknown): CreateResponse => ({ error: { description: String(cause) } }));
      if (error === undefined || error.err_code === EXISTS) return;
      if (Date.now() > deadline) {
        throw new StartFailure(`NATS did not create the event stream: ${error.description}.`);
      }
      await sleep(STREAM_PAUSE_MS);
    }
  } finally {
    await connection.close();
  }
}

/** Restricts a health check to whether JetStream is enabled, which it is while a server recovers its streams or has no leader. */
const JETSTREAM_ONLY = '?js-enabled-only=true';
const RESPONSE_MS = 3_000;

/** Returns the error that the server reports about its health, or that of the request; null if it is healthy. */
async function readHealth(monitorPort: number, query = ''): Promise<string | null> {
  try {
    const response = await fetch(`http://127.0.0.1:${monitorPort}/healthz${query}`, {
      signal: AbortSignal.timeout(RESPONSE_MS),
    });
    if (response.ok) return null;
    return ((await response.json()) as { error?: string }).error ?? `status ${response.status}`;
  } catch (error) {
    return String(error);
  }
}

/** A server that could not write, such as on a full disk, keeps this error of the stream, or disables JetStream, until it is restarted. */
const WRITE_ERROR = /write error|JetStream not enabled/i;
/** The free space in bytes with which a server with a write error is restarted. */
const RESTART_BYTES = 16 * MEGABYTE;

/** Returns the reason for which the server must be restarted: a write error, after which the disk has space again. Null if there is none. */
export async function findNatsFault(
  { folder, monitorPort }: Pick<NatsOptions, 'folder' | 'monitorPort'>,
  freeSpace: FreeSpace = freeSpaceOnDisk,
): Promise<string | null> {
  const error = await readHealth(monitorPort);
  if (error === null || !WRITE_ERROR.test(error)) return null;
  return (await freeSpace(folder)) < RESTART_BYTES ? null : error;
}
