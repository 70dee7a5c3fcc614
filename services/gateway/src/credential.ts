/**
 * Secret keys (`sk_test_…`, `sk_live_…`) and public tokens (`pt_test_…`, `pt_live_…`): prefix, 32 random characters of base62
 * (190 bits) and a checksum of 6 characters. The checksum is no protection. It rejects typing errors, truncated text and guesses without a
 * database query, and lets a scanner of leaked text recognize a key.
 *
 * Only the SHA-256 of a credential is stored. A slow hash would add no protection: 190 random bits can't be guessed.
 */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { credentialPrefixes, type Environment, environments } from '@carecover/contract';

export type CredentialKind = 'secretKey' | 'token';

export interface Credential {
  readonly kind: CredentialKind;
  readonly environment: Environment;
  /** The SHA-256 of the credential, by which it is stored and found. */
  readonly hash: Buffer;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SUFFIX_PATTERN = new RegExp(`^[A-Za-z0-9]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

const KINDS = (['secretKey', 'token'] as const).flatMap((kind) =>
  environments.map((environment) => ({
    kind,
    environment,
    prefix: credentialPrefixes[kind][environment],
  })),
);

function checksum(text: string): string {
  let remainder = crc32(text);
  let digits = '';
  for (let digit = 0; digit < CHECKSUM_LENGTH; digit++) {
    digits = ALPHABET.charAt(remainder % ALPHABET.length) + digits;
    remainder = Math.floor(remainder / ALPHABET.length);
  }
  return digits;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}

/** Returns the hash by which a credential is stored. */
export function hashCredential(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Creates the text of a credential. Only its hash is stored, so the text is returned only here. */
export function createCredential(kind: CredentialKind, environment: Environment): string {
  const text = credentialPrefixes[kind][environment] + randomText(RANDOM_LENGTH);
  return text + checksum(text);
}

const SHOWN_LENGTH = 4;

/** Returns the first characters of a secret key, by which people recognize the key; the other 28 random characters stay secret. */
export function credentialStart(secret: string): string {
  const prefix = KINDS.find((kind) => secret.startsWith(kind.prefix))?.prefix ?? '';
  return secret.slice(0, prefix.length + SHOWN_LENGTH);
}

/** Parses a credential, without checking that it exists. Returns null if the text is not well formed. */
export function parseCredential(text: string): Credential | null {
  const known = KINDS.find(({ prefix }) => text.startsWith(prefix));
  if (known === undefined || !SUFFIX_PATTERN.test(text.slice(known.prefix.length))) return null;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { kind: known.kind, environment: known.environment, hash: hashCredential(text) };
}
