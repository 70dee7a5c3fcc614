import { EndpointQueues, type LeasedDelivery, READ_AHEAD } from './endpoint-queues';

const limits = { inAll: 100, perEndpoint: 10, perFailingEndpoint: 2, perDestination: 16 };
const quickly = { accepted: true, durationMs: 5 };
const slowly = { accepted: true, durationMs: 2_000 };
const refused = { accepted: false, durationMs: 5 };

let number = 0;

function held(endpointId: string, changes: Partial<LeasedDelivery> = {}): LeasedDelivery {
  return {
    endpointId,
    eventId: `evt_${++number}`,
    projectId: 'prj_1',
    // A destination per endpoint, so that none uses another's capacity.
    destination: `${endpointId}.example:443`,
    round: 1,
    roundAttempts: 0,
    takenAt: new Date(0),
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

test('of one endpoint ten are in flight, of a failing one two, whatever waits', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 15);
  fill(queues, 'whe_2', 15, { failing: true });
  expect(queues.start('whe_1', () => true)).toHaveLength(10);
  expect(queues.start('whe_1', () => true)).toHaveLength(0);
  expect(queues.start('whe_2', () => true)).toHaveLength(2);
  queues.end('whe_1', quickly);
  expect(queues.start('whe_1', () => true)).toHaveLength(1);
});

test('only an endpoint whose last try was accepted quickly is read ahead of its places', () => {
  const queues = new EndpointQueues(limits);
  for (const [id, outcome] of [
    ['whe_quick', quickly],
    ['whe_slow', slowly],
    ['whe_failing', refused],
  ] as const) {
    fill(queues, id, 4);
    queues.start(id, () => true);
    queues.end(id, outcome);
  }
  const { busy } = queues.capacity('due');
  expect(busy.get('whe_quick')).toBe(3 - READ_AHEAD);
  expect(busy.get('whe_slow')).toBe(3);
  expect(busy.get('whe_failing')).toBe(3);
});

test('what is new waits its turn behind what the database has', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 3);
  queues.noteMore('whe_1', true);
  expect(queues.capacity('new').busy.get('whe_1')).toBe(limits.perEndpoint);
  expect(queues.capacity('due').busy.get('whe_1')).toBe(3);
  queues.noteMore('whe_1', false);
  expect(queues.capacity('new').busy.get('whe_1')).toBe(3);
});

test('what is held counts until it is recorded, for every endpoint', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 60);
  fill(queues, 'whe_2', 40);
  expect(queues.capacity('due').free).toBe(0);
  for (const { endpointId } of queues.start('whe_1', () => true)) queues.end(endpointId, quickly);
  expect(queues.free).toBe(0);
  queues.release(10);
  expect(queues.free).toBe(10);
});

test('a failure gives back what waits, so that it is not held by one that fails', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 15);
  queues.start('whe_1', () => true);
  expect(queues.end('whe_1', refused)).toHaveLength(5);
  expect(queues.start('whe_1', () => true)).toHaveLength(0);
});

test('what has waited longer than a second is given back, and what is in flight goes on', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12, { sinceMs: 1_000 });
  queues.start('whe_1', () => true);
  fill(queues, 'whe_1', 3, { sinceMs: 1_900 });
  expect(queues.takeBack(2_500)).toHaveLength(2);
  expect(queues.takeBack()).toHaveLength(3);
  expect(queues.capacity('due').busy.get('whe_1')).toBe(10);
});

test('what waits for an endpoint that was changed is given back, and others are left alone', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 12);
  fill(queues, 'whe_2', 12);
  queues.start('whe_1', () => true);
  expect(queues.takeBackOf('whe_1')).toHaveLength(2);
  expect(queues.takeBackOf('whe_1')).toHaveLength(0);
  expect(queues.capacity('due').busy.get('whe_2')).toBe(12);
});

test('an endpoint of which nothing is held is forgotten, unless the database has more', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 1);
  queues.start('whe_1', () => true);
  queues.noteMore('whe_1', true);
  queues.end('whe_1', quickly);
  expect(queues.wantsMore('whe_1')).toBe(true);
  queues.noteMore('whe_1', false);
  expect(queues.capacity('due').busy.size).toBe(0);
});

test('a delivery without a slot at its destination waits, and its place stays free', () => {
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

test('the room of a destination is used by all of its endpoints together', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 7, { destination: 'a.example:443' });
  fill(queues, 'whe_2', 6, { destination: 'a.example:443' });
  fill(queues, 'whe_3', 2, { destination: 'b.example:443' });
  queues.start('whe_1', () => true);
  expect(Object.fromEntries(queues.capacity('due').busyDestinations)).toEqual({
    'a.example:443': 13,
    'b.example:443': 2,
  });
});

test('what is new for a destination waits behind what the database has of it, and is asked for when none waits', () => {
  const queues = new EndpointQueues(limits);
  fill(queues, 'whe_1', 1, { destination: 'a.example:443' });
  expect(queues.wantsMoreOf('a.example:443')).toBe(false);
  queues.noteMoreOf('a.example:443', true);
  expect(queues.capacity('new').busyDestinations.get('a.example:443')).toBe(limits.perDestination);
  expect(queues.capacity('due').busyDestinations.get('a.example:443')).toBe(1);
  expect(queues.wantsMoreOf('a.example:443')).toBe(false);
  queues.start('whe_1', () => true);
  expect(queues.wantsMoreOf('a.example:443')).toBe(true);
});
