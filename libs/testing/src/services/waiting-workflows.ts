import { localSteps } from '@carecover/temporal/workflow';
import { proxyActivities } from '@temporalio/workflow';

/** The steps of the workflows for tests of a stop. Each waits for a server that does not answer. */
export interface WaitingSteps {
  waitForNothing(): Promise<string>;
  waitForService(): Promise<string>;
  waitForDatabase(): Promise<string>;
}

const STEP_TIMEOUT = '40s';

const local = localSteps<WaitingSteps>(STEP_TIMEOUT, {
  waitForNothing: 'Wait for nothing',
  waitForService: 'Wait for a service',
  waitForDatabase: 'Wait for the database',
});
const ordinary = proxyActivities<WaitingSteps>({
  startToCloseTimeout: STEP_TIMEOUT,
  retry: { initialInterval: '100ms' },
});

/** Executes one local activity, and returns its result. */
export async function waitingInTask(step: keyof WaitingSteps): Promise<string> {
  return local[step]();
}

/** Executes one ordinary activity, and returns its result. */
export async function waitingOnQueue(step: keyof WaitingSteps): Promise<string> {
  return ordinary[step]();
}
