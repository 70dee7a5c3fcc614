/**
 * Hears PostgreSQL's notifications on a channel. Failure policy: open; what is notified while the connection is away is
 * not heard, so whoever listens also looks about from time to time.
 */
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import type { Sql } from './postgres';
import { rest } from './rest';

const PAUSE_MS = 1_000;

/** Listens until stopped; a connection that is lost is made again, and `onNotice` told an empty payload once it is. */
export function startNotices(
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
