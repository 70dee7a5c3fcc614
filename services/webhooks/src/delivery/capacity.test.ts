import { FairSemaphores } from '@carecover/process';
import { type DueDelivery, LEASE_MS } from '../store/due-deliveries';
import { CAPACITY_LIMITS, DeliveryCapacity, type LeasedDelivery, MAX_READ_AHEAD } from './capacity';

const quickly = { accepted: true, durationMs: 5 };
const slowly = { accepted: true, durationMs: 2_000 };
const rejected = { accepted: false, durationMs: 5 };

/** A capacity whose destinations have any number of slots, for tests of the other limits. */
function withoutSlots(): DeliveryCapacity {
  const none = Number.POSITIVE_INFINITY;
  return new DeliveryCapacity(
    { ...CAPACITY_LIMITS, inMemory: 100 },
    new FairSemaphores(() => ({
      ...{ permits: none, maxWaiting: none, maxWaitingPerQueue: none, waitMs: 1_000 },
      rejection: (reason) => new Error(reason),
    })),
  );
}

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
    simulatedAt: null,
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
  capacity: DeliveryCapacity,
  endpointId: string,
  count: number,
  changes: Partial<LeasedDelivery> = {},
): void {
  for (let n = 0; n < count; n++) capacity.add(held(endpointId, changes));
}

/** Starts the attempts of an endpoint that have slots. */
function start(capacity: DeliveryCapacity, endpointId: string): readonly LeasedDelivery[] {
  return capacity.start(endpointId, 0).started;
}

/** Ends an attempt, which also starts the endpoint's next ones. */
function end(capacity: DeliveryCapacity, attempt: DueDelivery | undefined, outcome: typeof quickly) {
  if (attempt === undefined) throw new Error('the endpoint has no attempt in progress');
  return capacity.end(attempt, outcome, 0);
}

/** Two endpoints with these values share the capacity of a destination. */
const shared = { destination: 'shared.example:443' };

/** Notes that a query filled the endpoints and destinations, so that the database can have further deliveries of them. */
function noteFull(
  capacity: DeliveryCapacity,
  endpointIds: readonly string[],
  destinations: readonly string[],
): void {
  capacity.noteLeased({ endpointIds: [], destinations: [] }, capacity.leasable(), {
    deliveries: [],
    fullEndpoints: new Set(endpointIds),
    fullDestinations: new Set(destinations),
  });
}

const used = (capacity: DeliveryCapacity, endpointId: string) =>
  capacity.leasable().usedByEndpoint.get(endpointId);

test('an endpoint has at most ten concurrent attempts, a failing one two', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 15);
  fill(capacity, 'whe_2', 15, { failing: true });
  const [first, second] = start(capacity, 'whe_1');
  expect(end(capacity, first, quickly).started).toHaveLength(3);
  expect(start(capacity, 'whe_1')).toHaveLength(0);
  expect(start(capacity, 'whe_2')).toHaveLength(2);
  expect(end(capacity, second, quickly).started).toHaveLength(1);
});

test.each([
  [1, 8],
  [2, 4],
  [3, 2],
  [4, 2],
  [5, 1],
  [30, 1],
])('%i slow endpoints of a destination have at most %i concurrent attempts each', (count, limit) => {
  const capacity = withoutSlots();
  const ids = Array.from({ length: count }, (_, n) => `whe_${n}`);
  const attempts = ids.map((id) => {
    fill(capacity, id, 1, shared);
    return start(capacity, id)[0];
  });
  for (const [n, id] of ids.entries()) {
    end(capacity, attempts[n], slowly);
    fill(capacity, id, 12, shared);
  }
  for (const id of ids) expect(start(capacity, id)).toHaveLength(limit);
  expect(used(capacity, 'whe_0')).toEqual({ used: 12, limit });
});

