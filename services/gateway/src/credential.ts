/**
 * Secret keys (`sk_test_…`, `sk_live_…`) and public tokens (`pt_test_…`, `pt_live_…`): prefix, 32 random characters of base62
 * (190 bits) and a checksum of 6. The checksum is no protection; it lets a typing error, a truncated paste or a guess be
 * refused without asking the database, and lets a scanner of leaked text recognise a real key.
 *
 * Only the SHA-256 of a credential is stored. A slow hash would add nothing: there is no dictionary of 190 random bits.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { credentialPrefixes, type Environment, environments } from '@carecover/contract';

export type CredentialKind = 'secretKey' | 'token';

export interface Credential {
  readonly kind: CredentialKind;
  readonly environment: Environment;
  /** By which it is stored and found. */
  readonly hash: Buffer;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^[A-Za-z0-9]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

const KINDS = (['secretKey', 'token'] as const).flatMap((kind) =>
  environments.map((environment) => ({
    kind,
    environment,
    prefix: credentialPrefixes[kind][environment],
  })),
);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** The hash by which a credential is stored. */
export function credentialHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** A new credential. It is shown once: only its hash is kept. */
export function newCredential(kind: CredentialKind, environment: Environment): string {
  const text = credentialPrefixes[kind][environment] + randomText(RANDOM_LENGTH);
  return text + checksum(text);
}

/** What the text is if it is a well-formed credential (it need not exist), else null. */
export function parseCredential(text: string): Credential | null {
  const known = KINDS.find(({ prefix }) => text.startsWith(prefix));
  if (known === undefined || !FORM.test(text.slice(known.prefix.length))) return null;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { kind: known.kind, environment: known.environment, hash: credentialHash(text) };
}
