import { createHmac } from 'node:crypto';
import { canonicalJson } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { requestHash } from './request-hash';

/** Returns the same JSON value with the members of every object in reverse order. */
function reverseMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseMembers);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

test('equal JSON values have the same text in any order of their members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(canonicalJson(reverseMembers(plain))).toBe(canonicalJson(plain));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }),
  );
});

test('the hash depends on path, body and secret', async () => {
  const results = await Promise.all([
    requestHash('/v1/claims', { a: 1 }, 'one'),
    requestHash('/v1/claims', { a: 2 }, 'one'),
    requestHash('/v1/claims/x', { a: 1 }, 'one'),
    requestHash('/v1/claims', { a: 1 }, 'two'),
    requestHash('/v1/claims', null, 'one'),
  ]);
  const hashes = results.map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('a long value is hashed in several turns of the event loop, with the hash of its canonical text', async () => {
  const records = Array.from({ length: 500 }, (_, index) => ({ index, text: 'é'.repeat(200) }));
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const hash = await requestHash('/v1/coverage_batches', { records }, 'secret');
  clearImmediate(next);
  const whole = createHmac('sha256', 'secret').update(`/v1/coverage_batches\0${canonicalJson({ records })}`);
  expect(hash).toEqual(whole.digest());
  expect(turns).toBeGreaterThan(2);
});
