/**
 * The sign-ins that people have started and not completed. Each is in an encrypted and authenticated cookie of its own (JWE, RFC 7516), so
 * several tabs of a browser can sign in at the same time, and sign-ins that are never completed use no memory of the process. The key is in
 * the memory of the process, as the sign-in sessions are.
 */
import { randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';

export const SIGN_IN_LIFETIME_MS = 10 * 60_000;
const MAX_TAKEN = 10_000;
const KEY_BYTES = 32;
const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

/** How many sign-ins a browser has at the start of a further one. Older ones are deleted, so that the cookies fit into a request. */
const MAX_ATTEMPTS = 10;
const NAME_START = 'sign-in-';
/** The start of a state: the time, and a random text for sign-ins of the same millisecond. */
const ATTEMPT = /^([0-9a-z]{9}[\w-]{8})\./;
const NAME = /^sign-in-[0-9a-z]{9}[\w-]{8}$/;

/** Returns a new `state` (RFC 6749). It starts with the text that names the cookie of the sign-in; later ones sort after earlier ones. */
export function newState(nowMs = Date.now()): string {
  const attempt = nowMs.toString(36).padStart(9, '0') + randomBytes(6).toString('base64url');
  return `${attempt}.${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** Returns the name of the cookie of a sign-in; null if the text is not a state of {@link newState}. */
export function cookieNameOf(state: unknown): string | null {
  const [, attempt] = (typeof state === 'string' ? ATTEMPT.exec(state) : null) ?? [];
  return attempt === undefined ? null : NAME_START + attempt;
}

/**
 * Returns the names of the cookies to delete when a browser starts a further sign-in: all but the newest.
 *
 * @param header the Cookie header of the request
 * @param prefix the prefix of all names of cookies, such as `__Host-`
 */
export function surplusCookies(header: string, prefix: string): string[] {
  const names = header
    .split(';')
    .map((cookie) => cookie.trim().split('=')[0] ?? '')
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => NAME.test(name))
    .sort();
  return names.slice(0, Math.max(0, names.length - MAX_ATTEMPTS + 1));
}

export interface PendingSignIn {
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  /** The path to show after the sign-in. */
  readonly next: string;
}

export class PendingSignIns {
  private readonly key = randomBytes(KEY_BYTES);
  /** The states of the sign-ins that were taken. An older cookie has expired, so it is rejected without this cache. */
  private readonly taken = new LRUCache<string, true>({ max: MAX_TAKEN, ttl: SIGN_IN_LIFETIME_MS });

  /** Returns the value of the cookie. */
  seal(pending: PendingSignIn): Promise<string> {
    return new EncryptJWT({ ...pending })
      .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
      .setExpirationTime(new Date(Date.now() + SIGN_IN_LIFETIME_MS))
      .encrypt(this.key);
  }

  /**
   * Returns the sign-in in a cookie, once. Returns null if another process or a client wrote the cookie, if it has expired, belongs to
   * another state, or was taken before.
   */
  async take(cookie: string, state: unknown): Promise<PendingSignIn | null> {
    const pending = await this.open(cookie);
    if (pending === null || pending.state !== state || this.taken.has(pending.state)) return null;
    this.taken.set(pending.state, true);
    return pending;
  }

  private async open(cookie: string): Promise<PendingSignIn | null> {
    try {
      const { payload } = await jwtDecrypt<PendingSignIn>(cookie, this.key, {
        keyManagementAlgorithms: [ALGORITHM],
        contentEncryptionAlgorithms: [ENCRYPTION],
        currentDate: new Date(Date.now()),
      });
      return payload;
    } catch {
      return null;
    }
  }
}
