/**
 * Minimal workflows of a claim and of the pre-authorization that a submission uses: the same number of Temporal operations per
 * command as this project needs, with only the SQL in them.
 */
import { CLAIM_STATUS, DUE_AT, PREAUTHORIZATION_STATUS } from '@carecover/platform/workflow';
import {
  condition,
  defineSignal,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { USED_SIGNAL } from './bare-names';

/** The instance for which recorded SQL is sent. */
export interface BareInstance {
  /** The replacements of recorded values. */
  readonly instance: Readonly<Record<string, string>>;
  readonly seed: string;
}

export interface BareStep {
  readonly name: string;
  /** The recorded step of the pre-authorization's workflow that runs after this step's signal. */
  readonly learnedBy?: string;
}

export interface BareCommand extends BareInstance {
  readonly steps: readonly BareStep[];
}

export interface BareActivities {
  playStep(of: BareInstance, step: Pick<BareStep, 'name' | 'learnedBy'>): Promise<void>;
}

// Without retries, so that a failure is visible at once.
const once = { startToCloseTimeout: '10s', retry: { maximumAttempts: 1 } } as const;
const own = proxyLocalActivities<BareActivities>(once);

export const command = defineUpdate<void, [BareCommand]>('command');

export async function bareClaim(): Promise<void> {
  setHandler(command, async ({ instance, seed, steps }) => {
    for (const step of steps) {
      await own.playStep({ instance, seed }, step);
    }
    upsertSearchAttributes([{ key: CLAIM_STATUS, value: 'submitted' }]);
  });
  await condition(() => false);
}

const signal = defineSignal(USED_SIGNAL);

/** Waits for its deadline or for the signal that the pre-authorization is used. */
export async function barePreauthorization(of: BareInstance, learnedBy: string): Promise<void> {
  let isSignalled = false;
  setHandler(signal, () => {
    isSignalled = true;
  });
  await condition(() => isSignalled, '90 days');
  await own.playStep(of, { name: learnedBy });
  upsertSearchAttributes([
    { key: PREAUTHORIZATION_STATUS, value: 'approved' },
    { key: DUE_AT, value: null },
  ]);
}
