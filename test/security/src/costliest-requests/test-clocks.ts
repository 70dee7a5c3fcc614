/** The costliest requests of test clocks. The project has real time, so its clock is 404: a simulated project has a key of its own. */
import type { operations } from '@carecover/contract';
import type { Costliest } from './costly';

export const testClockRequests = {
  createTestClock: { create: async () => [{ body: { name: 'x'.repeat(200), now: '2022-01-01T00:00:00Z' } }] },
  getTestClock: { create: async () => [{}] },
  advanceTestClock: { create: async () => [{ body: { to: '2999-12-31T23:59:59Z', wait_seconds: 10 } }] },
} satisfies Partial<Record<keyof typeof operations, Costliest>>;
