/** Bookable slots, each used once. */
import type { BookingInput } from '@carecover/client';
import { upcomingSlots } from '@carecover/local/testing';
import type { BenchStack } from '../harness/bench-stack';

const MINUTES = 50;
const DAY_MS = 86_400_000;

export class Slots {
  private readonly available: Omit<BookingInput, 'payment_source'>[] = [];
  private readonly practitioners;

  constructor(private readonly stack: BenchStack) {
    this.practitioners = stack.client.practitioners.list({ limit: 100 })[Symbol.asyncIterator]();
  }

  /** Returns the next slots without removing them; fewer if there are not enough. */
  async peek(count: number): Promise<readonly Omit<BookingInput, 'payment_source'>[]> {
    while (this.available.length < count) {
      const { value, done } = await this.practitioners.next();
      if (done === true) break;
      const availability = await this.stack.client.practitioners.availability(value.id);
      for (const slot of upcomingSlots(availability, MINUTES, Date.now() + DAY_MS)) {
        this.available.push({
          practitioner_id: value.id,
          starts_at: slot.startsAt,
          ends_at: slot.endsAt,
          format: slot.format,
        });
      }
    }
    return this.available.slice(0, count);
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
