/**
 * Supervises one process of a stack: a process that ends unexpectedly, or that has a fault which a restart repairs, is restarted after a pause.
 * The pause doubles each time that the
 * process ends soon after its start; {@link Supervised.start} and {@link Supervised.resetPause} reset it. The other processes keep running, as
 * in production.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, ChildrenClosed } from './children';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Milliseconds between two searches for a fault of the process. */
const FAULT_INTERVAL_MS = 5_000;
/** If a process has run for this time in milliseconds before it ends, the pause before its restart is the shortest one. */
const SETTLED_MS = 10_000;

/** Starts the process and waits until it responds. `extra` contains environment variables for this start only. */
export type Start = (extra: NodeJS.ProcessEnv) => Promise<Child>;

/** Returns the reason for which the running process must be restarted; null if there is none. */
export type FindFault = () => Promise<string | null>;

export class Supervised {
  private child: Child | undefined;
  /** A number that every start and stop increments. A pending restart is dropped if the number has changed since the process ended. */
  private generation = 0;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    readonly name: string,
    private readonly startOnce: Start,
    private readonly print: (line: string) => void,
    private readonly findFault?: FindFault,
  ) {}

  /** The ID of the process; undefined while the process does not run. */
  get pid(): number | undefined {
    return this.child?.running() === true ? this.child.pid : undefined;
  }

  /**
   * Starts the process and waits until it responds. Later restarts do not get the variables in `extra`, so that a crash that they cause
   * happens once.
   */
  async start(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    this.generation += 1;
    this.resetPause();
    await this.run(this.generation, extra);
  }

  /** Stops the process gracefully. It is not restarted until {@link start} is called. */
  async stop(): Promise<void> {
    this.generation += 1;
    await this.child?.stop();
  }

  /** Sends SIGKILL to the process. It is not restarted until {@link start} is called. */
  async kill(): Promise<void> {
    this.generation += 1;
    await this.child?.kill();
  }

  /** Resets the pause before the next restart to the shortest one, such as before a crash that a test causes. */
  resetPause(): void {
    this.pauseMs = FIRST_PAUSE_MS;
  }

  /** Disables automatic restarts of the process without stopping it. */
  disableRestart(): void {
    this.generation += 1;
  }

  async restart(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.stop();
    await this.start(extra);
  }

  private async run(generation: number, extra: NodeJS.ProcessEnv): Promise<void> {
    const child = await this.startOnce(extra);
    if (this.generation !== generation) {
      await child.stop();
      return;
    }
    this.child = child;
    const startedMs = Date.now();
    void child.exited.then(async ({ code, signal }) => {
      if (this.generation !== generation) return;
      if (Date.now() - startedMs > SETTLED_MS) this.pauseMs = FIRST_PAUSE_MS;
      this.print(
        `${this.name} ended (${signal ?? `code ${code}`}); starting it again in ${this.pauseMs / 1000} s`,
      );
      await this.runAgain(generation);
    });
    void this.stopAtFault(child, generation);
  }

  /** Stops the process when it has a fault, so that it is restarted. Ends when the process has ended or must not be restarted. */
  private async stopAtFault(child: Child, generation: number): Promise<void> {
    if (this.findFault === undefined) return;
    for (;;) {
      await sleep(FAULT_INTERVAL_MS, undefined, { ref: false });
      if (this.generation !== generation || !child.running()) return;
      try {
        const fault = await this.findFault();
        if (fault === null || this.generation !== generation) continue;
        this.print(`${this.name} must be restarted: ${fault}`);
        await child.stop();
      } catch (error) {
        this.print(`${this.name} is no longer checked for faults: ${error}`);
      }
      return;
    }
  }

  /** Starts the process until it responds. Prints the error of the first start that fails, and then the end of the failures. */
  private async runAgain(generation: number): Promise<void> {
    for (let failures = 0; ; failures++) {
      await sleep(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
      if (this.generation !== generation) return;
      try {
        await this.run(generation, {});
        if (failures > 0) this.print(`${this.name} runs again; failed starts: ${failures}`);
        return;
      } catch (error) {
        if (error instanceof ChildrenClosed) return;
        if (failures === 0) this.print(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
