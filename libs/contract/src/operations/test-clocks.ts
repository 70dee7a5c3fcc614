// The operations of test clocks, which the gateway executes: sandbox projects whose time is simulated.

import { NoQuery } from '../inputs/queries';
import { TestClockAdvanceInput, TestClockInput } from '../inputs/test-clocks';
import { SimulatedProject, TestClock } from '../resources/test-clock';
import { defineOperation, NoParams } from './definition';

export const testClockOperations = {
  createTestClock: defineOperation({
    method: 'POST',
    path: '/test_clocks',
    tag: 'Test clocks',
    summary: 'Create a project whose time is simulated',
    description:
      'Creates a sandbox project with its own key. Its time stands at `now` and only its own advances move it; this can never be changed. A repeated request creates another project. 409: the project has created the maximum number of clocks, or has simulated time itself, or another project has the seed.',
    service: 'gateway',
    scope: 'clock:write',
    params: NoParams,
    query: NoQuery,
    body: TestClockInput,
    success: [{ status: 201, schema: SimulatedProject }],
    codes: ['validation_failed', 'invalid_state'],
    idempotencyKey: 'ignored',
    sandboxOnly: true,
    creates: true,
  }),
  getTestClock: defineOperation({
    method: 'GET',
    path: '/test_clock',
    tag: 'Test clocks',
    summary: "Read the project's clock",
    description: 'A project with real time has no clock: 404.',
    service: 'gateway',
    scope: 'clock:read',
    params: NoParams,
    query: NoQuery,
    success: [{ status: 200, schema: TestClock }],
    codes: ['validation_failed', 'resource_not_found'],
    idempotencyKey: 'none',
    sandboxOnly: true,
  }),
  advanceTestClock: defineOperation({
    method: 'POST',
    path: '/test_clock/advance',
    tag: 'Test clocks',
    summary: "Move the project's clock forward",
    description:
      'Executes every due item until the instant in the order of the due times, each at its own instant, then sets the clock to the instant. An item that fails leaves the clock at the last completed one; the next advance continues. 409: the instant is before now, nothing is due, or the clock is advancing.',
    service: 'gateway',
    scope: 'clock:write',
    params: NoParams,
    query: NoQuery,
    body: TestClockAdvanceInput,
    success: [{ status: 202, schema: TestClock }],
    codes: ['validation_failed', 'resource_not_found', 'idempotency_conflict', 'invalid_state'],
    idempotencyKey: 'required',
    sandboxOnly: true,
    isLong: true,
  }),
};
