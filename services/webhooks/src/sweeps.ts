/**
 * The sweeps of webhooks. They continue large recoveries, set ended deliveries to failed, and execute tests of endpoints again after a crash.
 * The cleanups delete old rows, and re-encrypt secrets after a rotation of the encryption keys. Several processes can run the same sweep at
 * once.
 */
import { finishInterrupted } from '@carecover/commands';
import { inBatches } from '@carecover/postgres';
import type { Sweep } from '@carecover/process';
import { failEndedDeliveries } from './store/ended-periods';
import { deleteOldEvents } from './store/events';
import { deleteExpiredSecrets } from './store/signing-secrets';
import { continueRecovery } from './use-cases/recover-endpoint';
import { reencryptSecrets } from './use-cases/rotate-signing-secret';
import { type EndpointTestDeps, finishTest } from './use-cases/test-endpoint';

const BATCH = 200;

export function webhooksSweeps(tests: EndpointTestDeps): Sweep[] {
  const { sql } = tests;
  return [
    {
      name: 'interrupted tests',
      run: finishInterrupted(sql, { testWebhookEndpoint: (command) => finishTest(tests, command) }),
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
