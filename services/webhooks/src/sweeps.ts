/**
 * The sweeps of webhooks. They continue work that a crash left (tests of endpoints, large recoveries), delete old rows, and re-encrypt
 * secrets after a key rotation. Every sweep can run at any time and concurrently on several replicas.
 */
import { type Log, resendStaleCommands, type Sweep } from '@carecover/platform';
import { deleteOldEvents } from './store/events';
import { deleteExpiredSecrets } from './store/signing-secrets';
import { continueRecovery } from './use-cases/recover-endpoint';
import { reencryptSecrets } from './use-cases/rotate-signing-secret';
import { type EndpointTestDeps, resendTest } from './use-cases/test-endpoint';

/** A test without a response for so long was abandoned by its process. */
const STALE_S = 30;
const BATCH = 200;
/** The limit of batches in one run, because the other sweeps wait for it. */
const MAX_BATCHES = 20;

/** Processes batches until `processBatch` returns false or the limit is reached. */
async function inBatches(processBatch: () => Promise<boolean>): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if (!(await processBatch())) return;
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
      name: 'secrets of old keys',
      run: () => inBatches(async () => (await reencryptSecrets(sql, keyring, BATCH)) === BATCH),
    },
  ];
}
