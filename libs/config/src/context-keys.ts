/**
 * The keys of the signed context: each issuer has an Ed25519 private key (RFC 8032), and every process has the public keys of all issuers.
 * See docs/decisions/0044-one-key-per-issuer.md.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { SettingReader } from './config-readers';

/** The processes that sign contexts. The webhooks service calls no other service, so it has no key. */
export const ISSUERS = ['gateway', 'console', 'care', 'benefits', 'claims', 'payments'] as const;
export type Issuer = (typeof ISSUERS)[number];

/** The accepted public keys of each issuer: one, two during a rotation, or none if the issuer does not run. */
export type IssuerKeys = Readonly<Partial<Record<Issuer, readonly KeyObject[]>>>;

const MAX_KEYS_OF_ISSUER = 2;

const isIssuer = (name: string): name is Issuer => ISSUERS.some((issuer) => issuer === name);

/** Parses a key. Returns undefined if it is not an Ed25519 key. */
function parseKey(parse: () => KeyObject): KeyObject | undefined {
  try {
    const key = parse();
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function parsePublicKeys(text: string): IssuerKeys | undefined {
  const keys: Partial<Record<Issuer, KeyObject[]>> = {};
  const known: KeyObject[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, issuer = '', base64 = ''] = /^(\w+):([A-Za-z0-9+/]+=*)$/.exec(entry) ?? [];
    const der = Buffer.from(base64, 'base64');
    const key = parseKey(() => createPublicKey({ key: der, format: 'der', type: 'spki' }));
    if (!isIssuer(issuer) || key === undefined || known.some((other) => other.equals(key))) return undefined;
    known.push(key);
    keys[issuer] = [...(keys[issuer] ?? []), key];
    if (keys[issuer].length > MAX_KEYS_OF_ISSUER) return undefined;
  }
  return keys;
}

/** Reads the public keys of all issuers: `<issuer>:<SPKI in base64>`, separated by commas. No two entries have the same key. */
export const publicKeysSetting: SettingReader<IssuerKeys> = {
  expects: `entries <issuer>:<Ed25519 public key> separated by commas, each with another key (SPKI in base64), at most two per issuer; the issuers are ${ISSUERS.join(', ')}`,
  read: parsePublicKeys,
};

/** Reads the private key of an issuer. */
export const privateKeySetting: SettingReader<KeyObject> = {
  expects: 'an Ed25519 private key in PEM (PKCS #8)',
  read: (text) => parseKey(() => createPrivateKey(text)),
};

/**
 * Creates a private key, as the text of its setting.
 *
 * @example const entry = `care:${publicKeyOf(newPrivateKey())}`;
 */
export function newPrivateKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** Returns the public key that belongs to a private key, in base64, as the setting of the public keys contains it. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
}
