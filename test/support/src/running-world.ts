/** Starts a stack for a suite, with clients that have no effective rate limit, test data and webhook receivers. */
import { startTestStack, type TestStack } from '@carecover/local/testing';
import { startReceivers } from './receivers';
import { createStackClients, type StackClients } from './stack-clients';
import { World } from './world';

/** The limit of active webhook endpoints. No suite creates as many. */
const ENDPOINT_LIMIT = 10_000;
/** Retries of requests that prepare a test: about half a minute, in which a killed process restarts. */
const PREPARATION_RETRIES = 30;
/** The timeout of starting a stack with two replicas of each process on a busy machine. */
const START_TIMEOUT_MS = 180_000;

export interface RunningWorld extends Omit<TestStack, 'stop'> {
  readonly world: World;
  readonly clients: StackClients;
}

type Started = RunningWorld & Pick<TestStack, 'stop'>;

/** Creates a function that sets the project's limit of active webhook endpoints. See {@link World.limitEndpoints}. */
export function createEndpointLimiter(
  operator: TestStack['operator'],
  projectId: string,
): World['limitEndpoints'] {
  return async (limit = ENDPOINT_LIMIT) => {
    await operator('projects', 'set', projectId, '--endpoint-limit', String(limit));
  };
}

/** Starts a stack and raises the project's limits above what tests need. Stops everything if the start fails. */
async function startWorld(options: Parameters<typeof startTestStack>[0]): Promise<Started> {
  const receivers = await startReceivers();
  let testStack: TestStack | undefined;
  let clients: StackClients | undefined;
  const stop = async () => {
    receivers.close();
    await clients?.close();
    await testStack?.stop();
  };
  try {
    testStack = await startTestStack(options);
    const { file } = testStack.stack;
    clients = createStackClients(file);
    const { operator, moveClock } = testStack;
    const limitEndpoints = createEndpointLimiter(operator, file.project_id);
    await limitEndpoints();
    await operator('projects', 'set', file.project_id, '--rate-limit', '1000000');
    const client = clients.create(file.secret_key, { maxRetries: PREPARATION_RETRIES });
    return { ...testStack, world: new World(client, receivers, moveClock, limitEndpoints), clients, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Registers jest hooks that start a stack for the suite and stop it. The result can be used in tests and later hooks. */
export function useWorld(options: Parameters<typeof startTestStack>[0] = {}): RunningWorld {
  let starting: Promise<Started> | undefined;
  let running: Started | undefined;
  beforeAll(async () => {
    starting = startWorld(options);
    running = await starting;
  }, START_TIMEOUT_MS);
  // After a timeout of the hook above, the start continues. This hook stops its result too.
  afterAll(async () => (await starting)?.stop(), START_TIMEOUT_MS);

  function started(): Started {
    if (running === undefined)
      throw new Error('the stack is not running yet: use it only in hooks and tests');
    return running;
  }
  return {
    get stack() {
      return started().stack;
    },
    get world() {
      return started().world;
    },
    get clients() {
      return started().clients;
    },
    operator: (...args) => started().operator(...args),
    moveClock: (offsetMs) => started().moveClock(offsetMs),
  };
}
