import { LEASE_MS } from '../store/due-deliveries';
import { EndpointQueues, type LeasedDelivery, MAX_READ_AHEAD } from './endpoint-queues';

const limits = { total: 100, perEndpoint: 10, perFailingEndpoint: 2, perDestination: 16 };
const quickly = { accepted: true, durationMs: 5 };
const slowly = { accepted: true, durationMs: 2_000 };
const rejected = { accepted: false, durationMs: 5 };

let number = 0;

function held(endpointId: string, changes: Partial<LeasedDelivery> = {}): LeasedDelivery {
  return {
    endpointId,
    eventId: `evt_${++number}`,
    projectId: 'prj_1',
    // One destination per endpoint, so that endpoints do not share the capacity of a destination.
    destination: `${endpointId}.example:443`,
    round: 1,
    roundAttempts: 0,
    leasedAt: new Date(0),
    leasedUntil: new Date(LEASE_MS),
    url: 'https://a.example',
    payload: '{}',
    traceparent: null,
    secretIds: [1],
    secrets: ['whsec_'],
    failing: false,
    sinceMs: 0,
    ...changes,
  };
}

function fill(
  queues: EndpointQueues,
  endpointId: string,
  count: number,
  changes: Partial<LeasedDelivery> = {},
): void {
  for (let n = 0; n < count; n++) queues.add(held(endpointId, changes));
}

/** Two endpoints with these values share the capacity of a destination. */
const shared = { destination: 'shared.example:443' };

/** Adds a delivery of an endpoint and makes its attempt. */
function attempt(
  queues: EndpointQueues,
  endpointId: string,
  outcome: typeof quickly,
  changes: Partial<LeasedDelivery> = {},
): void {
  fill(queues, endpointId, 1, changes);
  queues.start(endpointId, () => true);
  queues.end(endpointId, outcome);
}

test('an endpoint has at most ten concurrent attempts, a failing one two', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 15);
  fill(queues, 'whe_2', 15, { failing: true });
  queues.start('whe_1', () => true);
  queues.end('whe_1', quickly);
  expect(queues.start('whe_1', () => true)).toHaveLength(3);
  expect(queues.start('whe_1', () => true)).toHaveLength(0);
  expect(queues.start('whe_2', () => true)).toHaveLength(2);
  queues.end('whe_1', quickly);
  expect(queues.start('whe_1', () => true)).toHaveLength(1);
});

test.each([
  [1, 8],
  [2, 4],
  [3, 2],
  [4, 2],
  [5, 1],
  [30, 1],
])('%i slow endpoints of a destination have at most %i concurrent attempts each', (count, limit) => {
  const queues = new EndpointQueues(limits);
  const ids = Array.from({ length: count }, (_, n) => `whe_${n}`);
  for (const id of ids) {
    fill(queues, id, 1, shared);
    queues.start(id, () => true);
  }
  for (const id of ids) {
    queues.end(id, slowly);
    fill(queues, id, 12, shared);
  }
  for (const id of ids) expect(queues.start(id, () => true)).toHaveLength(limit);
  expect(queues.capacity().usedByEndpoint.get('whe_0')).toEqual({ used: 12, limit });
});

test('slow endpoints have half of the slots of their destination, and each at least one', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 20, shared);
  expect(queues.start('whe_1', () => true)).toHaveLength(8);
  for (const id of ['whe_2', 'whe_3']) {
    fill(queues, id, 20, shared);
    expect(queues.start(id, () => true)).toHaveLength(1);
  }
  for (let ended = 0; ended < 7; ended++) queues.end('whe_1', slowly);
  expect(queues.start('whe_2', () => true)).toHaveLength(1);
  expect(queues.start('whe_3', () => true)).toHaveLength(1);
  expect(queues.start('whe_1', () => true)).toHaveLength(1);
});

