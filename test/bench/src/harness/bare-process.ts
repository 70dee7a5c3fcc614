/** Starts and stops the process of a bare limit. The settings and the start message are sent over the channel between the two processes. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface BareProcess<Ready> {
  readonly ready: Ready;
  stop(): Promise<void>;
}

/**
 * Starts the process of a bare limit.
 *
 * @param name the name of the file in bare/
 * @param label name of the process in the report, which differs between processes of the same file
 */
export function startBare<Ready>(
  name: string,
  settings: object,
  label?: string,
): Promise<BareProcess<Ready>> {
  const child = fork(join(__dirname, '../bare', `${name}.js`), label === undefined ? [] : [label], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code} before it was ready.`)));
    child.once('message', (ready: Ready) => {
      // Lets the parent process end after a failed benchmark. The child process ends when its parent ends.
      child.unref();
      child.channel?.unref();
      resolve({
        ready,
        async stop() {
          child.ref();
          child.disconnect();
          await ended;
        },
      });
    });
    child.send(settings);
  });
}

/**
 * Runs in the process of a bare limit: calls `start` with the settings, and sends the result to the parent process. The process ends when
 * its parent ends.
 */
export function runBareProcess<Settings, Ready>(start: (settings: Settings) => Promise<Ready>): void {
  process.once('disconnect', () => process.exit());
  process.once('message', (settings: Settings) => {
    start(settings).then(
      (ready) => process.send?.(ready),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
        process.exit(1);
      },
    );
  });
}
