import { type HeldDelivery, Lanes, READ_AHEAD } from './lanes';

const limits = { inAll: 100, perEndpoint: 10, perFailingEndpoint: 2 };
const quickly = { accepted: true, durationMs: 5 };
const slowly = { accepted: true, durationMs: 2_000 };
const refused = { accepted: false, durationMs: 5 };

let number = 0;

function held(endpointId: string, changes: Partial<HeldDelivery> = {}): HeldDelivery {
  return {
    endpointId,
    eventId: `evt_${++number}`,
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
  expect(lanes.start('whe_1')).toHaveLength(10);
  expect(lanes.start('whe_1')).toHaveLength(0);
  expect(lanes.start('whe_2')).toHaveLength(2);
  lanes.end('whe_1', quickly);
  expect(lanes.start('whe_1')).toHaveLength(1);
});

test('only an endpoint whose last try was accepted quickly is read ahead of its places', () => {
  const lanes = new Lanes(limits);
  for (const [id, outcome] of [
    ['whe_quick', quickly],
    ['whe_slow', slowly],
    ['whe_failing', refused],
  ] as const) {
    fill(lanes, id, 4);
    lanes.start(id);
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
  for (const { endpointId } of lanes.start('whe_1')) lanes.end(endpointId, quickly);
  expect(lanes.free).toBe(0);
  lanes.release(10);
  expect(lanes.free).toBe(10);
});

test('a failure gives back what waits, so that it is not held by one that fails', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 15);
  lanes.start('whe_1');
  expect(lanes.end('whe_1', refused)).toHaveLength(5);
  expect(lanes.start('whe_1')).toHaveLength(0);
});

test('what has waited longer than a second is given back, and what is in flight goes on', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 12, { sinceMs: 1_000 });
  lanes.start('whe_1');
  fill(lanes, 'whe_1', 3, { sinceMs: 1_900 });
  expect(lanes.takeBack(2_500)).toHaveLength(2);
  expect(lanes.takeBack()).toHaveLength(3);
  expect(lanes.capacity('due').busy.get('whe_1')).toBe(10);
});

test('what waits for an endpoint that was changed is given back, and others are left alone', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 12);
  fill(lanes, 'whe_2', 12);
  lanes.start('whe_1');
  expect(lanes.takeBackOf('whe_1')).toHaveLength(2);
  expect(lanes.takeBackOf('whe_1')).toHaveLength(0);
  expect(lanes.capacity('due').busy.get('whe_2')).toBe(12);
});

test('an endpoint of which nothing is held is forgotten, unless the database has more', () => {
  const lanes = new Lanes(limits);
  fill(lanes, 'whe_1', 1);
  lanes.start('whe_1');
  lanes.noteMore('whe_1', true);
  lanes.end('whe_1', quickly);
  expect(lanes.wantsMore('whe_1')).toBe(true);
  lanes.noteMore('whe_1', false);
  expect(lanes.capacity('due').busy.size).toBe(0);
});
