/** For suites: care, benefits and payments as the claim's workflow meets them, in memory, with what a test wants them to say. */
import { ApiError, newId, type StepHandlers } from '@carecover/platform';
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
  /** Which claim uses which pre-authorization (or none) now. */
  readonly uses = new Map<string, string | null>();
  /** Claims that gave back what they used, or were rejected: they get nothing more. */
  private readonly givenUp = new Set<string>();
  readonly accounts = new Map<string, Account>();
  /** Every call that arrived, oldest first. */
  readonly calls: { readonly name: Name; readonly claimId: string | null }[] = [];
  /** What a call is rejected with, by the eligibility check's id or the claim's. */
  readonly rejections = new Map<string, ApiError>();
  /** The same, of the next call alone. */
  readonly nextRejections = new Map<string, ApiError>();
  /** How many calls of a kind, or of a kind for one claim, fail as if the service were away. */
  readonly outages = new Map<Name | `${Name} ${string}`, number>();

  /** A delivered, covered session that care knows. */
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

  /** Number of calls for this claim. */
  asked(name: Name, claimId: string): number {
    return this.calls.filter((call) => call.name === name && call.claimId === claimId).length;
  }

  private enter(name: Name, claimId: string | null): void {
    for (const outage of [name, `${name} ${claimId}`] as const) {
      const left = this.outages.get(outage) ?? 0;
      if (left === 0) continue;
      this.outages.set(outage, left - 1);
      throw new Error(`${name} is unavailable`);
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
      return { preauthorizationId, currency: 'KES', payerId: 'payer_1', plan: 'Outpatient' };
    },
    releaseFromClaim: async ({ claimId }) => {
      this.enter('releaseFromClaim', claimId);
      this.uses.delete(claimId);
      this.givenUp.add(claimId);
    },
  };

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
