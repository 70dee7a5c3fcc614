/**
 * The load generator, a separate process, so that its processor time is not counted for the measured processes. Each connection starts
 * its next operation when the previous one has ended (closed loop).
 */
import type { Load, OpenLoad } from './driver';

/** The settings of a measurement, which the parent process sends to the load generator. */
export interface Order {
  /** Path of the driver's module. */
  readonly driver: string;
  readonly options: unknown;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** A message to the parent process: that the measurement begins, has ended (with the latencies in milliseconds), or has failed. */
export type GeneratorMessage =
  | { readonly kind: 'begins' }
  | {
      readonly kind: 'ended';
      readonly elapsedMs: number;
      readonly latencies: number[];
      readonly used: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

const send = (message: GeneratorMessage) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

/** Repeats the driver's operation for `forMs` milliseconds or until no operation is left. Returns the latencies in milliseconds. */
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
        const startedAt = performance.now();
        if (startedAt >= until) return;
        const { value, done } = numbers.next();
        if (done === true) return;
        await load.shoot(value);
        latencies.push(performance.now() - startedAt);
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
    await send({ kind: 'begins' });
    const startedAt = performance.now();
    const latencies = await shootFor(load, order.connections, order.measureMs, numbers);
    const elapsedMs = performance.now() - startedAt;
    const isRead = new Promise((resolve) => process.once('message', resolve));
    await send({ kind: 'ended', elapsedMs, latencies, used: warmUp.length + latencies.length });
    // Keeps the connections open until the parent process has read the processor time of PostgreSQL's processes, which end with their
    // connections.
    await isRead;
  } finally {
    await load.close();
  }
}

process.once('message', (order: Order) => {
  run(order).then(
    () => process.disconnect(),
    (error: unknown) =>
      send({
        kind: 'failed',
        reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
  );
});
process.once('disconnect', () => process.exit());
