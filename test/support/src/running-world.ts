/** A running stack with everything that a suite across services needs: a client without a rate limit, a world, receivers. */
import { startTestStack, type TestStack } from '@carecover/local/testing';
import { startReceivers } from './receivers';
import { type Trusting, trusting } from './trusting';
import { World } from './world';

/** More webhook endpoints than any suite makes. */
const ENDPOINTS = 10_000;
/** What prepares a test waits for a process that is coming back, some half a minute long. */
const PATIENT = 30;
/** With two of each process, on a machine that does much else. */
const STARTING_MS = 180_000;

export interface RunningWorld extends Omit<TestStack, 'stop'> {
  readonly world: World;
  readonly trust: Trusting;
}

type Started = RunningWorld & Pick<TestStack, 'stop'>;

/** What sets how many active webhook endpoints the project can have: as many as any suite makes, unless told a number. */
export function endpointLimiter(operator: TestStack['operator'], projectId: string): World['limitEndpoints'] {
  return async (limit = ENDPOINTS) => {
    await operator('projects', 'set', projectId, '--endpoint-limit', String(limit));
  };
}

/** The local project's limits are far above what a test needs. Where the start fails, nothing of it is left. */
async function startWorld(options: Parameters<typeof startTestStack>[0]): Promise<Started> {
  const receivers = await startReceivers();
  let testStack: TestStack | undefined;
  let trust: Trusting | undefined;
  const stop = async () => {
    receivers.close();
    await trust?.close();
    await testStack?.stop();
  };
  try {
    testStack = await startTestStack(options);
    const { file } = testStack.stack;
    trust = trusting(file);
    const { operator, moveClock } = testStack;
    const limitEndpoints = endpointLimiter(operator, file.project_id);
    await limitEndpoints();
    await operator('projects', 'set', file.project_id, '--rate-limit', '1000000');
    const client = trust.client(file.secret_key, { maxRetries: PATIENT });
    return { ...testStack, world: new World(client, receivers, moveClock, limitEndpoints), trust, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Registers jest's hooks that start one for the suite and stop all of it; what this gives is there once they have run. */
export function useWorld(options: Parameters<typeof startTestStack>[0] = {}): RunningWorld {
  let starting: Promise<Started> | undefined;
  let running: Started | undefined;
  beforeAll(async () => {
    starting = startWorld(options);
    running = await starting;
  }, STARTING_MS);
  // A start that took too long for jest goes on; what it leads to is stopped too.
  afterAll(async () => (await starting)?.stop(), STARTING_MS);

  function started(): Started {
    if (running === undefined) throw new Error('the suite has not started');
    return running;
  }
  return {
    get stack() {
      return started().stack;
    },
    get world() {
      return started().world;
    },
    get trust() {
      return started().trust;
    },
    operator: (...args) => started().operator(...args),
    moveClock: (offsetMs) => started().moveClock(offsetMs),
  };
}