test('slow endpoints have half of the slots of their destination, and each at least one', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 20, shared);
  const attempts = start(capacity, 'whe_1');
  expect(attempts).toHaveLength(8);
  for (const id of ['whe_2', 'whe_3']) {
    fill(capacity, id, 20, shared);
    expect(start(capacity, id)).toHaveLength(1);
  }
  const started = attempts.slice(0, 7).map((attempt) => end(capacity, attempt, slowly).started.length);
  expect(started).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(start(capacity, 'whe_2')).toHaveLength(1);
  expect(start(capacity, 'whe_3')).toHaveLength(1);
});

test('deliveries of a slow endpoint that wait for its own attempts use no capacity of the destination', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 12, shared);
  const [first] = start(capacity, 'whe_1');
  noteFull(capacity, [], [shared.destination]);
  expect(capacity.leasable().usedByDestination.get(shared.destination)).toBe(8);
  expect(end(capacity, first, slowly).started).toHaveLength(1);
  expect(capacity.takeDue().destinations).toEqual([shared.destination]);
});

test('an endpoint is slow until it accepts an attempt within a second, and after a failure', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_other', 1, shared);
  fill(capacity, 'whe_1', 1, shared);
  const attempts: LeasedDelivery[] = [];
  const limitAfter = (outcome: typeof quickly) => {
    attempts.push(...start(capacity, 'whe_1'));
    fill(capacity, 'whe_1', 1, shared);
    attempts.push(...end(capacity, attempts.shift(), outcome).started);
    fill(capacity, 'whe_1', 1, shared);
    return used(capacity, 'whe_1')?.limit;
  };
  expect(used(capacity, 'whe_1')?.limit).toBe(4);
  expect(limitAfter({ accepted: true, durationMs: 1_000 })).toBe(10);
  expect(limitAfter(rejected)).toBe(4);
  expect(limitAfter(quickly)).toBe(10);
  expect(limitAfter(slowly)).toBe(4);
});

test('an endpoint without deliveries takes no share of its destination', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 12, shared);
  for (const [id, outcome] of [['whe_2', slowly] as const, ['whe_3', rejected] as const]) {
    fill(capacity, id, 1, shared);
    end(capacity, start(capacity, id)[0], outcome);
  }
  expect(start(capacity, 'whe_1')).toHaveLength(8);
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
    const capacity = withoutSlots();
    fill(capacity, 'whe_1', 4, shared);
    end(capacity, start(capacity, 'whe_1')[0], outcome);
    expect(used(capacity, 'whe_1')?.used).toBe(3 - readAhead);
    expect(capacity.leasable().usedByDestination.get(shared.destination)).toBe(3 - readAhead);
  },
);

test('further deliveries are leased when half of those in advance are used', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', MAX_READ_AHEAD / 2 + 12, shared);
  const [first, second] = start(capacity, 'whe_1');
  noteFull(capacity, ['whe_1'], [shared.destination]);
  end(capacity, first, quickly);
  expect(capacity.hasDue).toBe(false);
  end(capacity, second, quickly);
  expect(capacity.takeDue()).toEqual({ endpointIds: ['whe_1'], destinations: [shared.destination] });
  expect(capacity.hasDue).toBe(false);
});

test('an endpoint is leased until its slots are used, and a quick one in advance', () => {
  const capacity = withoutSlots();
  const isLeased = (endpointId: string) => {
    capacity.takeDue();
    capacity.signalDue([endpointId]);
    return capacity.takeDue().endpointIds.includes(endpointId);
  };
  expect(isLeased('whe_1')).toBe(true);
  fill(capacity, 'whe_1', 7);
  expect(isLeased('whe_1')).toBe(true);
  fill(capacity, 'whe_1', 1);
  expect(isLeased('whe_1')).toBe(false);
  end(capacity, start(capacity, 'whe_1')[0], quickly);
  fill(capacity, 'whe_1', MAX_READ_AHEAD + 2);
  expect(isLeased('whe_1')).toBe(true);
  fill(capacity, 'whe_1', 1);
  expect(isLeased('whe_1')).toBe(false);
  fill(capacity, 'whe_2', 2, { failing: true });
  expect(isLeased('whe_2')).toBe(false);
});

