/** Slices of long work, one per turn of the event loop however many requests have some: between them it serves everything else. */

const waiting: (() => void)[] = [];

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Waits for a turn of the event loop in which no other long work has its slice. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

/**
 * Runs long work to its end, one step per {@link nextTurn}.
 *
 * @param steps yields between two steps, and returns the outcome
 * @example await runInTurns(validateBodyInSteps('createCoverageBatch', body))
 */
export async function runInTurns<T>(steps: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextTurn();
  }
}
