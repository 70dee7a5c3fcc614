/** Replaces care, benefits and payments in tests of claims: in memory, with responses and outages that a test sets. */
import { ApiError, newId, type StepHandlers, unavailable } from '@carecover/platform';
import type {
  BenefitsForClaims,
  CareForClaims,
  PaymentsForClaims,
  SessionFacts,
} from '@carecover/workflow-claim';

interface Account {
  version: number;
  payer: number;
  isRemitted: boolean;
  isReversed: boolean;
}

type Name = keyof CareForClaims | keyof BenefitsForClaims | keyof PaymentsForClaims;

export class OtherServices {
  readonly sessions = new Map<string, SessionFacts>();
  /** The responses of benefits to submissions, by the ID of the eligibility check; without an entry the default is returned. */
  readonly coverages = new Map<string, { currency: string; payerId: string; plan: string }>();
  /** The pre-authorization that each claim uses now, by claim ID; null if the claim needed none. */
  readonly uses = new Map<string, string | null>();
  /** The IDs of claims that were released or rejected. Benefits rejects later submissions under these IDs. */
  private readonly givenUp = new Set<string>();
  readonly accounts = new Map<string, Account>();
  /** All calls except those that failed because of an outage, oldest first. */
  readonly calls: { readonly name: Name; readonly claimId: string | null }[] = [];
  /** The API error with which all calls for an eligibility check or claim are rejected, by the ID of the check or claim. */
  readonly rejections = new Map<string, ApiError>();
  /** The API error with which only the next call for an eligibility check or claim is rejected, by the ID of the check or claim. */
  readonly nextRejections = new Map<string, ApiError>();
  /** The number of next calls that fail as if the service were unavailable, by step name or by step name and claim ID. */
  readonly outages = new Map<Name | `${Name} ${string}`, number>();

  /** Adds a delivered session of a covered booking to care. */
  deliveredSession(changes: Partial<SessionFacts> = {}): SessionFacts {
    const session: SessionFacts = {
      sessionId: newId('ses_'),
      bookingId: newId('bkg_'),
      practitionerId: newId('prc_'),
      startsAt: '2026-03-01T07:00:00.000Z',
      endsAt: '2026-03-01T07:50:00.000Z',
      status: 'delivered',
      paymentSource: 'covered',
      ...changes,
    };
    this.sessions.set(session.sessionId, session);
    return session;
  }

  /** Returns how often a step was called for a claim. */
  asked(name: Name, claimId: string): number {
    return this.calls.filter((call) => call.name === name && call.claimId === claimId).length;
  }

  private enter(name: Name, claimId: string | null): void {
    for (const outage of [name, `${name} ${claimId}`] as const) {
      const left = this.outages.get(outage) ?? 0;
      if (left === 0) continue;
      this.outages.set(outage, left - 1);
      throw unavailable(`The service with ${name}`);
    }
    this.calls.push({ name, claimId });
  }

  private adjudicate(id: string): void {
    const rejection = this.nextRejections.get(id) ?? this.rejections.get(id);
    this.nextRejections.delete(id);
    if (rejection !== undefined) throw rejection;
  }

  readonly care: StepHandlers<CareForClaims> = {
    sessionForClaim: async ({ sessionId }) => {
      this.enter('sessionForClaim', null);
      const session = this.sessions.get(sessionId);
      if (session === undefined) throw new ApiError('resource_not_found', 'There is no such resource.');
      return session;
    },
  };

  readonly benefits: StepHandlers<BenefitsForClaims> = {
    useForClaim: async ({ claimId, eligibilityCheckId, preauthorizationId }) => {
      this.enter('useForClaim', claimId);
      this.adjudicate(eligibilityCheckId);
      if (this.givenUp.has(claimId))
        throw new ApiError('invalid_state', 'The submission was abandoned. Submit the claim again.');
      const takenBy = [...this.uses].find(([user, used]) => used === preauthorizationId && user !== claimId);
      if (preauthorizationId !== null && takenBy !== undefined)
        throw new ApiError('authorization_required', '/preauthorization_id is used by another claim.');
      this.uses.set(claimId, preauthorizationId);
      const coverage = this.coverages.get(eligibilityCheckId);
      return {
        preauthorizationId,
        ...(coverage ?? { currency: 'KES', payerId: 'payer_1', plan: 'Outpatient' }),
      };
    },
    releaseFromClaim: async ({ claimId }) => {
      this.enter('releaseFromClaim', claimId);
      this.uses.delete(claimId);
      this.givenUp.add(claimId);
    },
  };

  /** The references of payers in benefits, by surrogate. */
  payerReferences(payerIds: readonly string[]): Record<string, string> {
    return Object.fromEntries(payerIds.map((id) => [id, `contract/${id}`]));
  }

  readonly payments: StepHandlers<PaymentsForClaims> = {
    openLiability: async ({ claimId, adjudicationVersion, amount }) => {
      this.enter('openLiability', claimId);
      this.adjudicate(claimId);
      const account = this.accounts.get(claimId);
      if (account?.isRemitted || account?.isReversed)
        throw new ApiError('invalid_state', 'Something is remitted to the claim.');
      this.accounts.set(claimId, {
        version: adjudicationVersion,
        payer: amount.payer,
        isRemitted: false,
        isReversed: false,
      });
    },
    reverseLiability: async ({ claimId }) => {
      this.enter('reverseLiability', claimId);
      this.adjudicate(claimId);
      const account = this.accounts.get(claimId);
      if (account !== undefined) account.isReversed = true;
    },
  };
}
