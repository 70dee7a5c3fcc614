/** Times at which practitioners can be booked, each given out once. */
import type { BookingInput } from '@carecover/client';
import { upcomingSlots } from '@carecover/local/testing';
import type { BenchStack } from '../harness/bench-stack';

const MINUTES = 50;
const DAY_MS = 86_400_000;

export class Slots {
  private readonly free: Omit<BookingInput, 'payment_source'>[] = [];
  private readonly practitioners;

  constructor(private readonly stack: BenchStack) {
    this.practitioners = stack.client.practitioners.list({ limit: 100 })[Symbol.asyncIterator]();
  }

  /** The next ones; they stay free until they are dropped. Fewer where every practitioner is booked out. */
  async look(count: number): Promise<readonly Omit<BookingInput, 'payment_source'>[]> {
    while (this.free.length < count) {
      const { value, done } = await this.practitioners.next();
      if (done === true) break;
      const availability = await this.stack.client.practitioners.availability(value.id);
      for (const slot of upcomingSlots(availability, MINUTES, Date.now() + DAY_MS)) {
        this.free.push({
          practitioner_id: value.id,
          starts_at: slot.startsAt,
          ends_at: slot.endsAt,
          format: slot.format,
        });
      }
    }
    return this.free.slice(0, count);
  }

  drop(count: number): void {
    this.free.splice(0, count);
  }

  async take(count: number): Promise<readonly Omit<BookingInput, 'payment_source'>[]> {
    const taken = await this.look(count);
    this.drop(taken.length);
    return taken;
  }
}
