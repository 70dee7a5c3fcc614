/** Runs slices of long work, one per turn of the event loop for the whole process, so that other requests are served between them. */
import { computeAtCost } from '@carecover/telemetry';

const waitingSlices: (() => void)[] = [];

function startNext(): void {
  waitingSlices.shift()?.();
  if (waitingSlices.length > 0) setImmediate(startNext);
}

/** Waits for a turn of the event loop in which no other slice runs. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waitingSlices.push(resolve);
    if (waitingSlices.length === 1) setImmediate(startNext);
  });
}

/**
 * Runs the steps of long work, one per {@link nextTurn}.
 *
 * @param steps yields between two steps, and returns the result
 * @example await runInTurns(validateBodyInSteps('createCoverageBatch', body))
 */
export async function runInTurns<T>(steps: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const { done, value } = computeAtCost(() => steps.next());
    if (done === true) return value;
    await nextTurn();
  }
}
