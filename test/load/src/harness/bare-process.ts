/** Starts a bare limit's process and stops it; what it is told and what it says when it is up goes over the fork's channel. */
import { fork } from 'node:child_process';
import { join } from 'node:path';

export interface BareProcess<Ready> {
  readonly ready: Ready;
  stop(): Promise<void>;
}

/** @param name the file's name in bare/ */
export function startBare<Ready>(name: string, settings: object): Promise<BareProcess<Ready>> {
  const child = fork(join(__dirname, '../bare', `${name}.js`), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${name} ended (${code}) before it was up.`)));
    child.once('message', (ready: Ready) => {
      // A benchmark that fails is not held up by it; it ends with us.
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

/** The other side: `start` gets the settings, and what it gives is told once it is up. The process ends with its parent. */
export function bareMain<Settings, Ready>(start: (settings: Settings) => Promise<Ready>): void {
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
