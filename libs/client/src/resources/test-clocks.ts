/** The client's methods for projects whose time is simulated. Sandbox only. */
import { CarecoverAdvanceError } from '../errors.ts';
import type { TestClock, TestClockAdvanceInput, TestClockInput } from '../generated/types.ts';
import { waitMs } from '../retry.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** For how many seconds the first response waits for the end of the advance. */
const FIRST_WAIT_SECONDS = 1;
/** How often the clock is read while it advances, in milliseconds. */
const POLL_MS = 1_000;

/** Options of an advance that is waited for. */
export interface AdvanceOptions extends CallOptions {
  /** Is called with the clock each time it was read, also at the end: `completed` and `remaining` are numbers of due items. */
  readonly onProgress?: (clock: TestClock) => void;
}

async function waitForAdvance(
  transport: Transport,
  { to }: Pick<TestClockAdvanceInput, 'to'>,
  { onProgress, ...options }: AdvanceOptions = {},
): Promise<TestClock> {
  const body = { to, wait_seconds: FIRST_WAIT_SECONDS };
  let clock = await transport.call('advanceTestClock', { body }, options);
  onProgress?.(clock);
  const { idempotencyKey: _key, ...reading } = options;
  while (clock.status === 'advancing') {
    await waitMs(POLL_MS, options.signal);
    clock = await transport.call('getTestClock', {}, reading);
    onProgress?.(clock);
  }
  if (clock.status === 'failed') throw new CarecoverAdvanceError(clock);
  return clock;
}

export const testClocks = (transport: Transport) => ({
  /**
   * Creates a sandbox project whose time is simulated, with a key of its own. Only this response contains the key.
   *
   * @example
   * const { secret_key } = await carecover.testClocks.create({ name: 'A year', now: '2025-01-01T00:00:00Z' });
   */
  create: (body: TestClockInput, options?: CallOptions) =>
    transport.call('createTestClock', { body }, options),
});

export interface TestClocksMethods extends ReturnType<typeof testClocks> {}

export const testClock = (transport: Transport) => ({
  /**
   * Reads the time of the project, and what is due next.
   *
   * @example
   * const { now, next_due } = await carecover.testClock.retrieve();
   */
  retrieve: (options?: CallOptions) => transport.call('getTestClock', {}, options),

  /**
   * Moves the clock forward to an instant or to the next due item. With `wait_seconds`, at most 10, the answer waits for the end: its status is
   * `ready`, or `failed` with the reason in `failure`. While the status is `advancing`, read the clock again.
   *
   * @example
   * const { status } = await carecover.testClock.advance({ to: '2026-01-01T00:00:00Z', wait_seconds: 10 });
   */
  advance: (body: TestClockAdvanceInput, options?: CallOptions) =>
    transport.call('advanceTestClock', { body }, options),

  /**
   * Moves the clock forward to an instant or to the next due item, and waits until it is ready. An aborted `signal` ends the wait; the advance
   * continues in the service.
   *
   * @returns the clock, whose status is `ready`
   * @throws CarecoverAdvanceError if the advance failed: it has the reason, and the clock as it stands
   * @throws CarecoverError for an API error, such as `invalid_state` if the instant is before the clock's time
   * @throws the AbortSignal's reason if it is aborted
   * @example
   * await carecover.testClock.advanceAndWait(
   *   { to: '2026-01-01T00:00:00Z' },
   *   { onProgress: ({ now, completed, remaining }) => console.log(now, completed, remaining) },
   * );
   */
  advanceAndWait: (body: Pick<TestClockAdvanceInput, 'to'>, options?: AdvanceOptions) =>
    waitForAdvance(transport, body, options),
});

export interface TestClockMethods extends ReturnType<typeof testClock> {}
