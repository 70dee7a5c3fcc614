/**
 * Attacks two guarantees of the gateway with many connections and requests from one address. The gateway closes every connection in bounded
 * time, also with an unfinished handshake, head or body, or with an unread response, and it does not affect other clients. What the kernel
 * keeps of a closed connection is the subject of unread-responses-end.test.ts. Requests with a valid key are
 * accepted during a flood of requests without a key, even directly after a start of the gateway, when its cache of keys is empty.
 */
import { readFileSync } from 'node:fs';
import { CONNECTION_LIMITS } from '@carecover/http';
import { eventually, testSize } from '@carecover/testing/servers';
import {
  findHeldConnections,
  openUnfinished,
  type PeerBehaviour,
  type Target,
  type UnfinishedConnection,
  type UnfinishedState,
  unfinishedStates,
  useWorld,
} from '@carecover/testing/stack';
import { request } from 'undici';

const CONNECTIONS = testSize({ ci: 100, soak: 400 });
/**
 * The behaviours of the peers (client sides) after a connection is in its unfinished state. Successive connections have successive
 * behaviours.
 */
const BEHAVIOURS: readonly PeerBehaviour[] = [
  ...Array<PeerBehaviour>(6).fill('waits'),
  'drips',
  'half-closes',
  'closes',
  'resets',
];

/**
 * The time in milliseconds within which the gateway must have ended all connections in a state: the gateway's own time limit for this
 * state, plus a margin for a busy machine.
 */
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
/**
 * The states that the gateway ends only after a minute, with its limits in milliseconds. Only the soak test waits for them. In
 * unread-responses-end.test.ts, peers with every behaviour are in these states at a gateway with shorter limits.
 */
const SLOW_STATES: Readonly<Partial<Record<UnfinishedState, number>>> = {
  'response not read': CONNECTION_LIMITS.requestMs,
  'last response not read': CONNECTION_LIMITS.requestMs,
  'response received and idle': CONNECTION_LIMITS.idleMs,
};
const STATES = testSize<readonly UnfinishedState[]>({
  ci: unfinishedStates.filter((state) => SLOW_STATES[state] === undefined),
  soak: unfinishedStates,
});
const REQUEST_INTERVAL_MS = 250;

const FLOOD_LIMIT = 20;
const FLOOD_REQUESTS = 100;

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

/** Sends valid requests on new connections until `stop` is called, which returns the received statuses and errors. */
function startValidClient(): { stop(): Promise<Set<unknown>> } {
  const { file } = running.stack;
  const statuses = new Set<unknown>();
  let stopped = false;
  const requests = (async () => {
    while (!stopped) {
      const responded = request(`${file.base_url}/`, {
        dispatcher: running.clients.agent,
        headers: { authorization: `Bearer ${file.secret_key}` },
        reset: true,
      });
      const status = responded.then(({ statusCode, body }) => body.dump().then(() => statusCode));
      statuses.add(await status.catch((error: unknown) => error));
      await new Promise((resolve) => setTimeout(resolve, REQUEST_INTERVAL_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await requests;
      return statuses;
    },
  };
}

/**
 * Describes the connections in the unfinished state `state` that the gateway has not closed, by the behaviours of their peers.
 *
 * @param opened the last connection of each peer's port, by the port; earlier connections of the port have ended
 */
function describeHeld(state: string, opened: ReadonlyMap<number, UnfinishedConnection>): string[] {
  const held = findHeldConnections(target.port);
  const left = [...opened.values()].filter(
    (connection) => connection.state === state && held.has(connection.port),
  );
  return [...new Set(left.map(({ behaviour }) => `${state}, peer ${behaviour}`))];
}

test('unfinished connections in every state end within their limits, and a valid client gets responses meanwhile', async () => {
  const client = startValidClient();
  const connections: UnfinishedConnection[] = [];
  for (const state of STATES) {
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
  for (const state of STATES) {
    const patienceMs = Math.max(1_000, startedMs + LIMIT_MS[state] - performance.now());
    const areEnded = async () => describeHeld(state, byPort).length === 0;
    // The error of the timeout is ignored, because the list of the remaining connections, which the test checks next, describes the failure
    // better.
    await eventually(`no connection is left: ${state}`, areEnded, patienceMs).catch(() => undefined);
    left.push(...describeHeld(state, byPort));
  }
  for (const connection of connections) connection.destroy();
  const statuses = await client.stop();
  expect(left).toEqual([]);
  expect([...statuses]).toEqual([200]);
}, 240_000);

test.each(Object.entries(SLOW_STATES))(
  'the limit of the state "%s" is shorter than the soak test waits for it',
  (state, limitMs) => expect(limitMs).toBeLessThan(LIMIT_MS[state as UnfinishedState]),
);

async function statusOf(key: string | null): Promise<number> {
  const { statusCode, body } = await request(`${running.stack.file.base_url}/`, {
    dispatcher: running.clients.agent,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
  await body.dump();
  return statusCode;
}

test('after a restart of the gateway during a flood, a valid key is accepted', async () => {
  const { stack } = running;
  await stack.process('gateway').restart({ UNAUTHENTICATED_LIMIT: String(FLOOD_LIMIT) });
  const flood = await Promise.all(
    Array.from({ length: FLOOD_REQUESTS }, (_, index) => statusOf(index % 2 === 0 ? null : 'sk_test_wrong')),
  );
  expect([...new Set(flood)].sort()).toEqual([401, 429]);
  // The requests without a key are sent again in each round, because the limit applies per minute.
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: FLOOD_REQUESTS }, () => statusOf(null)));
    expect(await statusOf(stack.file.secret_key)).toBe(200);
  }
});
