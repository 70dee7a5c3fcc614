/**
 * The least that a claim's workflow can be, and that of the pre-authorization which a submission uses: for each command as many
 * Temporal operations as ours need, and nothing in them but the SQL.
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
import { WAKE } from './bare-names';

/** For what recorded SQL is sent again. */
export interface BareInstance {
  /** What stands for what was recorded. */
  readonly instance: Readonly<Record<string, string>>;
  readonly seed: string;
}

export interface BareStep {
  readonly name: string;
  /** The recorded step by which the pre-authorization's workflow, which this step wakes, learns that it is used. */
  readonly learnedBy?: string;
}

export interface BareCommand extends BareInstance {
  readonly steps: readonly BareStep[];
}

export interface BareActivities {
  playStep(of: BareInstance, step: Pick<BareStep, 'name' | 'learnedBy'>): Promise<void>;
}

// What fails is to be seen at once.
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

const wake = defineSignal(WAKE);

/** Waits for its deadline, until it learns that there is none any more. */
export async function barePreauthorization(of: BareInstance, learnedBy: string): Promise<void> {
  let isWoken = false;
  setHandler(wake, () => {
    isWoken = true;
  });
  await condition(() => isWoken, '90 days');
  await own.playStep(of, { name: learnedBy });
  upsertSearchAttributes([
    { key: PREAUTHORIZATION_STATUS, value: 'approved' },
    { key: DUE_AT, value: null },
  ]);
}