test('a signal of an endpoint without capacity leads to a query when an attempt has ended', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 8);
  const [first] = start(capacity, 'whe_1');
  capacity.signalDue(['whe_1']);
  expect(capacity.hasDue).toBe(false);
  end(capacity, first, quickly);
  expect(capacity.takeDue().endpointIds).toEqual(['whe_1']);
});

test('a delivery uses memory until it is recorded or released', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 60);
  fill(capacity, 'whe_2', 40);
  expect(capacity.leasable().free).toBe(0);
  const attempts = start(capacity, 'whe_1');
  for (const attempt of attempts) end(capacity, attempt, quickly);
  expect(capacity.leasable().free).toBe(0);
  for (const attempt of attempts) capacity.finish(attempt);
  capacity.free(2);
  expect(capacity.leasable().free).toBe(10);
});

test('a query that found no memory is repeated as soon as there is some', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 100);
  capacity.keepUntilFree({ endpointIds: ['whe_2'], destinations: ['a:443'] });
  expect([capacity.free(1), capacity.free(1)]).toEqual([true, false]);
  expect(capacity.takeDue()).toEqual({ endpointIds: ['whe_2'], destinations: ['a:443'] });
});

test('a delivery whose attempt is not recorded is not attempted again, its next attempt is', () => {
  const capacity = withoutSlots();
  const delivery = held('whe_1');
  capacity.add(delivery);
  expect(start(capacity, 'whe_1')).toEqual([delivery]);
  capacity.add(delivery);
  end(capacity, delivery, quickly);
  capacity.add(delivery);
  expect(start(capacity, 'whe_1')).toEqual([]);
  const next = { ...delivery, roundAttempts: 1 };
  capacity.add(next);
  expect(start(capacity, 'whe_1')).toEqual([next]);
  capacity.finish(delivery);
  capacity.add(delivery);
  expect(start(capacity, 'whe_1')).toEqual([delivery]);
});

test('a failure removes the waiting deliveries of the endpoint', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 15);
  expect(end(capacity, start(capacity, 'whe_1')[0], rejected).removed).toHaveLength(7);
  expect(start(capacity, 'whe_1')).toHaveLength(0);
});

test('deliveries that waited longer than a second are removed, attempts in progress continue', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 12, { sinceMs: 1_000 });
  start(capacity, 'whe_1');
  fill(capacity, 'whe_1', 3, { sinceMs: 1_900 });
  expect(capacity.removeWaiting(2_500)).toHaveLength(4);
  expect(capacity.removeWaiting()).toHaveLength(3);
  expect(used(capacity, 'whe_1')?.used).toBe(8);
});

test('deliveries whose leases are a third over are removed, attempts in progress continue', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 9, { sinceMs: 1_000 });
  start(capacity, 'whe_1');
  fill(capacity, 'whe_1', 2, { sinceMs: 1_500 });
  expect(capacity.start('whe_1', 1_000 + LEASE_MS / 3).removed).toHaveLength(0);
  expect(capacity.start('whe_1', 1_001 + LEASE_MS / 3).removed).toHaveLength(1);
  expect(capacity.start('whe_2', 1_001 + LEASE_MS / 3).removed).toHaveLength(0);
  expect(used(capacity, 'whe_1')?.used).toBe(10);
});

test('the waiting deliveries of a changed endpoint are removed, others stay', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 12);
  fill(capacity, 'whe_2', 12);
  start(capacity, 'whe_1');
  expect(capacity.removeWaitingOf('whe_1')).toHaveLength(4);
  expect(capacity.removeWaitingOf('whe_1')).toHaveLength(0);
  expect(used(capacity, 'whe_2')?.used).toBe(12);
});

test('an empty queue is deleted unless the database has further deliveries of the endpoint', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 1);
  const [first] = start(capacity, 'whe_1');
  noteFull(capacity, ['whe_1'], []);
  capacity.takeDue();
  end(capacity, first, quickly);
  const target = capacity.takeDue();
  expect(target.endpointIds).toEqual(['whe_1']);
  const none = { deliveries: [], fullEndpoints: new Set<string>(), fullDestinations: new Set<string>() };
  capacity.noteLeased(target, capacity.leasable(), none);
  expect(capacity.leasable().usedByEndpoint.size).toBe(0);
});

