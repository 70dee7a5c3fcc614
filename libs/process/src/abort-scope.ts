/**
 * Ends work that waits for other servers, such as the steps of a worker that stops. The AbortSignal of the work applies to everything that
 * is called in it: requests to other services (`ServiceClient`) and SQL statements end when it is aborted, without a parameter in each
 * function between.
 *
 * Failure policy: the outcome of a request or statement that was ended is unknown, as after a crash. So only work that is idempotent, and
 * that is repeated later, may run in a scope.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

const scope = new AsyncLocalStorage<AbortSignal>();

/** Returns the AbortSignal of the work that calls this function; undefined outside of {@link runAbortable}. */
export function activeAbortSignal(): AbortSignal | undefined {
  return scope.getStore();
}

/** Calls `work` and waits for its result until `signal` is aborted. @throws the reason of the abort, or the error of `work` */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Runs `work` until it ends or one of the signals is aborted. What `work` waits for ends then too; `work` itself may continue for a moment.
 *
 * @param signals signals that can live longer than the work; an undefined one is never aborted
 * @throws the reason of the abort, or the error of `work`
 * @example await runAbortable([stopping], () => commitAdjudication(sql, step));
 */
export async function runAbortable<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  // `AbortSignal.any` is not used: in Node.js 20, the signals that it makes from a long-lived one are never collected.
  const ended = new AbortController();
  // Each statement and request of the work listens until it has its answer, and a set of lines sends many at once.
  setMaxListeners(0, ended.signal);
  const abort = (event: Event) => ended.abort((event.target as AbortSignal).reason);
  for (const signal of signals) signal?.throwIfAborted();
  for (const signal of signals) signal?.addEventListener('abort', abort);
  try {
    return await untilAborted(ended.signal, () => scope.run(ended.signal, work));
  } finally {
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  }
}
