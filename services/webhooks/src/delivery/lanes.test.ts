import { type HeldDelivery, Lanes, READ_AHEAD } from './lanes';

const limits = { inAll: 100, perEndpoint: 10, perFailingEndpoint: 2, perDestination: 16 };
const quickly = { accepted: true, durationMs: 5 };
const slowly = { accepted: true, durationMs: 2_000 };
const refused = { accepted: false, durationMs: 5 };

let number = 0;

function held(endpointId: string, changes: Partial<HeldDelivery> = {}): HeldDelivery {
  return {
    endpointId,
    eventId: `evt_${++number}`,
    projectId: 'prj_1',
    // Its own, so that none fills another's.
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

function fill(lanes: Lanes, endpointId: string, count: number, changes: Partial<HeldDelivery> = {}): void {
  for (let n = 0; n < count; n++) lanes.add(held(endpointId, changes));
}

test('of one endpoint ten are in flight, of a failing one two, whatever waits', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 15);
  fill(lanes, 'whe_2', 15, { failing: true });
  expect(lanes.start('whe_1', () => true)).toHaveLength(10);
  expect(lanes.start('whe_1', () => true)).toHaveLength(0);
  expect(lanes.start('whe_2', () => true)).toHaveLength(2);
  lanes.end('whe_1', quickly);
  expect(lanes.start('whe_1', () => true)).toHaveLength(1);
});

test('only an endpoint whose last try was accepted quickly is read ahead of its places', () => {
  const lanes = new Lanes(limits);
  for (const [id, outcome] of [
    ['whe_quick', quickly],
    ['whe_slow', slowly],
    ['whe_failing', refused],
  ] as const) {
    fill(lanes, id, 4);
    lanes.start(id, () => true);
    lanes.end(id, outcome);
  }
  const { busy } = lanes.capacity('due');
  expect(busy.get('whe_quick')).toBe(3 - READ_AHEAD);
  expect(busy.get('whe_slow')).toBe(3);
  expect(busy.get('whe_failing')).toBe(3);
});

test('what is new waits its turn behind what the database has', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 3);
  lanes.noteMore('whe_1', true);
  expect(lanes.capacity('new').busy.get('whe_1')).toBe(limits.perEndpoint);
  expect(lanes.capacity('due').busy.get('whe_1')).toBe(3);
  lanes.noteMore('whe_1', false);
  expect(lanes.capacity('new').busy.get('whe_1')).toBe(3);
});

test('what is held counts until it is written down, whoever it is for', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 60);
  fill(lanes, 'whe_2', 40);
  expect(lanes.capacity('due').free).toBe(0);
  for (const { endpointId } of lanes.start('whe_1', () => true)) lanes.end(endpointId, quickly);
  expect(lanes.free).toBe(0);
  lanes.release(10);
  expect(lanes.free).toBe(10);
});

test('a failure gives back what waits, so that it is not held by one that fails', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 15);
  lanes.start('whe_1', () => true);
  expect(lanes.end('whe_1', refused)).toHaveLength(5);
  expect(lanes.start('whe_1', () => true)).toHaveLength(0);
});

test('what has waited longer than a second is given back, and what is in flight goes on', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 12, { sinceMs: 1_000 });
  lanes.start('whe_1', () => true);
  fill(lanes, 'whe_1', 3, { sinceMs: 1_900 });
  expect(lanes.takeBack(2_500)).toHaveLength(2);
  expect(lanes.takeBack()).toHaveLength(3);
  expect(lanes.capacity('due').busy.get('whe_1')).toBe(10);
});

test('what waits for an endpoint that was changed is given back, and others are left alone', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 12);
  fill(lanes, 'whe_2', 12);
  lanes.start('whe_1', () => true);
  expect(lanes.takeBackOf('whe_1')).toHaveLength(2);
  expect(lanes.takeBackOf('whe_1')).toHaveLength(0);
  expect(lanes.capacity('due').busy.get('whe_2')).toBe(12);
});

test('an endpoint of which nothing is held is forgotten, unless the database has more', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 1);
  lanes.start('whe_1', () => true);
  lanes.noteMore('whe_1', true);
  lanes.end('whe_1', quickly);
  expect(lanes.wantsMore('whe_1')).toBe(true);
  lanes.noteMore('whe_1', false);
  expect(lanes.capacity('due').busy.size).toBe(0);
});

test('a delivery without a slot at its destination waits, and its place stays free', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 5);
  let slots = 2;
  const takeSlot = () => slots-- > 0;
  expect(lanes.start('whe_1', takeSlot)).toHaveLength(2);
  expect(lanes.next('whe_1')).toBeDefined();
  slots = 3;
  expect(lanes.start('whe_1', takeSlot)).toHaveLength(3);
  expect(lanes.next('whe_1')).toBeUndefined();
});

test('the room of a destination is used by all of its endpoints together', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 7, { destination: 'a.example:443' });
  fill(lanes, 'whe_2', 6, { destination: 'a.example:443' });
  fill(lanes, 'whe_3', 2, { destination: 'b.example:443' });
  lanes.start('whe_1', () => true);
  expect(Object.fromEntries(lanes.capacity('due').busyDestinations)).toEqual({
    'a.example:443': 13,
    'b.example:443': 2,
  });
});

test('what is new for a destination waits behind what the database has of it, and is asked for when none waits', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 1, { destination: 'a.example:443' });
  expect(lanes.wantsMoreOf('a.example:443')).toBe(false);
  lanes.noteMoreOf('a.example:443', true);
  expect(lanes.capacity('new').busyDestinations.get('a.example:443')).toBe(limits.perDestination);
  expect(lanes.capacity('due').busyDestinations.get('a.example:443')).toBe(1);
  expect(lanes.wantsMoreOf('a.example:443')).toBe(false);
  lanes.start('whe_1', () => true);
  expect(lanes.wantsMoreOf('a.example:443')).toBe(true);
});
