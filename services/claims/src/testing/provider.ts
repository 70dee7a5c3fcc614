/** A provider and a payer for tests, which bring claims into the state that a test needs through the API. */

import type { AdjudicationInput, Claim, ClaimInput } from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { type Answered, newTenant } from '@carecover/testing/services';
import type { TestClaims } from './test-claims';

/** The billed amounts of the two lines of every claim of the test's provider, in minor units. */
const BILLED = [100_000, 50_000] as const;

/** Returns the body of an adjudication in which the payer pays the given amounts of the two lines and the patient pays nothing. */
export function adjudication(...payer: readonly [number, number]): AdjudicationInput {
  return {
    policy_reference: 'policy:outpatient',
    policy_version: '2026.1',
    reason_codes: ['fee_schedule', 'second_reason'],
    evidence_refs: ['schedule:2026'],
    lines: BILLED.map((billed, index) => {
      const allowed = payer[index] ?? 0;
      return {
        line_number: index + 1,
        amount: {
          billed,
          allowed,
          payer: allowed,
          patient_responsibility: 0,
          adjustment: billed - allowed,
        },
        reason_codes: ['fee_schedule'],
      };
    }),
  };
}

export class Provider {
  constructor(
    readonly claims: TestClaims,
    readonly tenant: Tenant = newTenant(),
  ) {}

  /** Returns the body of a submission for a new delivered session, with a new provider_claim_reference. */
  submission(changes: Partial<ClaimInput> = {}): ClaimInput {
    return {
      eligibility_check_id: newId('elig_'),
      session_id: this.claims.others.deliveredSession().sessionId,
      provider_claim_reference: newId('INV-'),
      lines: BILLED.map((amount, index) => ({
        code_system: 'CPT',
        service_code: `psy.${index}`,
        units: 1,
        amount,
      })),
      preauthorization_id: newId('preauth_'),
      evidence_refs: ['note:17'],
      ...changes,
    };
  }

  ask(
    operation: Parameters<TestClaims['ask']>[1],
    claimId: string,
    body?: unknown,
    key?: string,
  ): Promise<Answered> {
    return this.claims.ask(this.tenant, operation, {
      params: { claim_id: claimId },
      body,
      ...(key === undefined ? {} : { key }),
    });
  }

  submit(input = this.submission(), key = newId('key_')): Promise<Answered> {
    return this.claims.ask(this.tenant, 'createClaim', { body: input, key });
  }

  /** Submits a new claim. */
  async submitted(changes: Partial<ClaimInput> = {}): Promise<Claim> {
    const { status, body } = await this.submit(this.submission(changes));
    expect(status).toBe(201);
    return body;
  }

  async query(claimId: string, dueAt?: string): Promise<Claim> {
    const { status, body } = await this.ask('requestClaimInformation', claimId, {
      reason_code: 'referral_missing',
      requested_evidence_types: ['referral_letter'],
      ...(dueAt === undefined ? {} : { due_at: dueAt }),
    });
    expect(status).toBe(201);
    return body;
  }

  async answer(claim: Claim): Promise<Claim> {
    const { status, body } = await this.ask('submitClaimEvidence', claim.id, {
      information_request_id: claim.information_requests.at(-1)?.id,
      evidence_refs: ['referral:8812'],
    });
    expect(status).toBe(200);
    return body;
  }

  async adjudicate(claimId: string, ...payer: readonly [number, number]): Promise<Claim> {
    const { status, body } = await this.ask('adjudicateClaim', claimId, adjudication(...payer));
    expect(status).toBe(200);
    return body;
  }

