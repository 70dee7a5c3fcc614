import { createCredential, parseCredential } from './credential';

const kinds = [
  ['secretKey', 'sandbox', 'sk_test_'],
  ['secretKey', 'production', 'sk_live_'],
  ['token', 'sandbox', 'pt_test_'],
  ['token', 'production', 'pt_live_'],
] as const;

test.each(kinds)('a %s of the %s begins with %s and is parsed as its kind', (kind, environment, prefix) => {
  const secret = createCredential(kind, environment);
  expect(secret.startsWith(prefix)).toBe(true);
  expect(parseCredential(secret)).toMatchObject({ kind, environment });
});

test('a credential has at least 160 random bits, and no two are equal', () => {
  const secrets = new Set(Array.from({ length: 1_000 }, () => createCredential('secretKey', 'sandbox')));
  expect(secrets.size).toBe(1_000);
  expect(Math.log2(62) * 32).toBeGreaterThanOrEqual(160);
  const characters = new Set([...secrets].flatMap((secret) => [...secret.slice(8, 40)]));
  expect(characters.size).toBe(62);
});

test('a changed, missing or additional character is detected without a database', () => {
  const secret = createCredential('secretKey', 'sandbox');
  for (let index = 0; index < secret.length; index++) {
    const other = secret[index] === 'a' ? 'b' : 'a';
    expect(parseCredential(secret.slice(0, index) + other + secret.slice(index + 1))).toBeNull();
    expect(parseCredential(secret.slice(0, index) + secret.slice(index + 1))).toBeNull();
  }
  expect(parseCredential(`${secret}a`)).toBeNull();
});

test('a key of one environment with the prefix of the other is invalid', () => {
  const secret = createCredential('secretKey', 'sandbox');
  expect(parseCredential(secret.replace('sk_test_', 'sk_live_'))).toBeNull();
});

test.each([
  '',
  'sk_test_',
  'sk_test_short',
  'pk_test_aaaa',
  'sk_test_é',
  ` ${createCredential('token', 'sandbox')}`,
])('%p is not a credential', (text) => expect(parseCredential(text)).toBeNull());