test('deliveries of a slow endpoint that wait for its own attempts use no capacity of the destination', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12, shared);
  queues.start('whe_1', () => true);
  queues.setDestinationHasMore(shared.destination, true);
  expect(queues.capacity().usedByDestination.get(shared.destination)).toBe(8);
  expect(queues.needsMoreOfDestination(shared.destination)).toBe(true);
});

test('an endpoint is slow until it accepts an attempt within a second, and after a failure', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_other', 1, shared);
  fill(queues, 'whe_1', 1, shared);
  const limitAfter = (outcome: typeof quickly) => {
    queues.start('whe_1', () => true);
    fill(queues, 'whe_1', 1, shared);
    queues.end('whe_1', outcome);
    fill(queues, 'whe_1', 1, shared);
    return queues.capacity().usedByEndpoint.get('whe_1')?.limit;
  };
  expect(queues.capacity().usedByEndpoint.get('whe_1')?.limit).toBe(4);
  expect(limitAfter({ accepted: true, durationMs: 1_000 })).toBe(10);
  expect(limitAfter(rejected)).toBe(4);
  expect(limitAfter(quickly)).toBe(10);
  expect(limitAfter(slowly)).toBe(4);
});

test('an endpoint without deliveries takes no share of its destination', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12, shared);
  attempt(queues, 'whe_2', slowly, shared);
  attempt(queues, 'whe_3', rejected, shared);
  expect(queues.start('whe_1', () => true)).toHaveLength(8);
});

test.each([
  ['at once', { accepted: true, durationMs: 0 }, MAX_READ_AHEAD],
  ['in 5 ms', quickly, MAX_READ_AHEAD],
  ['in 50 ms', { accepted: true, durationMs: 50 }, 100],
  ['in a second', { accepted: true, durationMs: 1_000 }, 5],
  ['in 2 s', slowly, 0],
  ['with an error', rejected, 0],
])(
  'an endpoint that responded %s: deliveries are leased in advance for half a second',
  (_, outcome, readAhead) => {
    const queues = new EndpointQueues(limits);
    fill(queues, 'whe_1', 4, shared);
    queues.start('whe_1', () => true);
    queues.end('whe_1', outcome);
    expect(queues.capacity().usedByEndpoint.get('whe_1')?.used).toBe(3 - readAhead);
    expect(queues.capacity().usedByDestination.get(shared.destination)).toBe(3 - readAhead);
  },
);

test('further deliveries are leased when half of those in advance are used', () => {
  const queues = new EndpointQueues(limits);
  const endOne = () => {
    queues.end('whe_1', quickly);
    queues.start('whe_1', () => true);
    return [queues.needsMore('whe_1'), queues.needsMoreOfDestination(shared.destination)];
  };
  fill(queues, 'whe_1', MAX_READ_AHEAD / 2 + 12, shared);
  queues.start('whe_1', () => true);
  queues.setHasMore('whe_1', true);
  queues.setDestinationHasMore(shared.destination, true);
  expect(endOne()).toEqual([false, false]);
  expect(endOne()).toEqual([true, true]);
});

test('an endpoint has capacity until its slots are used, and a quick one for deliveries in advance', () => {
  const queues = new EndpointQueues(limits);
  expect(queues.hasCapacity('whe_1')).toBe(true);
  fill(queues, 'whe_1', 7);
  expect(queues.hasCapacity('whe_1')).toBe(true);
  fill(queues, 'whe_1', 1);
  expect(queues.hasCapacity('whe_1')).toBe(false);
  queues.start('whe_1', () => true);
  queues.end('whe_1', quickly);
  fill(queues, 'whe_1', MAX_READ_AHEAD + 2);
  expect(queues.hasCapacity('whe_1')).toBe(true);
  fill(queues, 'whe_1', 1);
  expect(queues.hasCapacity('whe_1')).toBe(false);
  fill(queues, 'whe_2', 2, { failing: true });
  expect(queues.hasCapacity('whe_2')).toBe(false);
});

