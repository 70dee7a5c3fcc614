/** The smallest possible command in Temporal: an Update that executes one local activity, which does nothing. */
import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export interface FloorActivities {
  doNothing(): Promise<void>;
}

const { doNothing } = proxyLocalActivities<FloorActivities>({ startToCloseTimeout: '10s' });

export const command = defineUpdate<void, []>('command');

export async function floor(): Promise<void> {
  setHandler(command, () => doNothing());
  await condition(() => false);
}
