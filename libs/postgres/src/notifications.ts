/**
 * Sends and receives PostgreSQL notifications (NOTIFY and LISTEN).
 *
 * Failure policy: open. Notifications are lost while the connection is down, so a listener must also query periodically.
 */

import type { Stoppable } from '@carecover/process';
import { interruptibleSleep, startLoop } from '@carecover/process';
import type { Log } from '@carecover/telemetry';
import type { Sql, Tx } from './connect';

/** Pause in milliseconds before a lost connection is opened again. */
const PAUSE_MS = 1_000;

/**
 * Sends a PostgreSQL notification when this transaction commits. Another connection would send it before
 * the commit.
 */
export async function notifyOnCommit(tx: Tx, channel: string, payload: string): Promise<void> {
  await tx`select pg_notify(${channel}, ${payload})`;
}

/**
 * Listens on a channel until stopped. A lost connection is opened again. After that `onNotification` is called with an empty payload,
 * because notifications may have been lost.
 */
export function listenForNotifications(
  sql: Sql,
  channel: string,
  onNotification: (payload: string) => void,
  log: Log,
): Stoppable {
  return startLoop({ name: 'the listener', log, fields: { channel } }, async (stopping) => {
    const listening = await sql.listen(channel, onNotification);
    onNotification('');
    const close = () => void listening.close();
    if (stopping.aborted) close();
    stopping.addEventListener('abort', close);
    await listening.ended;
    stopping.removeEventListener('abort', close);
    await listening.close();
    await interruptibleSleep(PAUSE_MS, stopping);
  });
}
