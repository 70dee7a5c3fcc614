/**
 * Attacks the guarantee that every connection ends in bounded time whatever its peer does, and costs other clients nothing:
 * unfinished handshakes, heads, bodies and unread answers, by the hundred and from one address.
 */
import { readFileSync } from 'node:fs';
import { eventually, testSize } from '@carecover/local/testing';
import {
  findHeldConnections,
  openUnfinished,
  type PeerBehaviour,
  type Target,
  type UnfinishedConnection,
  type UnfinishedState,
  unfinishedStates,
  useWorld,
} from '@carecover/test-support';
import { request } from 'undici';

const CONNECTIONS = testSize({ ci: 200, soak: 400 });
/** Of each hundred connections in a state, how their peers behave. */
const BEHAVIOURS: readonly PeerBehaviour[] = [
  ...Array<PeerBehaviour>(6).fill('waits'),
  'drips',
  'half-closes',
  'closes',
  'resets',
];

/** After how long no connection in the state may be left: the gateway's limit, and what a busy machine adds. */
const LIMIT_MS: Readonly<Record<UnfinishedState, number>> = {
  'nothing sent': 25_000,
  'first byte of a handshake': 25_000,
  'half a ClientHello': 25_000,
  'ClientHello without the rest of the handshake': 25_000,
  'handshake done and nothing sent': 35_000,
  'half a head': 35_000,
  'half a body': 85_000,
  'response not read': 85_000,
  'last response not read': 85_000,
  'response received and idle': 100_000,
};
const CALM_MS = 250;

const running = useWorld();
let target: Target;

beforeAll(() => {
  const { file } = running.stack;
  target = {
    port: Number(new URL(file.base_url).port),
    ca: readFileSync(file.ca_certificate, 'utf8'),
    secretKey: file.secret_key,
  };
});

/** Sends good requests on connections of their own until stopped. Returns the statuses that it received, and errors in their place. */
function goodClient(): { stop(): Promise<Set<unknown>> } {
  const { file } = running.stack;
  const statuses = new Set<unknown>();
  let stopped = false;
  const asking = (async () => {
    while (!stopped) {
      const asked = request(`${file.base_url}/`, {
        dispatcher: running.clients.agent,
        headers: { authorization: `Bearer ${file.secret_key}` },
        reset: true,
      });
      const status = asked.then(({ statusCode, body }) => body.dump().then(() => statusCode));
      statuses.add(await status.catch((error: unknown) => error));
      await new Promise((resolve) => setTimeout(resolve, CALM_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await asking;
      return statuses;
    },
  };
}

/**
 * The states, and how their peers behaved, of which the gateway still holds connections. A port that was used twice names the
 * later connection: the earlier one has ended.
 */
function heldOf(state: string, opened: ReadonlyMap<number, UnfinishedConnection>): string[] {
  const held = findHeldConnections(target.port);
  const left = [...opened.values()].filter(
    (connection) => connection.state === state && held.has(connection.port),
  );
  return [...new Set(left.map(({ behaviour }) => `${state}, peer ${behaviour}`))];
}

test('unfinished connections in every state are gone after their limit, and a good client is answered meanwhile', async () => {
  const client = goodClient();
  const connections: UnfinishedConnection[] = [];
  for (const state of unfinishedStates) {
    const opened = await Promise.all(
      Array.from({ length: CONNECTIONS }, (_, index) =>
        openUnfinished(state, BEHAVIOURS[index % BEHAVIOURS.length] ?? 'waits', target),
      ),
    );
    connections.push(...opened);
  }
  const byPort = new Map(connections.map((connection) => [connection.port, connection]));
  const startedMs = performance.now();
  const left: string[] = [];
  for (const connection of connections) connection.behave();
  for (const [state, limitMs] of Object.entries(LIMIT_MS)) {
    const patienceMs = Math.max(1_000, startedMs + limitMs - performance.now());
    const gone = async () => heldOf(state, byPort).length === 0;
    // What is left says more than that time is up.
    await eventually(`no connection is left: ${state}`, gone, patienceMs).catch(() => undefined);
    left.push(...heldOf(state, byPort));
  }
  for (const connection of connections) connection.destroy();
  const statuses = await client.stop();
  expect(left).toEqual([]);
  expect([...statuses]).toEqual([200]);
}, 240_000);
