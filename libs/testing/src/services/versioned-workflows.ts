import { pinToRelease } from '@carecover/temporal/workflow';
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

/** Workflows for tests of releases that run side by side. Each returns the releases on which it started and on which it ended. */
async function startAndEnd(): Promise<string[]> {
  const { release } = proxyLocalActivities<{ release(): Promise<string> }>({ startToCloseTimeout: '5s' });
  let mayEnd = false;
  setHandler(defineSignal('end'), () => {
    mayEnd = true;
  });
  const started = await release();
  await condition(() => mayEnd);
  return [started, await release()];
}

export async function upgraded(): Promise<string[]> {
  return startAndEnd();
}

pinToRelease(pinned);
export async function pinned(): Promise<string[]> {
  return startAndEnd();
}
