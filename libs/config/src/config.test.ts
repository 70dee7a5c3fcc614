import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  COMMON_SETTINGS,
  ConfigError,
  ISSUER_SETTINGS,
  loadConfig,
  NATS_SETTINGS,
  newPrivateKey,
  publicKeyOf,
  setting,
  TEMPORAL_SETTINGS,
} from './config';

const spec = {
  NAME: setting.string(),
  SIZE: setting.integer(1, 10),
  KIND: setting.withDefault(setting.choice('small', 'large'), 'small'),
  KEY: setting.secret(8),
  PEERS: setting.optional(setting.urls('http:')),
};

test('valid settings are read with their types, and missing ones have their default', () => {
  const config = loadConfig(spec, {
    NAME: 'a',
    SIZE: '7',
    KEY: 'long enough',
    PEERS: 'http://a:1, http://b:2',
  });
  expect(config).toEqual({
    NAME: 'a',
    SIZE: 7,
    KIND: 'small',
    KEY: 'long enough',
    PEERS: ['http://a:1', 'http://b:2'],
  });
});

test('all invalid settings are reported together, without their values', () => {
  const wrong = { SIZE: '11', KIND: 'middling', KEY: 'hunter2', PEERS: 'ftp://a' };
  const attempt = () => loadConfig(spec, wrong);
  expect(attempt).toThrow(ConfigError);
  try {
    attempt();
  } catch (error) {
    const { message, problems } = error as ConfigError;
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'NAME',
      'SIZE',
      'KIND',
      'KEY',
      'PEERS',
    ]);
    for (const value of Object.values(wrong)) expect(message).not.toContain(value);
  }
});

test('the production environment runs in production mode only', () => {
  const modes = {
    CARECOVER_ENVIRONMENT: COMMON_SETTINGS.CARECOVER_ENVIRONMENT,
    CARECOVER_MODE: COMMON_SETTINGS.CARECOVER_MODE,
  };
  const load = (environment: string, mode: string) =>
    loadConfig(modes, { CARECOVER_ENVIRONMENT: environment, CARECOVER_MODE: mode });
  for (const mode of ['local', 'test']) {
    expect(() => load('production', mode)).toThrow(/CARECOVER_MODE must be production/);
    expect(load('sandbox', mode).CARECOVER_MODE).toBe(mode);
  }
  expect(load('production', '').CARECOVER_MODE).toBe('production');
});

describe('the keys of signed contexts', () => {
  const spec = { CONTEXT_PUBLIC_KEYS: COMMON_SETTINGS.CONTEXT_PUBLIC_KEYS, ...ISSUER_SETTINGS };
  const [first, second, third] = [newPrivateKey(), newPrivateKey(), newPrivateKey()];
  const entry = (issuer: string, key: string) => `${issuer}:${publicKeyOf(key)}`;
  const load = (publicKeys: string, privateKey = first) =>
    loadConfig(spec, { CONTEXT_PUBLIC_KEYS: publicKeys, CONTEXT_PRIVATE_KEY: privateKey });

  test('an issuer has one public key, or two during a rotation', () => {
    const { CONTEXT_PUBLIC_KEYS, CONTEXT_PRIVATE_KEY } = load(
      [entry('care', first), entry('console', second), entry('care', third)].join(', '),
    );
    expect(CONTEXT_PUBLIC_KEYS.care).toHaveLength(2);
    expect(CONTEXT_PUBLIC_KEYS.console).toHaveLength(1);
    expect(CONTEXT_PUBLIC_KEYS.gateway).toBeUndefined();
    expect(createPublicKey(CONTEXT_PRIVATE_KEY).equals(CONTEXT_PUBLIC_KEYS.care?.[0] as never)).toBe(true);
  });

  test.each([
    ['an unknown issuer', entry('webhooks', first)],
    ['an issuer of the prototype', entry('constructor', first)],
    ['one key for two issuers', `${entry('care', first)},${entry('console', first)}`],
    ['one key twice', `${entry('care', first)},${entry('care', first)}`],
    ['three keys of an issuer', [first, second, third].map((key) => entry('care', key)).join(',')],
    ['no key', 'care:'],
    ['a text that is no key', 'care:AAAA'],
    ['an empty entry', `${entry('care', first)},`],
    ['a private key', `care:${Buffer.from(first).toString('base64')}`],
    ['a key of another kind', `care:${rsaPublicKey()}`],
  ])('%s is rejected', (_name, text) => {
    expect(() => load(text)).toThrow(/CONTEXT_PUBLIC_KEYS is not valid: it must be entries <issuer>:/);
  });

  test('a private key that is no Ed25519 key in PEM is rejected, and not printed', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const text of [
      'x'.repeat(64),
      publicKeyOf(first),
      String(rsa.export({ format: 'pem', type: 'pkcs8' })),
    ]) {
      const attempt = () => load(entry('care', first), text);
      expect(attempt).toThrow(/CONTEXT_PRIVATE_KEY is not valid: it must be an Ed25519 private key in PEM/);
      expect(attempt).not.toThrow(new RegExp(text.slice(30, 60).replaceAll(/[+/]/g, '.')));
    }
  });
});

function rsaPublicKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}

describe('in production mode', () => {
  const spec = { ...COMMON_SETTINGS, ...TEMPORAL_SETTINGS, ...NATS_SETTINGS };
  const secrets = {
    CONTEXT_PUBLIC_KEYS: `gateway:${publicKeyOf(newPrivateKey())}`,
    NATS_PASSWORD: 'x'.repeat(32),
    TEMPORAL_API_KEY: 'x'.repeat(32),
  };
  const env = {
    CARECOVER_ENVIRONMENT: 'sandbox',
    DATABASE_URL: 'postgres://claims:secret@db/carecover',
    TEMPORAL_ADDRESS: 'temporal:7233',
    NATS_URL: 'nats://nats:4222',
    ...secrets,
  };
  const attempt = (changes: Record<string, string>) => () => loadConfig(spec, { ...env, ...changes });

  test('settings without authentication of PostgreSQL, NATS or Temporal are rejected at the start', () => {
    expect(attempt({})).not.toThrow();
    expect(attempt({ TEMPORAL_API_KEY: '' })).toThrow(
      /TEMPORAL_API_KEY, or TEMPORAL_TLS_CLIENT_CERT_PATH with TEMPORAL_TLS_CLIENT_KEY_PATH, must be set/,
    );
    expect(attempt({ NATS_PASSWORD: '' })).toThrow(/NATS_PASSWORD is not set/);
    expect(attempt({ DATABASE_URL: 'postgres://claims@db/carecover' })).toThrow(
      /DATABASE_URL must contain the role's password/,
    );
    expect(attempt({ TEMPORAL_API_KEY: '', DATABASE_URL: 'postgres://claims@db/carecover' })).toThrow(
      /TEMPORAL_API_KEY[\s\S]*DATABASE_URL/,
    );
  });

  test.each(['\n', '\r', ' ', '\t', '\u007f', '\u00e9'])(
    'an API key of Temporal with %j is rejected, and not in the message',
    (character) => {
      for (const key of [`${'x'.repeat(20)}${character}`, `${'x'.repeat(20)}${character}${'x'.repeat(20)}`]) {
        const wrong = attempt({ TEMPORAL_API_KEY: key });
        expect(wrong).toThrow(/TEMPORAL_API_KEY is not valid: .*without spaces and line ends/);
        expect(wrong).not.toThrow(/xxx/);
      }
    },
  );

  test('in local mode Temporal needs no authentication, but NATS needs a password', () => {
    expect(attempt({ CARECOVER_MODE: 'local', TEMPORAL_API_KEY: '' })).not.toThrow();
    expect(attempt({ CARECOVER_MODE: 'local', NATS_PASSWORD: '' })).toThrow(/NATS_PASSWORD/);
  });

  test('a password in the address of NATS is rejected, and not in the message', () => {
    const wrong = attempt({ NATS_URL: 'nats://claims:hunter2@nats:4222' });
    expect(wrong).toThrow(/NATS_URL is not valid: .*without a user or password/);
    expect(wrong).not.toThrow(/hunter2/);
  });
});

describe('settings from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-settings-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const rest = { NAME: 'a', SIZE: '7' };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a setting is read from the file in NAME_FILE, without its last line break', () => {
    const config = loadConfig(spec, { ...rest, KEY_FILE: file('key', 'from a file\n') });
    expect(config.KEY).toBe('from a file');
  });

  test('a file that is missing, invalid or set beside its variable is reported, without its content', () => {
    const wrong = { NAME_FILE: join(folder, 'none'), SIZE_FILE: file('size', 'eleven'), KEY: 'long enough' };
    const attempt = () => loadConfig(spec, { ...wrong, KEY_FILE: file('key', 'another one') });
    expect(attempt).toThrow(/NAME_FILE .*ENOENT[\s\S]*SIZE is not valid[\s\S]*KEY and KEY_FILE are both set/);
    expect(attempt).not.toThrow(/eleven|another one|long enough/);
  });

  test('an empty file counts as missing', () => {
    expect(() => loadConfig(spec, { ...rest, KEY_FILE: file('empty', '\n') })).toThrow(/KEY is not set/);
  });
});
