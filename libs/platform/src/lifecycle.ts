/**
 * How a service process starts and stops. Stopping drains, in the reverse order of starting: no new requests, then the
 * work in flight, then the connections. A second signal, or eight seconds, ends it at once.
 */
import { ConfigError } from './config';
import type { Log } from './log';
import { redactSecrets } from './redact';

export interface Stoppable {
  stop(): Promise<void>;
}

const DRAIN_LIMIT_MS = 8_000;

/** Collects what was started, so that it is stopped in the reverse order, each part once. */
export class Running implements Stoppable {
  private readonly parts: { readonly name: string; readonly stop: () => Promise<unknown> }[] = [];

  constructor(private readonly log: Log) {}

  /** Remembers how a part is stopped. */
  add(name: string, stop: () => Promise<unknown>): void {
    this.parts.push({ name, stop });
  }

  async stop(): Promise<void> {
    for (let part = this.parts.pop(); part !== undefined; part = this.parts.pop()) {
      try {
        await part.stop();
      } catch (error) {
        this.log.warn({ err: error, part: part.name }, 'a part did not stop cleanly');
      }
    }
  }
}

/** Runs a service as this process: starts it, waits for a signal, drains, exits. A wrong setting exits with code 1. */
export function runProcess(name: string, start: (args: readonly string[]) => Promise<Stoppable>): void {
  process.on('unhandledRejection', (error) => {
    process.stderr.write(redactSecrets(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`));
    process.exit(1);
  });
  // What it throws before its first wait, a wrong setting above all, ends the process the same way.
  const started = Promise.resolve(process.argv.slice(2)).then(start);
  started.then(
    (running) => {
      let stopping = false;
      const stop = () => {
        if (stopping) process.exit(1);
        stopping = true;
        setTimeout(() => process.exit(1), DRAIN_LIMIT_MS).unref();
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
