/** What is done from time to time: forgetting what is old, and sealing secrets anew after a rotation of the keys. */
import type { Sql, Sweep } from '@carecover/platform';
import type { Keyring } from './signing/keyring';
import { forgetOldEvents } from './store/events';
import { forgetExpiredSecrets, resealSecrets } from './store/signing-secrets';

const BATCH = 200;
/** Batches at one go: the other sweeps wait so long and no longer. */
const BATCHES = 20;

async function inBatches(work: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) if ((await work()) < BATCH) return;
}

export function webhookSweeps(sql: Sql, keyring: Keyring, retentionDays: number): Sweep[] {
  return [
    { name: 'old events', run: () => inBatches(() => forgetOldEvents(sql, retentionDays, BATCH)) },
    { name: 'expired secrets', run: () => forgetExpiredSecrets(sql) },
    { name: 'secrets under old keys', run: () => inBatches(() => resealSecrets(sql, keyring, BATCH)) },
  ];
}
