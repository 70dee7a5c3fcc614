/** Processes that are together one part of a stack, such as all processes of a service: stopped, killed and started at the same time. */
import type { Supervised } from './supervised';

export class ProcessGroup {
  constructor(
    readonly name: string,
    private readonly members: readonly Supervised[],
  ) {}

  /** The IDs of the running processes. */
  get pids(): number[] {
    return this.members.flatMap(({ pid }) => pid ?? []);
  }

  /** Starts the processes that do not run, and waits until they respond. For `extra`, see {@link Supervised.start}. */
  async start(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    const stopped = this.members.filter(({ pid }) => pid === undefined);
    await Promise.all(stopped.map((member) => member.start(extra)));
  }

  /** Stops the processes gracefully. They are not restarted until {@link start} is called. */
  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }

  /** Sends SIGKILL to the processes. They are not restarted until {@link start} is called. */
  async kill(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }

  async restart(extra: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.stop();
    await this.start(extra);
  }

  /** See {@link Supervised.resetPause}. */
  resetPause(): void {
    for (const member of this.members) member.resetPause();
  }

  /** Disables automatic restarts of the processes without stopping them. */
  disableRestart(): void {
    for (const member of this.members) member.disableRestart();
  }
}
