/**
 * The sign-ins that people have started and not completed. Each is in an encrypted and authenticated cookie (JWE, RFC 7516), so sign-ins that
 * are never completed use no memory of the process. The key is in the memory of the process, as the sign-in sessions are.
 */
import { randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { LRUCache } from 'lru-cache';

export const SIGN_IN_LIFETIME_MS = 10 * 60_000;
const MAX_TAKEN = 10_000;
const KEY_BYTES = 32;
const ALGORITHM = 'dir';
const ENCRYPTION = 'A256GCM';

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
