/**
 * Tells and hears PostgreSQL's notifications on a channel. Failure policy: open; what is notified while the connection is
 * away is not heard, so whoever listens also looks about from time to time.
 */

import { rest } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import type { Sql, Tx } from './postgres';

const PAUSE_MS = 1_000;

/**
 * Tells whoever listens once this commits. Not by the client's own `notify`, which within a transaction takes a second
 * connection: it would tell before the commit, and as many transactions as there are connections would wait for each other.
 */
export async function notifyOnCommit(tx: Tx, channel: string, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`;
}

/** Listens until stopped; a connection that is lost is made again, and `onNotice` told an empty payload once it is. */
export function startNotifications(
  sql: Sql,
  channel: string,
  onNotice: (payload: string) => void,
  log: Log,
): Stoppable {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { unlisten } = await sql.listen(channel, onNotice, () => onNotice(''));
        if (stopping.signal.aborted) await unlisten();
        return;
      } catch (error) {
        log.warn({ err: error, channel }, 'notices are not heard, trying again');
        await rest(PAUSE_MS, stopping.signal);
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
