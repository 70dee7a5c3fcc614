/**
 * A server that is away makes errors wherever it is needed: in requests, sweeps, loops. They have one cause, so the log gets one
 * line when it goes away and one when it is back, with how many lines were left out, by their messages. The metrics count
 * what was answered meanwhile.
 */
import { isNativeError } from 'node:util/types';
import type { DestinationStream } from 'pino';
import { rest } from './interruptible-sleep';
import { createLog, type Log } from './log';

/** A server that this process needs. */
export interface Dependency {
  /** As the log names it: `PostgreSQL`. */
  readonly name: string;
  /** Whether the error says that this server is away. Given each error of a chain of causes. */
  readonly isAway: (error: Error) => boolean;
  /** @throws where the server does not answer */
  readonly probe: () => Promise<unknown>;
}

interface Outage {
  readonly sinceMs: number;
  /** Lines left out, by their messages. */
  readonly lines: Map<string, number>;
  /** Lines left out since the last probe: those who come late to it are part of the outage too. */
  recent: number;
}

const PROBE_MS = 1_000;
const WARNING = 40;
/** Errors whose causes name each other would never end. */
const LONGEST_CHAIN = 8;

/** The error that a log line is about, with its causes. */
function errorsIn(subject: unknown): Error[] {
  if (typeof subject !== 'object' || subject === null) return [];
  const { err, error } = subject as { err?: unknown; error?: unknown };
  const chain: Error[] = [];
  let cause: unknown = isNativeError(subject) ? subject : (err ?? error);
  while (isNativeError(cause) && chain.length < LONGEST_CHAIN) {
    chain.push(cause);
    cause = cause.cause;
  }
  return chain;
}

export class Outages {
  private readonly dependencies = new Map<string, Dependency>();
  private readonly current = new Map<string, Outage>();
  private readonly stopping = new AbortController();

  /** Gathers the errors of this server from now on; the first dependency of a name stays. */
  watch(dependency: Dependency): void {
    if (!this.dependencies.has(dependency.name)) this.dependencies.set(dependency.name, dependency);
  }

  /**
   * Whether the line is part of an outage, and so is not to be written. The outage's own lines are written to `log`.
   *
   * @param subject what the line has beside its message
   */
  absorbs(log: Log, level: number, subject: unknown, message: unknown): boolean {
    if (level < WARNING) return false;
    const errors = errorsIn(subject);
    for (const dependency of this.dependencies.values()) {
      if (!errors.some((error) => dependency.isAway(error))) continue;
      this.note(log, dependency, errors[0], String(message));
      return true;
    }
    return false;
  }

  private note(log: Log, dependency: Dependency, error: Error | undefined, message: string): void {
    const { name } = dependency;
    let outage = this.current.get(name);
    if (outage === undefined) {
      outage = { sinceMs: performance.now(), lines: new Map(), recent: 0 };
      this.current.set(name, outage);
      // As text: an error beside it would be taken for part of the outage.
      log.error({ dependency: name, reason: error?.message, seen_in: message }, `${name} is away`);
      void this.awaitReturn(log, dependency, outage);
    }
    outage.lines.set(message, (outage.lines.get(message) ?? 0) + 1);
    outage.recent++;
  }

  private async awaitReturn(log: Log, { name, probe }: Dependency, outage: Outage): Promise<void> {
    do {
      outage.recent = 0;
      await rest(PROBE_MS, this.stopping.signal);
      if (this.stopping.signal.aborted) return;
    } while (!(await answers(probe)) || outage.recent > 0);
    this.current.delete(name);
    const lines = Object.fromEntries(outage.lines);
    const errors = [...outage.lines.values()].reduce((sum, count) => sum + count, 0);
    const seconds = Math.round((performance.now() - outage.sinceMs) / 1000);
    log.warn({ dependency: name, seconds, errors, lines }, `${name} is back`);
  }

  stop(): void {
    this.stopping.abort();
  }
}

async function answers(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}

const outagesByLog = new WeakMap<Log, Outages>();

/** The logger of a process, which gathers the outages of what {@link watchDependency} names. */
export function createGatheringLog(service: string, level?: string, destination?: DestinationStream): Log {
  const outages = new Outages();
  const log = createLog(service, level, destination, (...line) => outages.absorbs(...line));
  outagesByLog.set(log, outages);
  return log;
}

/** Gathers the errors of this server; a logger that gathers none, as in a test, writes them all. */
export function watchDependency(log: Log, dependency: Dependency): void {
  outagesByLog.get(log)?.watch(dependency);
}

/** Ends the waiting for what is away. */
export function stopGathering(log: Log): void {
  outagesByLog.get(log)?.stop();
}
