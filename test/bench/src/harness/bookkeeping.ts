/** Creates remittances inside the payments service: calls its handlers without HTTP, and without the claims service. */

import { newId } from '@carecover/domain';
import { callsOfClaims, paymentsHandlers } from '@carecover/payments';
import type { Sql } from '@carecover/postgres';
import { ourCall } from '../recording/our-call';
import { createInParallel } from './in-parallel';

const DAY_MS = 86_400_000;
/** The payer's liability for each claim in minor units: more than a benchmark remits. */
const LIABILITY = 1_000_000_000;

export class Bookkeeping {
  private readonly calls;
  private readonly handlers;

  constructor(
    sql: Sql,
    private readonly projectId: string,
  ) {
    const deps = {
      sql,
      claims: {
        knownClaims: async () => [],
        recordRemittance: async () => undefined,
        recordRecovery: async () => undefined,
        recordWithdrawal: async () => undefined,
        recordSettlement: async () => undefined,
        outstandingAt: async () => [],
      },
      waitMs: 30 * DAY_MS,
      notifySignals: () => undefined,
    };
    this.calls = callsOfClaims(deps);
    this.handlers = paymentsHandlers(deps);
  }

  /** Opens the accounts of new claims, and returns the IDs of the claims. */
  async openAccounts(count: number): Promise<string[]> {
    return createInParallel(count, async () => {
      const claimId = newId('clm_');
      await this.calls.openLiability({
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

  /** Creates a remittance of one minor unit per claim: the whole command in payments, from its command row to the stored response. */
  async remit(claimIds: readonly string[]): Promise<void> {
    const body = {
      payer_reference: newId('ADVICE_'),
      currency: 'KES' as const,
      received_at: new Date(Date.now() - 60_000).toISOString(),
      allocations: claimIds.map((claim_id) => ({ claim_id, paid_amount: 1 })),
    };
    await this.handlers.createRemittance?.(ourCall('createRemittance', this.projectId, { body }));
  }
}
