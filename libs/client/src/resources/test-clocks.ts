/** The client's methods for projects whose time is simulated. Sandbox only. */
import type { TestClockAdvanceInput, TestClockInput } from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';

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
});

export interface TestClockMethods extends ReturnType<typeof testClock> {}
