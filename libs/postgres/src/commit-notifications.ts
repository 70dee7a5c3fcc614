/**
 * Sends PostgreSQL notifications after commits. A notification inside the committing transaction would take a lock of the whole server at
 * each commit, so that commits wait for one another. One statement per channel and few milliseconds is sent instead.
 *
 * Failure policy: open. A notification is lost if the process ends or the database is unavailable, so a listener must also query
 * periodically.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** How long in milliseconds commits are collected before their notification is sent. */
const COLLECTED_MS = 10;

export class CommitNotifications {
  private readonly pending = new Map<string, Promise<void>>();

  /** @param send sends the notification of a channel */
  constructor(private readonly send: (channel: string) => Promise<unknown>) {}

  /** Sends a notification soon, unless one of the same channel is about to be sent. */
  notify(channel: string): void {
    if (this.pending.has(channel)) return;
    this.pending.set(channel, this.sendSoon(channel));
  }

  private async sendSoon(channel: string): Promise<void> {
    await sleep(COLLECTED_MS);
    this.pending.delete(channel);
    try {
      await this.send(channel);
    } catch {
      // The listener's periodic query finds what was committed.
    }
  }

  /** Resolves when the notifications of all earlier commits were sent. */
  async flush(): Promise<void> {
    await Promise.all(this.pending.values());
  }
}
