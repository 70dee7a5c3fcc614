/**
 * Signing secrets opened for use, by the id of their row: what a row seals never changes, and a rotation makes a new row, so
 * nothing here is ever out of date. The ids that sign come with each delivery. Bounded; the longest unused go first.
 *
 * Failure policy: closed; a secret that does not open is told of and not used, and others are not held up by it.
 */
import type { Log, Sql } from '@carecover/platform';
import { readSecrets } from '../store/signing-secrets';
import type { Keyring } from './keyring';

const KEPT = 10_000;

export class OpenedSecrets {
  private readonly opened = new Map<number, string>();

  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
    private readonly log: Log,
  ) {}

  /** The secrets of these ids, as far as they are there and open. @throws where the database is away */
  async open(ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>();
    const unknown = new Set<number>();
    for (const id of ids) {
      const secret = this.opened.get(id);
      if (secret === undefined) unknown.add(id);
      else if (!found.has(id)) {
        found.set(id, secret);
        this.keep(id, secret);
      }
    }
    if (unknown.size === 0) return found;
    for (const stored of await readSecrets(this.sql, [...unknown])) {
      try {
        const secret = this.keyring.open(stored, stored.endpointId);
        found.set(stored.id, secret);
        this.keep(stored.id, secret);
      } catch (error) {
        this.log.error({ err: error, endpoint_id: stored.endpointId }, 'a signing secret does not open');
      }
    }
    return found;
  }

  private keep(id: number, secret: string): void {
    this.opened.delete(id);
    this.opened.set(id, secret);
    const [oldest] = this.opened.keys();
    if (this.opened.size > KEPT && oldest !== undefined) this.opened.delete(oldest);
  }
}
