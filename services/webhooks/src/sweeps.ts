/**
 * What a crash left undone, done again: tests of endpoints whose sender is gone, and large recoveries. And what is done from time to
 * time: forgetting what is old, and sealing secrets again after a rotation of the keys. Every sweep is safe at any time and on several
 * replicas at once.
 */
import { type Log, resendStaleCommands, type Sweep } from '@carecover/platform';
import { type EndpointTestDeps, resendTest } from './delivery/endpoint-test';
import { deleteOldEvents } from './store/events';
import { continueRecovery } from './store/recoveries';
import { deleteExpiredSecrets, resealSecrets } from './store/signing-secrets';

/** After so long without an answer, a test's sender has given up. */
const STALE_S = 30;
const BATCH = 200;
/** Batches at one go: the other sweeps wait so long and no longer. */
const BATCHES = 20;

/** Works until a batch says that it was the last, or the others have waited long enough. */
async function inBatches(work: () => Promise<boolean>): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) if (!(await work())) return;
}

export function webhooksSweeps(tests: EndpointTestDeps, retentionDays: number, log: Log): Sweep[] {
  const { sql, keyring } = tests;
  return [
    { name: 'stale tests', run: resendStaleCommands(sql, STALE_S, log, ({ id }) => resendTest(tests, id)) },
    { name: 'recoveries', run: () => inBatches(() => continueRecovery(sql)) },
    {
      name: 'old events',
      run: () => inBatches(async () => (await deleteOldEvents(sql, retentionDays, BATCH)) === BATCH),
    },
    { name: 'expired secrets', run: () => deleteExpiredSecrets(sql) },
    {
      name: 'secrets under old keys',
      run: () => inBatches(async () => (await resealSecrets(sql, keyring, BATCH)) === BATCH),
    },
  ];
}
