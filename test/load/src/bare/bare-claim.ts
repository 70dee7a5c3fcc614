/** The least that a claim's workflow can be: for each command as many Temporal operations as ours needs, and nothing in them but the SQL. */
import { CLAIM_STATUS } from '@carecover/platform/workflow';
import {
  condition,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';

export interface BareCommand {
  /** What stands for what was recorded. */
  readonly instance: Readonly<Record<string, string>>;
  readonly seed: string;
  /** Names of recorded steps, in order; those of other services are activities on another queue. */
  readonly steps: readonly { readonly name: string; readonly elsewhere: boolean }[];
}

export interface BareActivities {
  playStep(step: string, instance: BareCommand['instance'], seed: string): Promise<void>;
}

export const ELSEWHERE = 'bench-elsewhere';

// What fails is to be seen at once.
const once = { startToCloseTimeout: '10s', retry: { maximumAttempts: 1 } } as const;
const own = proxyLocalActivities<BareActivities>(once);
const elsewhere = proxyActivities<BareActivities>({ ...once, taskQueue: ELSEWHERE });

export const command = defineUpdate<void, [BareCommand]>('command');

export async function bareClaim(): Promise<void> {
  setHandler(command, async ({ instance, seed, steps }) => {
    for (const { name, elsewhere: isElsewhere } of steps) {
      await (isElsewhere ? elsewhere : own).playStep(name, instance, seed);
    }
    upsertSearchAttributes([{ key: CLAIM_STATUS, value: 'submitted' }]);
  });
  await condition(() => false);
}