test('a delivery uses capacity until it is recorded', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 60);
  fill(queues, 'whe_2', 40);
  expect(queues.capacity().free).toBe(0);
  for (const { endpointId } of queues.start('whe_1', () => true)) queues.end(endpointId, quickly);
  expect(queues.free).toBe(0);
  queues.release(10);
  expect(queues.free).toBe(10);
});

test('a failure removes the waiting deliveries of the endpoint', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 15);
  queues.start('whe_1', () => true);
  expect(queues.end('whe_1', rejected)).toHaveLength(7);
  expect(queues.start('whe_1', () => true)).toHaveLength(0);
});

test('deliveries that waited longer than a second are removed, attempts in progress continue', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12, { sinceMs: 1_000 });
  queues.start('whe_1', () => true);
  fill(queues, 'whe_1', 3, { sinceMs: 1_900 });
  expect(queues.removeWaiting(2_500)).toHaveLength(4);
  expect(queues.removeWaiting()).toHaveLength(3);
  expect(queues.capacity().usedByEndpoint.get('whe_1')?.used).toBe(8);
});

test('deliveries whose leases are a third over are removed, attempts in progress continue', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 9, { sinceMs: 1_000 });
  queues.start('whe_1', () => true);
  fill(queues, 'whe_1', 2, { sinceMs: 1_500 });
  expect(queues.removeExpiring('whe_1', 1_000 + LEASE_MS / 3)).toHaveLength(0);
  expect(queues.removeExpiring('whe_1', 1_001 + LEASE_MS / 3)).toHaveLength(1);
  expect(queues.removeExpiring('whe_2', 1_001 + LEASE_MS / 3)).toHaveLength(0);
  expect(queues.capacity().usedByEndpoint.get('whe_1')?.used).toBe(10);
});

test('the waiting deliveries of a changed endpoint are removed, others stay', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12);
  fill(queues, 'whe_2', 12);
  queues.start('whe_1', () => true);
  expect(queues.removeWaitingOf('whe_1')).toHaveLength(4);
  expect(queues.removeWaitingOf('whe_1')).toHaveLength(0);
  expect(queues.capacity().usedByEndpoint.get('whe_2')?.used).toBe(12);
});

test('an empty queue is deleted unless the database has further deliveries of the endpoint', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 1);
  queues.start('whe_1', () => true);
  queues.setHasMore('whe_1', true);
  queues.end('whe_1', quickly);
  expect(queues.needsMore('whe_1')).toBe(true);
  queues.setHasMore('whe_1', false);
  expect(queues.capacity().usedByEndpoint.size).toBe(0);
});

test('a delivery without a slot of its destination waits and uses no slot of its endpoint', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 5);
  let slots = 2;
  const takeSlot = () => slots-- > 0;
  expect(queues.start('whe_1', takeSlot)).toHaveLength(2);
  expect(queues.next('whe_1')).toBeDefined();
  slots = 3;
  expect(queues.start('whe_1', takeSlot)).toHaveLength(3);
  expect(queues.next('whe_1')).toBeUndefined();
});

test('all endpoints of a destination share its capacity', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 3, { destination: 'a.example:443' });
  fill(queues, 'whe_2', 4, { destination: 'a.example:443' });
  fill(queues, 'whe_3', 2, { destination: 'b.example:443' });
  queues.start('whe_1', () => true);
  expect(Object.fromEntries(queues.capacity().usedByDestination)).toEqual({
    'a.example:443': 7,
    'b.example:443': 2,
  });
});

test('further due deliveries of a destination are leased when none waits', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 1, { destination: 'a.example:443' });
  expect(queues.needsMoreOfDestination('a.example:443')).toBe(false);
  queues.setDestinationHasMore('a.example:443', true);
  expect(queues.needsMoreOfDestination('a.example:443')).toBe(false);
  queues.start('whe_1', () => true);
  expect(queues.needsMoreOfDestination('a.example:443')).toBe(true);
});
