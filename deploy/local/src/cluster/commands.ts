/**
 * The command `npm run cluster`: without arguments it runs a cluster until Ctrl-C; with arguments it sends a command to the running
 * cluster, over HTTP on the loopback address with a token that only the owner of the cluster's folder can read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../process/identity.cjs';
import { StartFailure } from '../failure';
import { readIfExists, writeAtomically } from '../files';
import type { Home } from '../home';
import { localSettings } from '../settings';
import { readRunningStack } from '../stack-file';
import type { Cluster, NodeStatus } from './cluster';
import { buildRelease } from './release';

const DEFAULT_PAUSE_S = 30;
const STOP_POLL_MS = 100;

export const CLUSTER_USAGE = `npm run cluster                        starts the cluster, which runs until Ctrl-C
npm run cluster -- status              prints each node with its state
npm run cluster -- kill NODE           kills a node with SIGKILL; it stays down
npm run cluster -- start NODE          starts a killed node
npm run cluster -- pause NODE SECONDS  suspends a node with SIGSTOP, for ${DEFAULT_PAUSE_S} seconds by default
npm run cluster -- promote             promotes a standby of PostgreSQL, and makes the old primary a standby
npm run cluster -- upgrade COMMIT      builds a commit (default: this clone as it is built) and replaces the services by it, one by one
npm run cluster -- journey             runs the journey on the cluster
npm run cluster -- stop                stops the cluster`;

interface Control {
  readonly port: number;
  readonly token: string;
}

/** Returns the settings of the local stack, changed for a cluster: its data is in the subfolder `cluster`, and no ports are fixed. */
export function clusterSettings() {
  const { homeFolder, ports } = localSettings();
  const none = Object.fromEntries(Object.keys(ports).map((name) => [name, null])) as typeof ports;
  return { homeFolder: join(homeFolder, 'cluster'), ports: none };
}

const controlFile = (home: Home) => join(home.folder, 'control.json');

/** Serves the commands of a running cluster over HTTP. Returns a function that stops the server. */
export async function serveControl(cluster: Cluster): Promise<() => Promise<void>> {
  const token = randomBytes(32).toString('base64url');
  const server: Server = createServer(async (request, response) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    const expected = Buffer.from(`Bearer ${token}`);
    const isAuthorized = given.length === expected.length && timingSafeEqual(given, expected);
    try {
      if (!isAuthorized) throw new StartFailure('The token is wrong.');
      const [, command = '', ...args] = (request.url ?? '').split('/').map(decodeURIComponent);
      response.end(JSON.stringify({ result: await execute(cluster, command, args) }));
    } catch (error) {
      response.statusCode = error instanceof StartFailure ? 400 : 500;
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await writeAtomically(controlFile(cluster.home), JSON.stringify({ port, token } satisfies Control));
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(controlFile(cluster.home), { force: true });
  };
}

async function execute(cluster: Cluster, command: string, [node = '', seconds]: string[]): Promise<string> {
  switch (command) {
    case 'status':
      return formatStatus(cluster.status());
    case 'kill':
      await cluster.killNode(node);
      return `${node} was killed. Start it with: npm run cluster -- start ${node}`;
    case 'start':
      await cluster.startNode(node);
      return `${node} runs.`;
    case 'pause': {
      const pauseS = Number(seconds ?? DEFAULT_PAUSE_S);
      if (!(pauseS > 0)) throw new StartFailure(`SECONDS must be a positive number, not ${seconds}.`);
      const resume = cluster.pauseNode(node);
      void sleep(pauseS * 1_000).then(resume);
      return `${node} is paused for ${pauseS} seconds.`;
    }
    case 'promote':
      return `${await cluster.promote()} is the primary.`;
    case 'upgrade':
      await cluster.upgrade(node === '' ? undefined : node);
      return 'All services run the release.';
    default:
      throw new StartFailure(`Unknown command.\n\n${CLUSTER_USAGE}`);
  }
}

function formatStatus(nodes: readonly NodeStatus[]): string {
  const width = Math.max(...nodes.map(({ name }) => name.length));
  return nodes
    .map(({ name, state, pid, isPrimary }) =>
      `${name.padEnd(width)}  ${state.padEnd(7)}  ${pid ?? '-'}${isPrimary ? '  primary' : ''}`.trimEnd(),
    )
    .join('\n');
}

/** Sends a command to the running cluster and returns its output. @throws StartFailure with the cluster's error message */
export async function sendCommand(home: Home, [command = '', ...args]: readonly string[]): Promise<string> {
  const cluster = await readRunningCluster(home);
  if (command === 'stop') {
    process.kill(cluster.pid, 'SIGTERM');
    while (isRunning(cluster)) await sleep(STOP_POLL_MS);
    return 'The cluster is stopped; the data stays.';
  }
  const text = await readIfExists(controlFile(home));
  if (text === undefined) throw new StartFailure('The cluster is starting or stopping: repeat the command.');
  const { port, token } = JSON.parse(text) as Control;
  // The release is built before the request is sent, because the request waits for a response for at most five minutes.
  const [commit] = args;
  const sent = command === 'upgrade' && commit !== undefined ? [await buildRelease(home, commit)] : args;
  const path = [command, ...sent].map(encodeURIComponent).join('/');
  const response = await fetch(`http://127.0.0.1:${port}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { result, error } = (await response.json()) as { result?: string; error?: string };
  if (error !== undefined) throw new StartFailure(error);
  return result ?? '';
}

/** Reads stack.json of the running cluster. @throws StartFailure if no cluster runs in this folder */
export async function readRunningCluster(home: Home) {
  try {
    return await readRunningStack(home);
  } catch (cause) {
    if (!(cause instanceof StartFailure)) throw cause;
    throw new StartFailure(`No cluster runs in ${home.folder}: start one with "npm run cluster".`, { cause });
  }
}
