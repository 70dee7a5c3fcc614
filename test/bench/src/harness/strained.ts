/** Applies an additional load during a measurement, and aborts the requests of that load which are in progress at the end. */
import { driverPath } from './contest';
import type { OpenLoad } from './driver';
import { percentile } from './measure';

export interface Strain {
  /** The name of the driver's file in drivers/. */
  readonly driver: string;
  readonly options: unknown;
  readonly connections: number;
}

/**
 * The number of disturbing requests that were rejected during the measurement, and percentiles of the time until their rejection in
 * milliseconds.
 */
export interface ApiErrors {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * The number of connections that are opened at the same time. After them, the driver pauses for OPENING_MS before it opens the next ones.
 */
const OPENED_AT_ONCE = 50;
const OPENING_MS = 50;

/** Runs `work` during a disturbing load. @throws Error if the load gets an unexpected response or `work` fails */
export async function whileStrained<T>(
  { driver, options, connections }: Strain,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly rejections: ApiErrors }> {
  const { open } = require(driverPath(driver)) as { open: OpenLoad<unknown> };
  const load = await open(options, connections);
  const latencies: number[] = [];
  const failures: unknown[] = [];
  let done = false;
  let shots = 0;
  const shooting = async () => {
    while (!done) {
      const startedAt = performance.now();
      try {
        await load.shoot(shots++);
        if (!done) latencies.push(performance.now() - startedAt);
      } catch (error) {
        if (done) return;
        failures.push(error);
        return;
      }
    }
  };
  const strained: Promise<void>[] = [];
  try {
    while (strained.length < connections) {
      for (let one = 0; one < OPENED_AT_ONCE && strained.length < connections; one++)
        strained.push(shooting());
      await new Promise((resolve) => setTimeout(resolve, OPENING_MS));
    }
    const result = await work();
    const sorted = [...latencies].sort((a, b) => a - b);
    if (failures.length > 0) throw failures[0];
    return {
      result,
      rejections: { count: sorted.length, p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) },
    };
  } finally {
    done = true;
    await load.close();
    await Promise.all(strained);
  }
}
