/** Measures the turns of the event loop of this process. Processor time is measured, which other load on the machine does not affect. */
import { readFileSync } from 'node:fs';

/** Reads the processor time of this thread in milliseconds. It works only on Linux. */
function readProcessorMs(): number {
  const [nanoseconds = '0'] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/**
 * Starts to measure every turn of the event loop of this process. The measurement keeps the event loop busy, so that the event loop does
 * not sleep between turns.
 *
 * @returns a function that stops the measurement and returns the processor time of each turn in milliseconds, the longest first
 */
export function measureTurns(): () => number[] {
  const turns: number[] = [];
  let lastMs = readProcessorMs();
  let isStopped = false;
  const measure = () => {
    const nowMs = readProcessorMs();
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
