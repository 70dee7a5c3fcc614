/** Random choices that are the same for the same seed. */

export class Random {
  constructor(private state: number) {}

  /** Returns a number from 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns whether something happens that happens with this probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns an integer from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** Removes a random item of the list and returns it; undefined if the list is empty. */
  take<T>(items: T[]): T | undefined {
    return items.splice(this.integer(0, items.length - 1), 1)[0];
  }
}
