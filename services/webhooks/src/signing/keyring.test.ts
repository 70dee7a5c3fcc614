import { randomBytes } from 'node:crypto';
import { Keyring, keyring } from './keyring';

const old = randomBytes(32);
const next = randomBytes(32);

test('a sealed secret opens, and no two seals of it look alike', () => {
  const ring = new Keyring(new Map([['k1', old]]));
  const sealed = ring.seal('whsec_abc', 'whe_1');
  expect(ring.open(sealed, 'whe_1')).toBe('whsec_abc');
  expect(Buffer.from(sealed.sealed).includes('whsec_abc')).toBe(false);
  expect(ring.seal('whsec_abc', 'whe_1').sealed).not.toEqual(sealed.sealed);
});

test('a secret moved to another endpoint, altered or cut short does not open', () => {
  const ring = new Keyring(new Map([['k1', old]]));
  const { keyId, sealed } = ring.seal('whsec_abc', 'whe_1');
  expect(() => ring.open({ keyId, sealed }, 'whe_2')).toThrow();
  const altered = Buffer.from(sealed);
  altered.writeUInt8(altered.readUInt8(14) ^ 1, 14);
  expect(() => ring.open({ keyId, sealed: altered }, 'whe_1')).toThrow();
  expect(() => ring.open({ keyId, sealed: sealed.subarray(0, 20) }, 'whe_1')).toThrow();
});

test('after a rotation of the keys the first one seals and the old one still opens', () => {
  const before = new Keyring(new Map([['k1', old]])).seal('whsec_abc', 'whe_1');
  const ring = new Keyring(
    new Map([
      ['k2', next],
      ['k1', old],
    ]),
  );
  expect(ring.open(before, 'whe_1')).toBe('whsec_abc');
  expect(ring.seal('whsec_abc', 'whe_1').keyId).toBe('k2');
  expect(() => new Keyring(new Map([['k2', next]])).open(before, 'whe_1')).toThrow('k1');
});

test('the setting is refused unless every key has its own id and 32 bytes', () => {
  const [a, b] = [old.toString('base64'), next.toString('base64')];
  expect(keyring.read(`k2:${b},k1:${a}`)?.currentKeyId).toBe('k2');
  for (const wrong of ['', a, `k1:${a},k1:${b}`, `k1:${a.slice(4)}`, `k1:${a},`, `k 1:${a}`, 'k1:']) {
    expect(keyring.read(wrong)).toBeUndefined();
  }
});
