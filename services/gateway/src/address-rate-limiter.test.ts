import { AddressRateLimiter } from './address-rate-limiter';

const NOW = Date.parse('2027-01-01T00:00:30.000Z');

test('an address at its limit is rejected until the minute ends', () => {
  const limiter = new AddressRateLimiter(3);
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(limiter.isLimited('192.0.2.1', null, NOW)).toBe(false);
    limiter.recordFailure('192.0.2.1', null, NOW);
  }
  expect(limiter.isLimited('192.0.2.1', null, NOW)).toBe(true);
  expect(limiter.isLimited('192.0.2.2', null, NOW)).toBe(false);
  expect(AddressRateLimiter.secondsUntilReset(NOW)).toBe(30);
  expect(limiter.isLimited('192.0.2.1', null, NOW + 30_000)).toBe(false);
});

test('a recently valid credential is not limited behind an address at its limit, until it fails', () => {
  const limiter = new AddressRateLimiter(1);
  limiter.recordSuccess('good');
  limiter.recordFailure('192.0.2.1', null, NOW);
  expect(limiter.isLimited('192.0.2.1', 'good', NOW)).toBe(false);
  expect(limiter.isLimited('192.0.2.1', 'other', NOW)).toBe(true);
  limiter.recordFailure('192.0.2.1', 'good', NOW);
  expect(limiter.isLimited('192.0.2.1', 'good', NOW)).toBe(true);
});

test('the numbers of stored addresses and credentials are bounded', () => {
  const limiter = new AddressRateLimiter(1);
  for (let index = 0; index < 30_000; index++) {
    limiter.recordFailure(`address ${index}`, null, NOW);
    limiter.recordSuccess(`credential ${index}`);
  }
  expect(limiter.isLimited('address 0', null, NOW)).toBe(true);
  expect(limiter.isLimited('address 29999', null, NOW)).toBe(false);
  expect(limiter.isLimited('address 0', 'credential 29999', NOW)).toBe(false);
  expect(limiter.isLimited('address 0', 'credential 0', NOW)).toBe(true);
});

test('a failed credential is stored as unknown until the minute ends', () => {
  const limiter = new AddressRateLimiter(1);
  expect(limiter.isUnknown('bad', NOW)).toBe(false);
  limiter.recordFailure('192.0.2.1', 'bad', NOW);
  expect(limiter.isUnknown('bad', NOW)).toBe(true);
  expect(limiter.isUnknown('other', NOW)).toBe(false);
  expect(limiter.isUnknown('bad', NOW + 30_000)).toBe(false);
});

test('a failure of the minute before counts in the current minute, and its counts stay', () => {
  const limiter = new AddressRateLimiter(2);
  const next = NOW + 30_000;
  limiter.recordFailure('192.0.2.1', 'wrong', next);
  limiter.recordFailure('192.0.2.1', null, NOW + 29_999);
  expect(limiter.isLimited('192.0.2.1', null, next)).toBe(true);
  expect(limiter.isUnknown('wrong', next)).toBe(true);
});

test('after the clock was set back, the counts start again', () => {
  const limiter = new AddressRateLimiter(1);
  limiter.recordFailure('192.0.2.1', null, NOW);
  expect(limiter.isLimited('192.0.2.1', null, NOW - 3_600_000)).toBe(false);
});
