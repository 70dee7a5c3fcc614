/** Finds bookable slots for the bookings of a benchmark. */
import type { BookingInput, PractitionerId } from '@carecover/client';
import type { BenchStack } from '../harness/bench-stack';

const MINUTES = 50;
const DAY_MS = 86_400_000;
const DAYS = 31;

export class Slots {
  private readonly available: Omit<BookingInput, 'payment_source'>[] = [];
  private readonly practitioners;

  constructor(private readonly stack: BenchStack) {
    this.practitioners = stack.client.practitioners.list({ limit: 100 })[Symbol.asyncIterator]();
  }

  /**
   * Returns the next `count` bookable slots, or fewer if there are not enough. The next call returns the same slots, unless `drop` has
   * removed them.
   */
  async peek(count: number): Promise<readonly Omit<BookingInput, 'payment_source'>[]> {
    while (this.available.length < count) {
      const { value, done } = await this.practitioners.next();
      if (done === true) break;
      await this.addSlots(value.id);
    }
    return this.available.slice(0, count);
  }

  private async addSlots(practitionerId: PractitionerId): Promise<void> {
    const to = new Date(Date.now() + DAYS * DAY_MS).toISOString();
    let from = new Date(Date.now() + DAY_MS).toISOString();
    for (let hasMore = true; hasMore; ) {
      const page = await this.stack.client.practitioners.slots(practitionerId, {
        from,
        to,
        duration_minutes: MINUTES,
        format: 'online',
        limit: 100,
      });
      for (const { practitioner_id, starts_at, ends_at, format } of page.data) {
        this.available.push({ practitioner_id, starts_at, ends_at, format });
        from = ends_at;
      }
      hasMore = page.has_more;
    }
  }

  drop(count: number): void {
    this.available.splice(0, count);
  }

  async take(count: number): Promise<readonly Omit<BookingInput, 'payment_source'>[]> {
    const taken = await this.peek(count);
    this.drop(taken.length);
    return taken;
  }
}
