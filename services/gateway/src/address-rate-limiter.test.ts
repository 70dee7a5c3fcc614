import { AddressRateLimiter } from './address-rate-limiter';

const NOW = Date.parse('2027-01-01T00:00:30.000Z');

test('an address that used up its failures is refused until the minute ends', () => {
  const guard = new AddressRateLimiter(3);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(guard.rejects('192.0.2.1', null, NOW)).toBe(false);
    guard.failed('192.0.2.1', null, NOW);
  }
  expect(guard.rejects('192.0.2.1', null, NOW)).toBe(true);
  expect(guard.rejects('192.0.2.2', null, NOW)).toBe(false);
  expect(AddressRateLimiter.secondsLeft(NOW)).toBe(30);
  expect(guard.rejects('192.0.2.1', null, NOW + 30_000)).toBe(false);
});

test('a credential that was good lately passes from a flooded address, until it fails', () => {
  const guard = new AddressRateLimiter(1);
  guard.passed('good');
  guard.failed('192.0.2.1', null, NOW);
  expect(guard.rejects('192.0.2.1', 'good', NOW)).toBe(false);
  expect(guard.rejects('192.0.2.1', 'other', NOW)).toBe(true);
  guard.failed('192.0.2.1', 'good', NOW);
  expect(guard.rejects('192.0.2.1', 'good', NOW)).toBe(true);
});

test('a flood from everywhere is remembered within bounds', () => {
  const guard = new AddressRateLimiter(1);
  for (let index = 0; index < 30_000; index++) {
    guard.failed(`address ${index}`, null, NOW);
    guard.passed(`credential ${index}`);
  }
  expect(guard.rejects('address 0', null, NOW)).toBe(true);
  expect(guard.rejects('address 29999', null, NOW)).toBe(false);
  expect(guard.rejects('address 0', 'credential 29999', NOW)).toBe(false);
  expect(guard.rejects('address 0', 'credential 0', NOW)).toBe(true);
});

test('a credential that failed is known to be unknown until the minute ends', () => {
  const guard = new AddressRateLimiter(1);
  expect(guard.isUnknown('bad', NOW)).toBe(false);
  guard.failed('192.0.2.1', 'bad', NOW);
  expect(guard.isUnknown('bad', NOW)).toBe(true);
  expect(guard.isUnknown('other', NOW)).toBe(false);
  expect(guard.isUnknown('bad', NOW + 30_000)).toBe(false);
});
