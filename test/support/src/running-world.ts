/** A running stack with everything that a suite across services needs: a client without a rate limit, a world, receivers. */
import { startTestStack, type TestStack } from '@carecover/local/testing';
import { startReceivers } from './receivers';
import { type Trusting, trusting } from './trusting';
import { World } from './world';

/** What prepares a test waits for a process that is coming back, some half a minute long. */
const PATIENT = 30;

export interface RunningWorld extends TestStack {
  readonly world: World;
  readonly trust: Trusting;
}

/** Starts it; `stop` stops all of it. The local project's limit is far above what a test sends. */
export async function startWorld(options: Parameters<typeof startTestStack>[0] = {}): Promise<RunningWorld> {
  const testStack = await startTestStack(options);
  const receivers = await startReceivers();
  const { file } = testStack.stack;
  const trust = trusting(file);
  await testStack.operator('projects', 'set', file.project_id, '--rate-limit', '1000000');
  const world = new World(
    trust.client(file.secret_key, { maxRetries: PATIENT }),
    receivers,
    testStack.moveClock,
  );
  const stop = async () => {
    await trust.close();
    receivers.close();
    await testStack.stop();
  };
  return { ...testStack, world, trust, stop };
}
