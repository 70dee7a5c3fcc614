/** Starts a stack for a suite, with test data, webhook receivers, and clients whose rate limit is too high to have an effect. */
import { startTestCluster, startTestStack, type TestCluster, type TestStack, testTarget } from '../servers';
import { startReceivers } from './receivers';
import { createStackClients, type StackClients } from './stack-clients';
import { World } from './world';

/** The limit of active webhook endpoints of the project: more than any suite creates. */
const ENDPOINT_LIMIT = 10_000;
/**
 * Number of retries of requests that prepare a test. The retries take about half a minute, which is longer than the restart of a killed
 * process.
 */
const PREPARATION_RETRIES = 30;
/** Timeout of the start of a stack with two replicas of each process on a busy machine. */
const START_TIMEOUT_MS = 180_000;

export interface RunningWorld extends Omit<TestStack, 'stop'> {
  readonly world: World;
  readonly clients: StackClients;
}

/** A {@link RunningWorld} whose stack is a cluster. */
export interface RunningClusterWorld extends RunningWorld {
  readonly stack: TestCluster['stack'];
}

type Started<W extends RunningWorld> = W & Pick<TestStack, 'stop'>;

/** Returns a function that sets the limit of active webhook endpoints of a project. See {@link World.limitEndpoints}. */
export function createEndpointLimiter(
  operator: TestStack['operator'],
  projectId: string,
): World['limitEndpoints'] {
  return async (limit = ENDPOINT_LIMIT) => {
    await operator('projects', 'set', projectId, '--endpoint-limit', String(limit));
  };
}

/** Starts a stack, and sets the limits of its project higher than tests need. Stops all started processes if the start fails. */
async function startWorld<T extends TestStack>(startStack: () => Promise<T>) {
  const receivers = await startReceivers();
  let testStack: T | undefined;
  let clients: StackClients | undefined;
  const stop = async () => {
    receivers.close();
    await clients?.close();
    await testStack?.stop();
  };
  try {
    testStack = await startStack();
    const { file } = testStack.stack;
    clients = createStackClients(file);
    const { operator, moveClock } = testStack;
    const limitEndpoints = createEndpointLimiter(operator, file.project_id);
    const limits = ['--rate-limit', '1000000', '--endpoint-limit', String(ENDPOINT_LIMIT)];
    await operator('projects', 'set', file.project_id, ...limits);
    const client = clients.create(file.secret_key, { maxRetries: PREPARATION_RETRIES });
    return { ...testStack, world: new World(client, receivers, moveClock, limitEndpoints), clients, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Registers Jest hooks that start a stack for the suite and stop it. With `--target cluster`, the hooks start a cluster instead of a stack.
 * The result can be used only in tests and in later hooks.
 */
export function useWorld(options: Parameters<typeof startTestStack>[0] = {}): RunningWorld {
  const start = testTarget() === 'cluster' ? startTestCluster : startTestStack;
  return registerHooks(() => startWorld<TestStack>(() => start(options)));
}

/** Registers Jest hooks like {@link useWorld}, but for a cluster instead of a stack. */
export function useClusterWorld(): RunningClusterWorld {
  return registerHooks(() => startWorld(() => startTestCluster()));
}

function registerHooks<W extends RunningWorld>(start: () => Promise<Started<W>>): Omit<W, 'stop'> {
  let starting: Promise<Started<W>> | undefined;
  let running: Started<W> | undefined;
  beforeAll(async () => {
    starting = start();
    running = await starting;
  }, START_TIMEOUT_MS);
  // If the hook that starts the stack times out, the start continues. This hook waits for the start, so that the stack is stopped in this
  // case too.
  afterAll(async () => (await starting)?.stop(), START_TIMEOUT_MS);

  function started(): Started<W> {
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
    operator: (...args: string[]) => started().operator(...args),
    moveClock: (offsetMs: number) => started().moveClock(offsetMs),
  } as Omit<W, 'stop'>;
}
