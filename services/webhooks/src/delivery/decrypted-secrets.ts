/**
 * A cache of decrypted signing secrets by the ID of their row. No entry becomes outdated, because a rotation inserts a new row instead of
 * changing one.
 *
 * Failure policy: closed. A secret that can't be decrypted is logged and not used; other secrets are not affected.
 */

import type { Sql } from '@carecover/postgres';
import type { Log } from '@carecover/telemetry';
import { LRUCache } from 'lru-cache';
import type { Keyring } from '../signing/keyring';
import { readSecrets } from '../store/signing-secrets';

const MAX_ENTRIES = 10_000;

export class DecryptedSecrets {
  private readonly decrypted = new LRUCache<number, string>({ max: MAX_ENTRIES });

  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
    private readonly log: Log,
  ) {}

  /**
   * Returns the secrets of the given rows by ID, without the secrets that were deleted or can't be decrypted.
   *
   * @throws Error if the database is unavailable
   */
  async read(ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    const unknown = new Set<number>();
    for (const id of ids) {
      const secret = this.decrypted.get(id);
      if (secret === undefined) unknown.add(id);
      else found.set(id, secret);
    }
    if (unknown.size === 0) return found;
    for (const stored of await readSecrets(this.sql, [...unknown])) {
      try {
        const secret = this.keyring.decrypt(stored, stored.endpointId);
        found.set(stored.id, secret);
        this.decrypted.set(stored.id, secret);
      } catch (error) {
        this.log.error(
          { err: error, endpoint_id: stored.endpointId },
          'a signing secret could not be decrypted',
        );
      }
    }
    return found;
  }
}
