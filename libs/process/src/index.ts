/** What runs in a process: start and stop, background loops, sweeps, limits of concurrency, outages of dependencies. */

export { activeAbortSignal, runAbortable, untilAborted } from './abort-scope';
export * from './background-loop';
export * from './batcher';
export * from './failpoints';
export * from './fair-semaphore';
export * from './interruptible-sleep';
export * from './lifecycle';
export { nextTurn, runInTurns } from './next-turn';
export * from './outages';
export * from './sweeper';
