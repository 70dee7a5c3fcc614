/**
 * What is done from time to time: forgetting what is old, going on with large recoveries, and sealing secrets anew after a
 * rotation of the keys.
 */
import type { Sql, Sweep } from '@carecover/platform';
import type { Keyring } from './signing/keyring';
import { forgetOldEvents } from './store/events';
import { continueRecovery } from './store/recoveries';
import { forgetExpiredSecrets, resealSecrets } from './store/signing-secrets';

const BATCH = 200;
/** Batches at one go: the other sweeps wait so long and no longer. */
const BATCHES = 20;

/** Works until a batch says that it was the last, or the others have waited long enough. */
async function inBatches(work: () => Promise<boolean>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) if (!(await work())) return;
}

export function webhookSweeps(sql: Sql, keyring: Keyring, retentionDays: number): Sweep[] {
  return [
    { name: 'recoveries', run: () => inBatches(() => continueRecovery(sql)) },
    {
      name: 'old events',
      run: () => inBatches(async () => (await forgetOldEvents(sql, retentionDays, BATCH)) === BATCH),
    },
    { name: 'expired secrets', run: () => forgetExpiredSecrets(sql) },
    {
      name: 'secrets under old keys',
      run: () => inBatches(async () => (await resealSecrets(sql, keyring, BATCH)) === BATCH),
    },
  ];
}
