/**
 * The sweeps of webhooks. They continue large recoveries, set ended deliveries to failed, and execute tests of endpoints again after a crash.
 * The cleanups delete old rows, and re-encrypt secrets after a rotation of the encryption keys. Several processes can run the same sweep at
 * once.
 */
import { inBatches, type Log, resendStaleCommands, type Sweep } from '@carecover/platform';
import { failEndedDeliveries } from './store/ended-periods';
import { deleteOldEvents } from './store/events';
import { deleteExpiredSecrets } from './store/signing-secrets';
import { continueRecovery } from './use-cases/recover-endpoint';
import { reencryptSecrets } from './use-cases/rotate-signing-secret';
import { type EndpointTestDeps, resendTest } from './use-cases/test-endpoint';

/** Age in seconds from which a test command without a response is executed again, because the process that executed it has stopped. */
const STALE_S = 30;
const BATCH = 200;

export function webhooksSweeps(tests: EndpointTestDeps, log: Log): Sweep[] {
  const { sql } = tests;
  return [
    {
      name: 'stale tests',
      run: resendStaleCommands(sql, STALE_S, log, (command) => resendTest(tests, command)),
    },
    { name: 'recoveries', run: () => inBatches(() => continueRecovery(sql)) },
    { name: 'ended deliveries', run: () => inBatches(() => failEndedDeliveries(sql)) },
  ];
}

export function webhooksCleanups(
  { sql, keyring }: Pick<EndpointTestDeps, 'sql' | 'keyring'>,
  retentionDays: number,
): Sweep[] {
  return [
    {
      name: 'old events',
      run: () => inBatches(async () => (await deleteOldEvents(sql, retentionDays)) > 0),
    },
    {
      name: 'expired secrets',
      run: () => inBatches(async () => (await deleteExpiredSecrets(sql)) > 0),
    },
    {
      name: 'secrets of old keys',
      run: () => inBatches(async () => (await reencryptSecrets(sql, keyring, BATCH)) === BATCH),
    },
  ];
}
