import { type Child } from './children';
/** Starts the process and waits until it answers; `extra` are settings for this one run. */
export type Start = (extra: NodeJS.ProcessEnv) => Promise<Child>;
export declare class Supervised {
  readonly name: string;
  private readonly startOnce;
  private readonly print;
  private child;
  /** Grows whenever somebody starts or stops it; whatever was begun for an earlier wish is then given up. */
  private wish;
  private pauseMs;
  constructor(name: string, startOnce: Start, print: (line: string) => void);
  /** Undefined while it is down. */
  get pid(): number | undefined;
  /** Starts it and resolves once it answers. `extra` holds until this run ends, so a crash it causes happens once. */
  start(extra?: NodeJS.ProcessEnv): Promise<void>;
  /** Stops it gracefully; it stays down until it is started again. */
  stop(): Promise<void>;
  /** SIGKILL; it stays down until it is started again. */
  kill(): Promise<void>;
  restart(extra?: NodeJS.ProcessEnv): Promise<void>;
  private run;
  private runAgain;
}
