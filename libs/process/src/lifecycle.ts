/**
 * Start and stop of a service process. SIGTERM stops the parts in reverse start order. The HTTP server stops first: it closes each client
 * connection after its next response (`GracefulStop`), then accepts no new requests and completes those in progress. Background loops stop
 * next, and connections to other servers are closed last. {@link STOP_LIMIT_MS} after the first SIGTERM, or on a second one, the process
 * ends at once.
 *
 * Failure policy: open. A part that fails to stop, or does not stop in time, is logged and left, so that the parts after it stop in order.
 */
import { ConfigError } from '@carecover/config';
import { unavailable } from '@carecover/domain';
import type { Log } from '@carecover/telemetry';
import { redactSecrets } from '@carecover/telemetry/redact';

export interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Maximum time in milliseconds for the stop of a process. It is longer than the longest DRAIN_MS plus the time that the gateway waits for
 * a service's response, so that a stopped replica completes every request that it accepted.
 */
export const STOP_LIMIT_MS = 40_000;

/** Maximum time in milliseconds for the stop of a server, which completes its requests: the rest of the stop's time is for other parts. */
const LONGEST_PART_MS = 35_000;

interface Part {
  readonly name: string;
  readonly stop: () => Promise<unknown>;
  readonly limitMs: number;
}

/** Stops the parts of a process in reverse start order, each part once. */
export class ShutdownSequence implements Stoppable {
  private isStopping = false;
  private readonly parts: Part[] = [];

  constructor(private readonly log: Log) {}

  /**
   * Adds a part that was started.
   *
   * @param name name of the part in log lines
   * @param limitMs after this time in milliseconds, the next part is stopped although this one has not ended
   */
  add(name: string, stop: () => Promise<unknown>, limitMs = LONGEST_PART_MS): void {
    this.parts.push({ name, stop, limitMs });
  }

  /** Checks for the readiness route that the process is not stopping. @throws ApiError if the process is stopping */
  requireRunning(): void {
    if (this.isStopping) throw unavailable('This process');
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (let part = this.parts.pop(); part !== undefined; part = this.parts.pop()) {
      await this.stopPart(part);
    }
  }

  private async stopPart({ name, stop, limitMs }: Part): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.log.warn({ part: name, limit_ms: limitMs }, 'a part did not stop in time');
        resolve();
      }, limitMs);
    });
    try {
      await Promise.race([stop(), overdue]);
    } catch (error) {
      this.log.warn({ err: error, part: name }, 'a part failed to stop');
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Runs a service as this process until SIGTERM or SIGINT. The exit code is 1 if a setting is invalid or the start fails. */
export function runProcess(name: string, start: (args: readonly string[]) => Promise<Stoppable>): void {
  process.on('unhandledRejection', (error) => {
    process.stderr.write(redactSecrets(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`));
    process.exit(1);
  });
  // `start` runs in a promise, so that an error which it throws before its first await is handled like a later one.
  const started = Promise.resolve(process.argv.slice(2)).then(start);
  started.then(
    (running) => {
      let stopping = false;
      const stop = () => {
        if (stopping) process.exit(1);
        stopping = true;
        setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
        void running.stop().then(() => process.exit(0));
      };
      process.on('SIGTERM', stop);
      process.on('SIGINT', stop);
    },
    (error: unknown) => {
      const text =
        error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
      process.stderr.write(redactSecrets(`${name}: ${text}\n`));
      process.exit(1);
    },
  );
}
