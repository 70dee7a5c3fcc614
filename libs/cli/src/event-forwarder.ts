/**
 * Forwards a project's new events to an address, signed like webhooks, for a developer whose machine is not reachable from the
 * internet. Each event is sent once. The response is printed; an event whose delivery fails is not sent again.
 */
import type { Carecover, Event } from '@carecover/client';

interface ForwarderOptions {
  readonly client: Pick<Carecover, 'events'>;
  /** Returns the value of the header `webhook-signature`, by the Standard Webhooks specification. */
  readonly sign: (id: string, at: Date, body: string) => string;
  readonly deliver: (body: string, headers: Readonly<Record<string, string>>) => Promise<string>;
  readonly log: (line: string) => void;
  /** Ends a poll: a request is cancelled, and no further event is forwarded. */
  readonly stopped: AbortSignal;
}

/**
 * The length in milliseconds of the period that each poll lists again. The list merges the events of several services, so a poll can find
 * an event that is older than one that an earlier poll found.
 */
const OVERLAP_MS = 60_000;

export class EventForwarder {
  private readonly seen = new Map<string, number>();
  private newestMs: number;

  /** Creates a forwarder of the events that were created after `sinceMs` (epoch milliseconds, by the database's clock). */
  constructor(
    private readonly options: ForwarderOptions,
    private readonly sinceMs: number,
  ) {
    this.newestMs = sinceMs;
  }

  /**
   * Lists the events once, and forwards the new ones in the order of their creation. Returns the number of new events.
   *
   * @throws the error of the request; a later poll then forwards the events
   */
  async poll(): Promise<number> {
    const fromMs = Math.max(this.sinceMs, this.newestMs - OVERLAP_MS);
    const fresh: Event[] = [];
    const query = { limit: 100, created_after: new Date(fromMs).toISOString() };
    const { client, stopped } = this.options;
    for await (const event of client.events.list(query, { signal: stopped })) {
      if (!this.seen.has(event.id)) fresh.push(event);
    }
    for (const event of fresh.reverse()) {
      if (stopped.aborted) break;
      const createdMs = Date.parse(event.created_at);
      this.seen.set(event.id, createdMs);
      this.newestMs = Math.max(this.newestMs, createdMs);
      await this.forward(event);
    }
    for (const [id, createdMs] of this.seen) if (createdMs < fromMs) this.seen.delete(id);
    return fresh.length;
  }

  private async forward(event: Event): Promise<void> {
    const body = JSON.stringify(event);
    const at = new Date();
    const outcome = await this.options.deliver(body, {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': this.options.sign(event.id, at, body),
    });
    this.options.log(`${event.created_at}  ${event.type}  ${event.id}  ${outcome}`);
  }
}
