import { randomBytes } from 'node:crypto';
import { Keyring, keyring } from './keyring';

const old = randomBytes(32);
const next = randomBytes(32);

test('an encrypted secret can be decrypted, and its ciphertexts differ', () => {
  const ring = new Keyring(new Map([['k1', old]]));
  const ciphertext = ring.encrypt('whsec_abc', 'whe_1');
  expect(ring.decrypt(ciphertext, 'whe_1')).toBe('whsec_abc');
  expect(Buffer.from(ciphertext.ciphertext).includes('whsec_abc')).toBe(false);
  expect(ring.encrypt('whsec_abc', 'whe_1').ciphertext).not.toEqual(ciphertext.ciphertext);
});

test('a secret of another endpoint, an altered and a truncated one are not decrypted', () => {
  const ring = new Keyring(new Map([['k1', old]]));
  const { keyId, ciphertext } = ring.encrypt('whsec_abc', 'whe_1');
  expect(() => ring.decrypt({ keyId, ciphertext }, 'whe_2')).toThrow();
  const altered = Buffer.from(ciphertext);
  altered.writeUInt8(altered.readUInt8(14) ^ 1, 14);
  expect(() => ring.decrypt({ keyId, ciphertext: altered }, 'whe_1')).toThrow();
  expect(() => ring.decrypt({ keyId, ciphertext: ciphertext.subarray(0, 20) }, 'whe_1')).toThrow();
});

test('after a key rotation the first key encrypts and the old one still decrypts', () => {
  const before = new Keyring(new Map([['k1', old]])).encrypt('whsec_abc', 'whe_1');
  const ring = new Keyring(
    new Map([
      ['k2', next],
      ['k1', old],
    ]),
  );
  expect(ring.decrypt(before, 'whe_1')).toBe('whsec_abc');
  expect(ring.encrypt('whsec_abc', 'whe_1').keyId).toBe('k2');
  expect(() => new Keyring(new Map([['k2', next]])).decrypt(before, 'whe_1')).toThrow('k1');
});

test('the secrets of a lost key are left out, unless no other is left', () => {
  const lost = new Keyring(new Map([['k1', old]])).encrypt('whsec_lost', 'whe_1');
  const ring = new Keyring(new Map([['k2', next]]));
  const valid = ring.encrypt('whsec_valid', 'whe_1');
  expect(ring.decryptEach([valid, lost], 'whe_1')).toEqual(['whsec_valid']);
  expect(() => ring.decryptEach([lost], 'whe_1')).toThrow('no signing secret can be decrypted');
});

test('the setting is rejected unless every key has its own ID and 32 bytes', () => {
  const [a, b] = [old.toString('base64'), next.toString('base64')];
  expect(keyring.read(`k2:${b},k1:${a}`)?.currentKeyId).toBe('k2');
  for (const wrong of ['', a, `k1:${a},k1:${b}`, `k1:${a.slice(4)}`, `k1:${a},`, `k 1:${a}`, 'k1:']) {
    expect(keyring.read(wrong)).toBeUndefined();
  }
});
