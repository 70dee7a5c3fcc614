import type { Child } from './children';
/** @throws StartFailure when the process ends before it answers, or doesn't answer within a minute. */
export declare function untilReady(
  child: Child,
  logFile: string,
  answers: () => Promise<boolean>,
): Promise<void>;
