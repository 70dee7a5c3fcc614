/**
 * PostgreSQL's NOTIFY and LISTEN.
 *
 * Failure policy: open. Notifications are lost while the connection is down, so a listener must also query periodically.
 */
import { interruptibleSleep } from './interruptible-sleep';
import type { Stoppable } from './lifecycle';
import type { Log } from './log';
import type { Sql, Tx } from './postgres';

const RETRY_MS = 1_000;

/**
 * Sends a notification when this transaction commits. Sent by another connection, it would
 * arrive before the commit.
 */
export async function notifyOnCommit(tx: Tx, channel: string, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`;
}

/**
 * Listens on a channel until stopped. A lost connection is restored; `onNotification` is then called with an empty payload,
 * because notifications may have been lost.
 */
export function listenForNotifications(
  sql: Sql,
  channel: string,
  onNotification: (payload: string) => void,
  log: Log,
): Stoppable {
  const stopping = new AbortController();

  async function run(): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    while (!stopping.signal.aborted) {
      try {
        const listening = await sql.listen(channel, onNotification);
        onNotification('');
        await Promise.race([listening.ended, stopped]);
        await listening.close();
      } catch (error) {
        log.warn({ err: error, channel }, 'could not listen for notifications, retrying');
      }
      await interruptibleSleep(RETRY_MS, stopping.signal);
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
