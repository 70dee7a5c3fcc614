/**
 * The load generator: a process of its own, so that what it costs is not charged to those measured. A closed loop: each
 * connection does the next thing as soon as its last one is done.
 */
import type { Load, OpenLoad } from './driver';

/** What the parent asks for. */
export interface Order {
  /** Path of the driver's module. */
  readonly driver: string;
  readonly options: unknown;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What it hears: when the timed part begins and ends, and how long each thing took, in milliseconds. */
export type News =
  | { readonly kind: 'begins' }
  | {
      readonly kind: 'ended';
      readonly elapsedMs: number;
      readonly latencies: number[];
      readonly used: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const tell = (news: News) =>
  new Promise<void>((resolve) => process.send?.(news, undefined, undefined, () => resolve()));

/** Shoots for this long, or until there is nothing left; gives the latencies. */
async function shootFor(
  load: Load,
  connections: number,
  forMs: number,
  numbers: Iterator<number>,
): Promise<number[]> {
  const latencies: number[] = [];
  const until = performance.now() + forMs;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        const began = performance.now();
        if (began >= until) return;
        const { value, done } = numbers.next();
        if (done === true) return;
        await load.shoot(value);
        latencies.push(performance.now() - began);
      }
    }),
  );
  return latencies;
}

function* numbersBelow(size: number | null): Generator<number> {
  for (let number = 0; size === null || number < size; number++) yield number;
}

async function run(order: Order): Promise<void> {
  const { open } = require(order.driver) as { open: OpenLoad<unknown> };
  const load = await open(order.options, order.connections);
  try {
    const numbers = numbersBelow(load.size);
    const warmUp = await shootFor(load, order.connections, order.warmUpMs, numbers);
    await tell({ kind: 'begins' });
    const began = performance.now();
    const latencies = await shootFor(load, order.connections, order.measureMs, numbers);
    const elapsedMs = performance.now() - began;
    await tell({ kind: 'ended', elapsedMs, latencies, used: warmUp.length + latencies.length });
  } finally {
    await load.close();
  }
}

process.once('message', (order: Order) => {
  run(order).catch((error: unknown) =>
    tell({
      kind: 'failed',
      reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
});
// It stays until its parent has read what it used of the processor.
process.once('disconnect', () => process.exit());
