/**
 * Writes one log line when a dependency becomes unavailable and one when it is available again, instead of one per failed request, sweep
 * and loop. The second line has the numbers of suppressed lines, by message.
 */
import { isNativeError } from 'node:util/types';
import { createLog, type Log, WARNING_LEVEL } from '@carecover/telemetry';
import type { DestinationStream } from 'pino';
import { interruptibleSleep } from './interruptible-sleep';

/** A server that this process needs. */
export interface Dependency {
  /** Name of the server in log lines, such as `PostgreSQL`. */
  readonly name: string;
  /** Returns whether the error means that the server is unavailable. Called with an error and with each of its causes. */
  readonly isUnavailable: (error: Error) => boolean;
  /** Sends a request to the server. @throws if the server does not respond */
  readonly probe: () => Promise<unknown>;
  /**
   * Time in milliseconds without an error and without a failed probe after which an outage has ended. Default: the interval of the probes.
   * It is longer for a server that can respond to the probe while it fails to execute other requests.
   */
  readonly quietMs?: number;
}

interface Outage {
  readonly sinceMs: number;
  /** The number of suppressed lines by message. */
  readonly lines: Map<string, number>;
  /** The time of the last suppressed line or failed probe. */
  lastErrorMs: number;
}

const PROBE_INTERVAL_MS = 1_000;
/** Maximum number of causes that are read from an error. The number has a limit because errors can be causes of each other. */
const MAX_CHAIN_LENGTH = 8;

/** Returns the error of a log line, followed by the error's causes. */
function errorsIn(subject: unknown): Error[] {
  if (typeof subject !== 'object' || subject === null) return [];
  const { err, error } = subject as { err?: unknown; error?: unknown };
  const chain: Error[] = [];
  let cause: unknown = isNativeError(subject) ? subject : (err ?? error);
  while (isNativeError(cause) && chain.length < MAX_CHAIN_LENGTH) {
    chain.push(cause);
    cause = cause.cause;
  }
  return chain;
}

export class Outages {
  private readonly dependencies = new Map<string, Dependency>();
  private readonly current = new Map<string, Outage>();
  private readonly stopping = new AbortController();

  /** Starts to detect outages of a dependency. If a dependency with this name is already watched, the call has no effect. */
  watch(dependency: Dependency): void {
    if (!this.dependencies.has(dependency.name)) this.dependencies.set(dependency.name, dependency);
  }

  /**
   * Returns whether the line belongs to an outage and must be suppressed. Writes the outage's own lines to `log`.
   *
   * @param level the number of pino's level
   * @param subject the object that is logged with the message
   */
  suppresses(log: Log, level: number, subject: unknown, message: unknown): boolean {
    if (level < WARNING_LEVEL) return false;
    const errors = errorsIn(subject);
    for (const dependency of this.dependencies.values()) {
      if (!errors.some((error) => dependency.isUnavailable(error))) continue;
      this.count(log, dependency, errors[0], String(message));
      return true;
    }
    return false;
  }

  private count(log: Log, dependency: Dependency, error: Error | undefined, message: string): void {
    const { name } = dependency;
    let outage = this.current.get(name);
    if (outage === undefined) {
      const nowMs = performance.now();
      outage = { sinceMs: nowMs, lines: new Map(), lastErrorMs: nowMs };
      this.current.set(name, outage);
      // The log line contains the error's message as text: a line with the error object would be suppressed as a part of the outage.
      log.error({ dependency: name, reason: error?.message, seen_in: message }, `${name} is unavailable`);
      void this.waitForEnd(log, dependency, outage);
    }
    outage.lines.set(message, (outage.lines.get(message) ?? 0) + 1);
    outage.lastErrorMs = performance.now();
  }

  private async waitForEnd(
    log: Log,
    { name, probe, quietMs = PROBE_INTERVAL_MS }: Dependency,
    outage: Outage,
  ): Promise<void> {
    do {
      await interruptibleSleep(PROBE_INTERVAL_MS, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
      if (!(await succeeds(probe))) outage.lastErrorMs = performance.now();
    } while (performance.now() - outage.lastErrorMs < quietMs);
    this.current.delete(name);
    const lines = Object.fromEntries(outage.lines);
    const errors = [...outage.lines.values()].reduce((sum, count) => sum + count, 0);
    const seconds = Math.round((outage.lastErrorMs - outage.sinceMs) / 1000);
    log.warn({ dependency: name, seconds, errors, lines }, `${name} is available again`);
  }

  stop(): void {
    this.stopping.abort();
  }
}

async function succeeds(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}

const outagesByLog = new WeakMap<Log, Outages>();

/** Makes the logger of a process, which suppresses the errors of unavailable dependencies; see {@link watchDependency}. */
export function createProcessLog(service: string, level?: string, destination?: DestinationStream): Log {
  const outages = new Outages();
  const log = createLog(service, level, destination, (...line) => outages.suppresses(...line));
  outagesByLog.set(log, outages);
  return log;
}

/** Starts to detect outages of a dependency. Has no effect if {@link createProcessLog} did not make `log`, as in tests. */
export function watchDependency(log: Log, dependency: Dependency): void {
  outagesByLog.get(log)?.watch(dependency);
}

/** Stops the probes of unavailable dependencies. */
export function stopOutageProbes(log: Log): void {
  outagesByLog.get(log)?.stop();
}
