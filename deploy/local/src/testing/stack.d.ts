import { Stack, type StackOptions } from '../stack';
export interface TestStack {
  readonly stack: Stack;
  /** Runs the operator's tool with `--json` and gives what it printed, parsed. */
  operator<T>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
}
/** Starts the stack from the built services; stopping removes its folder. */
export declare function startTestStack(options?: Partial<StackOptions>): Promise<TestStack>;
