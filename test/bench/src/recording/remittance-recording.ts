/**
 * Records the SQL of a remittance and its settlement: executes Carecover's handlers, with the calls to claims in this process.
 */
import { claimsForPayments } from '@carecover/claims';
import type { Remittance } from '@carecover/client';
import { newId } from '@carecover/domain';
import { paymentsHandlers } from '@carecover/payments';
import type { World } from '@carecover/testing/stack';
import { ourCall } from './our-call';
import { Recorder } from './recorder';
import type { Recording } from './statement';

const WAIT_MS = 30 * 86_400_000;

interface RemittanceRecording {
  readonly recording: Recording;
  /** The IDs of the claims among which the recorded remittance is allocated. */
  readonly claimIds: readonly string[];
}

/**
 * Records the SQL of the commands `remit` and `settle`.
 *
 * @param databaseUrl returns the connection URL for a service
 * @param createClaims creates adjudicated claims with these IDs in the database of the measured services
 */
export async function recordRemittance(
  databaseUrl: (service: string) => string,
  projectId: string,
  world: World,
  allocations: number,
  createClaims: (ids: readonly string[]) => Promise<void>,
): Promise<RemittanceRecording> {
  const recorder = new Recorder(databaseUrl);
  const claimIds = Array.from({ length: allocations }, () => newId('clm_'));
  await createClaims(claimIds);
  const sql = await recorder.sql('payments');
  const notifySignals = () => undefined;
  const claims = claimsForPayments(await recorder.sql('claims'), notifySignals);
  const handlers = paymentsHandlers({ sql, claims, waitMs: WAIT_MS, notifySignals });

  recorder.enter('remit');
  const advice = {
    ...world.remittanceInput(claimIds.map((claim_id) => ({ claim_id, paid_amount: 1 }))),
    payer_reference: newId('ADVICE_'),
  };
  const remitted = await handlers.createRemittance?.(
    ourCall('createRemittance', projectId, { body: advice }),
  );
  const { id } = JSON.parse((remitted as { text: string }).text) as Remittance;

  recorder.enter('settle');
  const body = { ...world.settlementInput(id, allocations), source_reference: newId('BANK_') };
  await handlers.createSettlement?.(ourCall('createSettlement', projectId, { body }));
  return { recording: await recorder.finish(), claimIds };
}
