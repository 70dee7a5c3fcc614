/** Creates remittances inside the payments service: calls its activities as the workflow does, with command rows but without Temporal. */

import { paymentsActivities } from '@carecover/payments';
import { insertCommand, newId, type Sql } from '@carecover/platform';
import { callerOf } from '../recording/our-call';
import { createInParallel } from './in-parallel';

const DAY_MS = 86_400_000;
/** The payer's liability for each claim in minor units: more than a benchmark remits. */
const LIABILITY = 1_000_000_000;

export class Bookkeeping {
  private readonly activities;

  constructor(
    private readonly sql: Sql,
    private readonly projectId: string,
  ) {
    this.activities = paymentsActivities(sql, 30 * DAY_MS);
  }

  /** Opens the accounts of new claims, and returns the IDs of the claims. */
  async openAccounts(count: number): Promise<string[]> {
    return createInParallel(count, async () => {
      const claimId = newId('clm_');
      await this.activities.openLiability({
        tenant: this.projectId,
        environment: 'sandbox',
        claimId,
        adjudicationId: newId('adj_'),
        adjudicationVersion: 1,
        currency: 'KES',
        amount: { billed: LIABILITY, payer: LIABILITY, patient_responsibility: 0, adjustment: 0 },
        decidedAt: new Date().toISOString(),
      });
      return claimId;
    });
  }

  /** Creates a remittance of one minor unit per claim: executes all steps from the insert of the command row to the stored response. */
  async remit(claimIds: readonly string[]): Promise<void> {
    const { sql } = this;
    const remittanceId = newId('rem_');
    const caller = callerOf(this.projectId);
    const body = {
      payer_reference: newId('ADVICE_'),
      currency: 'KES',
      received_at: new Date(Date.now() - 60_000).toISOString(),
      allocations: claimIds.map((claim_id) => ({ claim_id, paid_amount: 1 })),
    };
    const key = newId('key_');
    const write = {
      operation: 'createRemittance' as const,
      caller,
      idempotencyKey: key,
      requestHash: Buffer.from('-'),
    };
    const command = { resourceId: remittanceId, update: null, body, traceparent: null };
    const [row] = await insertCommand(sql, write, key, command);
    if (row === undefined) throw new Error('the key is used');
    const step = { tenant: this.projectId, remittanceId, commandId: row.id };
    const outcome = await this.activities.allocate({ ...step, knownClaims: null });
    if (!('pending' in outcome)) throw new Error('a claim has no account');
    const recordedCauses = outcome.pending.map(({ causeId }) => causeId);
    await this.activities.conclude({ ...step, recordedCauses });
  }
}
