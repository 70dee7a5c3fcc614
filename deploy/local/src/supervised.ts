/**
 * Keeps one process of the stack running: one that ends unasked is started again, after a pause that grows while it
 * keeps ending. What another process of the stack notices of that is what it would notice in production.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, ChildrenClosed } from './children';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A process that ran this long has started well, so its next pause is short again. */
const SETTLED_MS = 10_000;

/** Starts the process and waits until it answers; `extra` are settings for this one run. */
export type Start = (extra: NodeJS.ProcessEnv) => Promise<Child>;

export class Supervised {
  private child: Child | undefined;
  /** Grows whenever somebody starts or stops it; whatever was begun for an earlier wish is then given up. */
  private wish = 0;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    readonly name: string,
    private readonly startOnce: Start,
    private readonly print: (line: string) => void,
  ) {}

  /** Undefined while it is down. */
  get pid(): number | undefined {
    return this.child?.running() === true ? this.child.pid : undefined;
  }

  /** Starts it and resolves once it answers. `extra` holds until this run ends, so a crash it causes happens once. */
  async start(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    this.wish += 1;
    await this.run(this.wish, extra);
  }

  /** Stops it gracefully; it stays down until it is started again. */
  async stop(): Promise<void> {
    this.wish += 1;
    await this.child?.stop();
  }

  /** SIGKILL; it stays down until it is started again. */
  async kill(): Promise<void> {
    this.wish += 1;
    await this.child?.kill();
  }

  /** Leaves it as it is: its end is no longer an accident. */
  letGo(): void {
    this.wish += 1;
  }

  async restart(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.stop();
    await this.start(extra);
  }

  private async run(wish: number, extra: NodeJS.ProcessEnv): Promise<void> {
    const child = await this.startOnce(extra);
    if (this.wish !== wish) {
      await child.stop();
      return;
    }
    this.child = child;
    const since = Date.now();
    void child.exited.then(async ({ code, signal }) => {
      if (this.wish !== wish) return;
      this.print(`${this.name} ended (${signal ?? `code ${code}`}); starting it again`);
      if (Date.now() - since > SETTLED_MS) this.pauseMs = FIRST_PAUSE_MS;
      await this.runAgain(wish);
    });
  }

  private async runAgain(wish: number): Promise<void> {
    for (;;) {
      await sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
      if (this.wish !== wish) return;
      try {
        await this.run(wish, {});
        return;
      } catch (error) {
        if (error instanceof ChildrenClosed) return;
        this.print(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
