import { fc } from '@carecover/local/properties';
import { canonicalJson, requestHash } from './canonical';

/** The same value with the members of every object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test('equal JSON values have one text whatever the order of their members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      expect(canonicalJson(reversed(plain))).toBe(canonicalJson(plain));
      expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
    }),
  );
});

test('path, body and secret all tell requests apart', () => {
  const hashes = [
    requestHash('/v1/claims', { a: 1 }, 'one'),
    requestHash('/v1/claims', { a: 2 }, 'one'),
    requestHash('/v1/claims/x', { a: 1 }, 'one'),
    requestHash('/v1/claims', { a: 1 }, 'two'),
    requestHash('/v1/claims', null, 'one'),
  ].map((hash) => hash.toString('hex'));
  expect(new Set(hashes).size).toBe(hashes.length);
});
