export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Where its output is appended. */
  logFile: string;
  /** The signal that asks it to stop; SIGTERM unless given. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds between that signal and SIGKILL; 4,000 unless given. */
  graceMs?: number;
  /** Such a process is stopped before those that it relies on. */
  reliesOnOthers?: boolean;
}
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly reliesOnOthers: boolean;
  readonly exited: Promise<Exit>;
  running(): boolean;
  /** Asks it to stop, kills it after its grace, and waits for its end. */
  stop(): Promise<Exit>;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<Exit>;
}
/** Thrown for a process that should start while everything is being stopped. */
export declare class ChildrenClosed extends Error {}
export declare class Children {
  private readonly folder;
  private readonly options;
  private closed;
  private readonly children;
  private readonly recordsFile;
  private reaper;
  /** `deleteFolder`: the folder goes with its processes (for tests). */
  constructor(
    folder: string,
    options?: {
      deleteFolder?: boolean;
    },
  );
  /** Stops what an earlier supervisor of this folder left running; returns the names. */
  stopLeftovers(): Promise<string[]>;
  /** Starts a process in a group of its own, so that the terminal's Ctrl-C reaches it only through {@link Child.stop}. */
  start(spec: ChildSpec): Child;
  /** Stops every process and the reaper: first what relies on others. None can be started any more. */
  close(): Promise<void>;
  private startReaper;
  private record;
}
