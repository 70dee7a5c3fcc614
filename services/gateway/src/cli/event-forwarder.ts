/**
 * Hands a project's new events to an address, signed as webhooks are, for a developer whose machine can't be reached from
 * outside. Each event is handed on once it was seen; what the address answers is told, and not tried again.
 */
import type { Carecover, Event } from '@carecover/client';

export interface ForwarderOptions {
  readonly client: Pick<Carecover, 'events'>;
  /** Signs as the Standard Webhooks specification says: the value of `webhook-signature`. */
  readonly sign: (id: string, at: Date, body: string) => string;
  readonly deliver: (body: string, headers: Readonly<Record<string, string>>) => Promise<string>;
  readonly tell: (line: string) => void;
}

/** Events of several services meet in one list, where one may appear a little after another that was made later. */
const LOOK_BACK_MS = 60_000;

export class EventForwarder {
  private readonly seen = new Map<string, number>();
  private newestMs: number;

  /** @param sinceMs only events made after it (epoch milliseconds, the service's clock) are handed on */
  constructor(
    private readonly options: ForwarderOptions,
    private readonly sinceMs: number,
  ) {
    this.newestMs = sinceMs;
  }

  /** Looks once, and hands on what is new, the oldest first; gives their number. */
  async poll(): Promise<number> {
    const fromMs = Math.max(this.sinceMs, this.newestMs - LOOK_BACK_MS);
    const fresh: Event[] = [];
    const query = { limit: 100, created_after: new Date(fromMs).toISOString() };
    for await (const event of this.options.client.events.list(query)) {
      if (!this.seen.has(event.id)) fresh.push(event);
    }
    for (const event of fresh.reverse()) {
      const createdMs = Date.parse(event.created_at);
      this.seen.set(event.id, createdMs);
      this.newestMs = Math.max(this.newestMs, createdMs);
      await this.handOn(event);
    }
    for (const [id, createdMs] of this.seen) if (createdMs < fromMs) this.seen.delete(id);
    return fresh.length;
  }

  private async handOn(event: Event): Promise<void> {
    const body = JSON.stringify(event);
    const at = new Date();
    const outcome = await this.options.deliver(body, {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': this.options.sign(event.id, at, body),
    });
    this.options.tell(`${event.created_at}  ${event.type}  ${event.id}  ${outcome}`);
  }
}
