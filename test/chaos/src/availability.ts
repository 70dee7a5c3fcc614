/** Measures the availability of the API during faults: sends reads and commands continuously, each once, and records their results. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carecover, ClaimId } from '@carecover/client';
import { isInterruption, WITHOUT_RETRIES, type World } from '@carecover/test-support';

const PAUSE_MS = 100;
/**
 * Number of concurrent loops of reads, and of commands. While the request of one loop waits for a response, another loop can still record
 * a failure.
 */
const LOOPS = 2;

interface Sample {
  readonly during: string;
  readonly startedMs: number;
  readonly ms: number;
  /** Why the request failed: it had no response, or the response was 503. Null for any other response. */
  readonly failure: string | null;
}

export class AvailabilityProbe {
  readonly samples: Sample[] = [];
  private fault = 'before faults';
  private isStopped = false;
  private loops: Promise<void>[] = [];

  private constructor() {}

  /** Starts loops that read one claim and adjudicate another claim until the probe is stopped. */
  static start(client: Carecover, world: World, claimId: ClaimId): AvailabilityProbe {
    const probe = new AvailabilityProbe();
    const adjudicate = async () => {
      const { id } = await world.createSubmittedClaim();
      await probe.repeat(() => client.claims.adjudicate(id, world.adjudicationInput(), WITHOUT_RETRIES));
    };
    const read = () => probe.repeat(() => client.claims.retrieve(claimId, WITHOUT_RETRIES));
    probe.loops = Array.from({ length: LOOPS }, () => [read(), adjudicate()]).flat();
    // Prevents an unhandled rejection if a loop fails before `stop` awaits the loops.
    for (const loop of probe.loops) loop.catch(() => undefined);
    return probe;
  }

  /** Runs `work`, and records the name `fault` with each request that starts during the work. */
  async during(fault: string, work: () => Promise<unknown>): Promise<void> {
    this.fault = fault;
    await work();
    this.fault = 'between faults';
  }

  /** Returns why requests that started during the fault had no response, or 503. */
  failuresDuring(fault: string): string[] {
    return this.samples
      .filter(({ during }) => during === fault)
      .map(({ failure }) => failure)
      .filter((failure) => failure !== null);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.loops);
  }

  private async repeat(send: () => Promise<unknown>): Promise<void> {
    while (!this.isStopped) {
      const during = this.fault;
      const startedMs = performance.now();
      const failure = await send().then(
        () => null,
        (error: unknown) => {
          if (isInterruption(error)) return String(error);
          throw error;
        },
      );
      this.samples.push({ during, startedMs, ms: performance.now() - startedMs, failure });
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Formats one row per fault: number of requests, requests without a response or with 503, median and longest duration, and seconds from
 * the first to the last failure.
 */
export function formatAvailability({ samples }: AvailabilityProbe): string {
  const rows = [...new Set(samples.map(({ during }) => during))].map((fault) => {
    const own = samples.filter(({ during }) => during === fault);
    const sorted = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const failed = own.filter(({ failure }) => failure !== null);
    const start = Math.min(...failed.map(({ startedMs }) => startedMs));
    const end = Math.max(...failed.map(({ startedMs, ms }) => startedMs + ms));
    const seconds = failed.length === 0 ? '-' : ((end - start) / 1000).toFixed(1);
    const p50 = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
    return [fault, own.length, failed.length, p50, Math.round(sorted.at(-1) ?? 0), seconds].join(' | ');
  });
  return [
    '| fault | requests | failed | p50 ms | worst ms | failing s |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