  /** Records a remittance on a claim by the step with which payments reports a new remittance. Returns the remittance's ID. */
  async remit(
    claimId: string,
    amount: number,
    options: {
      remittanceId?: string;
      adjudicationVersion?: number;
      receivedAt?: string;
      after?: string | null;
    } = {},
  ): Promise<string> {
    const remittanceId = options.remittanceId ?? newId('rem_');
    const account = this.claims.others.accounts.get(claimId);
    if (account !== undefined) account.isRemitted = true;
    await this.claims.activities.recordRemittance({
      tenant: this.tenant,
      remittanceId,
      receivedAt: options.receivedAt ?? '2026-03-15T00:00:00.000Z',
      allocations: [
        {
          claimId,
          amount,
          reasonCode: 'fee_schedule',
          adjudicationVersion: options.adjudicationVersion ?? 1,
          after: options.after ?? null,
        },
      ],
    });
    return remittanceId;
  }

  /** Records a recovery on a claim by the step with which payments reports it. */
  recover(
    claimId: string,
    amount: number,
    options: { recoveryId?: string; adviceId?: string; receivedAt?: string; after?: string } = {},
  ): Promise<void> {
    return this.claims.activities.recordRecovery({
      tenant: this.tenant,
      claimId,
      recoveryId: options.recoveryId ?? newId('rcv_'),
      adviceId: options.adviceId ?? newId('adv_'),
      amount,
      currency: 'KES',
      effectiveAt: options.receivedAt ?? '2026-03-17T00:00:00.000Z',
      reasonCodes: ['overpayment', 'second_reason'],
      after: options.after ?? null,
    });
  }

  /** Records the withdrawal of an advice, with one allocation or recovery of a claim, by the step with which payments reports it. */
  withdraw(
    claimId: string,
    undone: { readonly remittanceId: string } & (
      | { readonly allocated: number }
      | { readonly recovered: number; readonly recoveryId: string }
    ),
    after: string | null = null,
  ): Promise<void> {
    const { remittanceId } = undone;
    return this.claims.activities.recordWithdrawal({
      tenant: this.tenant,
      causeId: `${remittanceId}:withdrawal`,
      remittanceId,
      adviceId: remittanceId.replace('rem_', 'adv_'),
      reasonCode: 'sent_in_error',
      allocations: 'allocated' in undone ? [{ claimId, amount: undone.allocated, after }] : [],
      recoveries:
        'recovered' in undone
          ? [{ claimId, recoveryId: undone.recoveryId, amount: undone.recovered, after }]
          : [],
    });
  }

  /**
   * Records a settlement on a claim, or its reversal: by default a negative amount reverses `settlementId`. Returns the settlement's ID.
   */
  async settle(
    claimId: string,
    amount: number,
    options: {
      settlementId?: string;
      remittanceId?: string;
      observedAt?: string;
      reconciledAt?: string;
      isReversal?: boolean;
      /** The cause of the claim's previous settlement or reversal in the ledger; by default there is none. */
      after?: string;
    } = {},
  ): Promise<string> {
    const settlementId = options.settlementId ?? newId('stl_');
    await this.claims.activities.recordSettlement({
      tenant: this.tenant,
      remittanceId: options.remittanceId ?? newId('rem_'),
      causeId: (options.isReversal ?? amount < 0) ? `${settlementId}:reversal` : settlementId,
      settlementId,
      observedAt: options.observedAt ?? '2026-03-16T00:00:00.000Z',
      amounts: [{ claimId, amount, after: options.after ?? null }],
      reconciled:
        options.reconciledAt === undefined ? null : { at: options.reconciledAt, claimIds: [claimId] },
    });
    return settlementId;
  }

  async read(claimId: string): Promise<Claim> {
    const { status, body } = await this.ask('getClaim', claimId);
    expect(status).toBe(200);
    return body;
  }

  /** Reads a claim's valuation. @param effectiveThrough the second instant; by default absent */
  value(claimId: string, at: string | number | Date, effectiveThrough?: string): Promise<Answered> {
    const cutoff = typeof at === 'string' ? at : new Date(at).toISOString();
    return this.claims.ask(this.tenant, 'getClaimValuation', {
      params: { claim_id: claimId },
      query: {
        valuation_at: cutoff,
        ...(effectiveThrough === undefined ? {} : { effective_through: effectiveThrough }),
      },
    });
  }
}
