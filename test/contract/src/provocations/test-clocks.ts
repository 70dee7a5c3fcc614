/** Provocations of test clocks, in a simulated project of their own. */
import type { World } from '@carecover/testing/stack';
import type { Provocations } from './provocation';

const START = '2022-01-01T00:00:00Z';
const DAY_MS = 24 * 3_600_000;

const keys = new WeakMap<World, Promise<string>>();

/** Returns the key of the world's simulated project. */
function keyOf(world: World): Promise<string> {
  const known = keys.get(world) ?? createKey(world);
  keys.set(world, known);
  return known;
}

async function createKey(world: World): Promise<string> {
  return (await world.client.testClocks.create({ name: 'Contract', now: START })).secret_key;
}

let days = 0;
/** Returns an instant that is later than those of all earlier calls. */
const laterInstant = () => new Date(Date.parse(START) + ++days * DAY_MS).toISOString();

export const testClockProvocations: Provocations = {
  createTestClock: {
    success: async () => ({ body: { name: 'Contract', now: START } }),
    validation_failed: async () => ({ body: { name: 'Contract', now: '1999-12-31T23:59:59Z' } }),
    invalid_state: async (world) => ({ key: await keyOf(world), body: { name: 'Nested', now: START } }),
  },
  getTestClock: {
    success: async (world) => ({ key: await keyOf(world) }),
    validation_failed: async () => ({ query: { unknown: '1' } }),
  },
  advanceTestClock: {
    success: async (world) => ({ key: await keyOf(world), body: { to: laterInstant(), wait_seconds: 10 } }),
    validation_failed: async () => ({ body: { to: 'tomorrow' } }),
    invalid_state: async (world) => ({ key: await keyOf(world), body: { to: '2001-01-01T00:00:00Z' } }),
  },
};
