/** Measures the turns of this process's event loop in processor time, which other processes on the machine don't lengthen. */
import { readFileSync } from 'node:fs';

/** The processor time of this thread, to one tick of the kernel. Linux only. */
function processorMs(): number {
  const [nanoseconds = '0'] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/**
 * Measures every turn from now on. The event loop does not sleep meanwhile.
 *
 * @returns a function that stops, and returns the processor time of each turn in milliseconds, the longest first
 */
export function measureTurns(): () => number[] {
  const turns: number[] = [];
  let lastMs = processorMs();
  let isStopped = false;
  const measure = () => {
    const nowMs = processorMs();
    turns.push(nowMs - lastMs);
    lastMs = nowMs;
    if (!isStopped) setImmediate(measure);
  };
  setImmediate(measure);
  return () => {
    isStopped = true;
    return turns.sort((a, b) => b - a);
  };
}
