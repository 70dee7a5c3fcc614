/**
 * Hears of deliveries that a request has made due, in whatever process it was served. Failure policy: open; what is not
 * heard while the database is away, the dispatcher's next look finds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log, Sql, Stoppable } from '@carecover/platform';
import { DUE_CHANNEL } from '../store/deliveries';

const PAUSE_MS = 1_000;

/** Listens until stopped; a lost connection is made again by the client. */
export function startDueNotices(
  sql: Sql,
  wake: (endpointIds: readonly string[]) => void,
  log: Log,
): Stoppable {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { unlisten } = await sql.listen(DUE_CHANNEL, (endpointId) => wake([endpointId]));
        if (stopping.signal.aborted) await unlisten();
        return;
      } catch (error) {
        log.warn({ err: error }, 'notices are not heard, trying again');
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
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
