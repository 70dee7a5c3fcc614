import { newCredential, parseCredential } from './credential';

const kinds = [
  ['secretKey', 'sandbox', 'sk_test_'],
  ['secretKey', 'production', 'sk_live_'],
  ['token', 'sandbox', 'pt_test_'],
  ['token', 'production', 'pt_live_'],
] as const;

test.each(kinds)(
  'a %s of the %s begins with %s, and is read back as what it is',
  (kind, environment, prefix) => {
    const secret = newCredential(kind, environment);
    expect(secret.startsWith(prefix)).toBe(true);
    expect(parseCredential(secret)).toMatchObject({ kind, environment });
  },
);

test('a credential holds at least 160 random bits, and no two are alike', () => {
  const made = new Set(Array.from({ length: 1_000 }, () => newCredential('secretKey', 'sandbox')));
  expect(made.size).toBe(1_000);
  expect(Math.log2(62) * 32).toBeGreaterThanOrEqual(160);
  const characters = new Set([...made].flatMap((secret) => [...secret.slice(8, 40)]));
  expect(characters.size).toBe(62);
});

test('any one changed, missing or added character is noticed without a database', () => {
  const secret = newCredential('secretKey', 'sandbox');
  for (let place = 0; place < secret.length; place++) {
    const other = secret[place] === 'a' ? 'b' : 'a';
    expect(parseCredential(secret.slice(0, place) + other + secret.slice(place + 1))).toBeNull();
    expect(parseCredential(secret.slice(0, place) + secret.slice(place + 1))).toBeNull();
  }
  expect(parseCredential(`${secret}a`)).toBeNull();
});

test('a key of one environment does not become one of the other by its prefix', () => {
  const secret = newCredential('secretKey', 'sandbox');
  expect(parseCredential(secret.replace('sk_test_', 'sk_live_'))).toBeNull();
});

test.each([
  '',
  'sk_test_',
  'sk_test_short',
  'pk_test_aaaa',
  'sk_test_é',
  ` ${newCredential('token', 'sandbox')}`,
])('%p is no credential', (text) => expect(parseCredential(text)).toBeNull());
