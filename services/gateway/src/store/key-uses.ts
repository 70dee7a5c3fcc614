/**
 * Records the minute in which each key was last used. A process collects the uses in memory, and a sweep writes them once a minute in one
 * statement.
 *
 * Failure policy: a crash loses the uses since the last write. If the database is unavailable, the uses wait for the next write.
 */
import type { Sql } from '@carecover/postgres';

export class KeyUses {
  private pending = new Map<string, Date>();

  constructor(private readonly sql: Sql) {}

  /** Records a use of a key, or of a token that was made with it. */
  record(keyId: string, at: Date): void {
    this.pending.set(keyId, at);
  }

  /** Writes the collected uses to the database. */
  async write(): Promise<void> {
    if (this.pending.size === 0) return;
    const uses = this.pending;
    this.pending = new Map();
    try {
      // Rows are written in the order of the keys' IDs, so that the statements of two gateways can't deadlock.
      await this.sql`
        insert into key_uses (key_id, used_at)
        select key_id, date_trunc('minute', used_at)
        from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as used (key_id, used_at)
        order by key_id
        on conflict (key_id) do update set used_at = excluded.used_at where key_uses.used_at < excluded.used_at`;
    } catch (error) {
      this.pending = new Map([...uses, ...this.pending]);
      throw error;
    }
  }
}
