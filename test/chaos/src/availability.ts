/**
 * Measures the availability of the API during faults: sends reads and commands continuously, and records the result of the first request of
 * each. If that request fails, the client repeats it with the same idempotency key, as it does by default.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, type Carecover, CarecoverError, type ClaimId } from '@carecover/client';
import { isInterruption, WITHOUT_RETRIES, type World } from '@carecover/testing/stack';

const PAUSE_MS = 100;
/**
 * The probe runs this number of loops that send reads, and the same number of loops that send commands. While the request of one loop waits
 * for a response, another loop can still record a failure.
 */
const LOOPS = 2;
/** The number of adjudications after which a loop uses another claim, because the API limits the adjudications of a claim. */
const ADJUDICATIONS_PER_CLAIM = 500;

interface Interruption {
  readonly kind: '503' | 'no response';
  readonly message: string;
}

interface Sample {
  readonly during: string;
  readonly startedMs: number;
  readonly ms: number;
  /** How the first request failed: with a response 503, or without a response. Null for any other response. */
  readonly failure: Interruption | null;
  /** How the call failed although the client repeated its request. Null if it did not, or if no repetition was needed. */
  readonly finalFailure: Interruption | null;
}

export class AvailabilityProbe {
  readonly samples: Sample[] = [];
  private fault = 'before faults';
  private isStopped = false;
  private loops: Promise<void>[] = [];

  private constructor() {}

  /** Starts loops that read one claim and adjudicate other claims until the probe is stopped. */
  static start(client: Carecover, world: World, claimId: ClaimId): AvailabilityProbe {
    const probe = new AvailabilityProbe();
    const adjudicate = async () => {
      do {
        const { id } = await world.createSubmittedClaim();
        const send = (options: CallOptions) =>
          client.claims.adjudicate(id, world.adjudicationInput(), options);
        await probe.repeat(send, ADJUDICATIONS_PER_CLAIM);
      } while (!probe.isStopped);
    };
    const read = () => probe.repeat((options) => client.claims.retrieve(claimId, options));
    probe.loops = Array.from({ length: LOOPS }, () => [read(), adjudicate()]).flat();
    // Prevents an unhandled rejection: a loop can fail before the method `stop` awaits the loops.
    for (const loop of probe.loops) loop.catch(() => undefined);
    return probe;
  }

  /** Runs `work`, and records the name `fault` with each request that starts during the work. */
  async during(fault: string, work: () => Promise<unknown>): Promise<void> {
    this.fault = fault;
    await work();
    this.fault = 'between faults';
  }

  /** Returns the error message of each call that started during `fault` and failed although the client repeated its request. */
  finalFailuresDuring(fault: string): string[] {
    return this.samples
      .filter(({ during }) => during === fault)
      .map(({ finalFailure }) => finalFailure?.message)
      .filter((message) => message !== undefined);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.loops);
  }

  private async repeat(
    send: (options: CallOptions) => Promise<unknown>,
    times = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    for (let sent = 0; sent < times && !this.isStopped; sent += 1) {
      const during = this.fault;
      const startedMs = performance.now();
      const idempotencyKey = crypto.randomUUID();
      const failure = await interruptionOf(send({ idempotencyKey, ...WITHOUT_RETRIES }));
      const ms = performance.now() - startedMs;
      const finalFailure = failure === null ? null : await interruptionOf(send({ idempotencyKey }));
      this.samples.push({ during, startedMs, ms, failure, finalFailure });
      await sleep(PAUSE_MS);
    }
  }
}

/** Returns how a call had no response or a response 503; null for a success. @throws any other error of the call */
async function interruptionOf(call: Promise<unknown>): Promise<Interruption | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (isInterruption(error)) {
      return { kind: error instanceof CarecoverError ? '503' : 'no response', message: String(error) };
    }
    throw error;
  }
}

/**
 * Formats one row per fault: the number of calls; how many of them had a response 503 to the first request, and how many had no response to
 * it; how many failed after the repetitions too; the median and longest duration of the first requests; and the seconds from the first to the last failed first request.
 */
export function formatAvailability({ samples }: AvailabilityProbe): string {
  const rows = [...new Set(samples.map(({ during }) => during))].map((fault) => {
    const own = samples.filter(({ during }) => during === fault);
    const sorted = own.map(({ ms }) => ms).sort((a, b) => a - b);
    const failed = own.filter(({ failure }) => failure !== null);
    const lost = failed.filter(({ finalFailure }) => finalFailure !== null).length;
    const start = Math.min(...failed.map(({ startedMs }) => startedMs));
    const end = Math.max(...failed.map(({ startedMs, ms }) => startedMs + ms));
    const seconds = failed.length === 0 ? '-' : ((end - start) / 1000).toFixed(1);
    const p50 = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
    const count = (kind: Interruption['kind']) =>
      failed.filter(({ failure }) => failure?.kind === kind).length;
    const worst = Math.round(sorted.at(-1) ?? 0);
    return [fault, own.length, count('503'), count('no response'), lost, p50, worst, seconds].join(' | ');
  });
  return [
    '| fault | calls | 503 | no response | repetitions failed | p50 ms | worst ms | failing s |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}