test('all endpoints of a destination share its capacity', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 3, { destination: 'a.example:443' });
  fill(capacity, 'whe_2', 4, { destination: 'a.example:443' });
  fill(capacity, 'whe_3', 2, { destination: 'b.example:443' });
  start(capacity, 'whe_1');
  expect(Object.fromEntries(capacity.leasable().usedByDestination)).toEqual({
    'a.example:443': 7,
    'b.example:443': 2,
  });
});

test('further due deliveries of a destination are leased when none waits', () => {
  const capacity = withoutSlots();
  fill(capacity, 'whe_1', 1, shared);
  fill(capacity, 'whe_2', 1, shared);
  const [first] = start(capacity, 'whe_1');
  noteFull(capacity, [], [shared.destination]);
  end(capacity, first, quickly);
  expect(capacity.hasDue).toBe(false);
  end(capacity, start(capacity, 'whe_2')[0], quickly);
  expect(capacity.takeDue().destinations).toEqual([shared.destination]);
});

test('every destination has its own limit of slots', async () => {
  const capacity = new DeliveryCapacity();
  const { perDestination } = CAPACITY_LIMITS;
  for (let n = 0; n < perDestination; n++) await capacity.acquireSlot('a:443', 'prj_1');
  await expect(capacity.acquireSlot('a:443', 'prj_1', 10)).rejects.toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('a:443'),
  });
  await capacity.acquireSlot('b:443', 'prj_1', 0);
  capacity.releaseSlot('a:443');
  await capacity.acquireSlot('a:443', 'prj_1', 0);
  await expect(capacity.acquireSlot('a:443', 'prj_1', 10)).rejects.toThrow();
});

test('projects that wait for one destination take turns', async () => {
  const capacity = new DeliveryCapacity({ ...CAPACITY_LIMITS, perDestination: 1 });
  await capacity.acquireSlot('a:443', 'prj_first');
  const served: string[] = [];
  const waits = ['prj_busy', 'prj_busy', 'prj_busy', 'prj_quiet'].map((project) =>
    capacity.acquireSlot('a:443', project).then(() => {
      served.push(project);
      capacity.releaseSlot('a:443');
    }),
  );
  capacity.releaseSlot('a:443');
  await Promise.all(waits);
  expect(served).toEqual(['prj_busy', 'prj_quiet', 'prj_busy', 'prj_busy']);
});

test('a delivery without a slot of its destination waits and uses no slot of its endpoint', async () => {
  const capacity = new DeliveryCapacity();
  const { destination } = held('whe_1');
  for (let n = 2; n < CAPACITY_LIMITS.perDestination; n++) await capacity.acquireSlot(destination, 'prj_2');
  fill(capacity, 'whe_1', 5);
  expect(start(capacity, 'whe_1')).toHaveLength(2);
  const slot = capacity.awaitSlot('whe_1');
  expect(slot).not.toBeNull();
  expect(capacity.awaitSlot('whe_1')).toBeNull();
  for (let n = 0; n < 3; n++) capacity.releaseSlot(destination);
  expect(capacity.start('whe_1', 0, await slot).started).toHaveLength(3);
  expect(capacity.awaitSlot('whe_1')).toBeNull();
});

test('a slot that no delivery uses any more is released', async () => {
  const capacity = new DeliveryCapacity({ ...CAPACITY_LIMITS, perDestination: 1 });
  await capacity.acquireSlot('a:443', 'prj_2');
  fill(capacity, 'whe_1', 1, { destination: 'a:443' });
  expect(start(capacity, 'whe_1')).toHaveLength(0);
  const slot = capacity.awaitSlot('whe_1');
  capacity.removeWaitingOf('whe_1');
  capacity.releaseSlot('a:443');
  expect(capacity.start('whe_1', 0, await slot).started).toHaveLength(0);
  await capacity.acquireSlot('a:443', 'prj_2', 0);
});
