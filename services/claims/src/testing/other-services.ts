/** Replaces care, benefits and payments in tests of claims: in memory, with responses and outages that a test sets. */
import { ApiError, isRejection, newId, unavailable } from '@carecover/domain';
import type { StepHandlers } from '@carecover/http';
import { failpoint } from '@carecover/process';
import type {
  BenefitsForClaims,
  CareForClaims,
  Liability,
  PaymentsForClaims,
  SessionSnapshot,
} from '@carecover/workflow-claim';

interface Account {
  version: number;
  payer: number;
  isRemitted: boolean;
  isReversed: boolean;
}

/** A call that waits. */
export interface HeldCall {
  /** Resolves when the call has arrived. */
  readonly arrived: Promise<void>;
  /** Lets the call continue. */
  resume(): void;
}

/** Returns the rejection of a part of a call. @throws any other error */
function rejectionOf(error: unknown) {
  if (!isRejection(error)) throw error;
  return { code: error.code, message: error.message };
}

type SubmittedClaim = Pick<
  Parameters<BenefitsForClaims['useForClaim']>[0],
  'claimId' | 'eligibilityCheckId' | 'preauthorizationId'
>;

type Name = keyof CareForClaims | keyof BenefitsForClaims | keyof PaymentsForClaims;

export class OtherServices {
  readonly sessions = new Map<string, SessionSnapshot>();
  /** The IDs of the sessions that were recorded for lines of bulk jobs, by idempotency key. */
  readonly recorded = new Map<string, string>();
  /** What was created in other services for lines of bulk jobs, by idempotency key: each with its ID and its body. */
  readonly created = new Map<string, { readonly id: string; readonly body: object }>();
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

  /** The next call of a step by its name, which waits before it is executed. */
  private readonly held = new Map<Name, () => Promise<void>>();

  /** Lets the next call of a step wait before it is executed. */
  holdNext(name: Name): HeldCall {
    let arrive: () => void = () => undefined;
    let resume: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    this.held.set(name, () => {
      this.held.delete(name);
      arrive();
      return resumed;
    });
    return { arrived, resume };
  }

  /** Adds a delivered session of a covered booking to care. */
  deliveredSession(changes: Partial<SessionSnapshot> = {}): SessionSnapshot {
    const session: SessionSnapshot = {
      sessionId: newId('ses_'),
      bookingId: newId('bkg_'),
      practitionerId: newId('prc_'),
      startsAt: '2026-03-01T07:00:00.000Z',
      endsAt: '2026-03-01T07:50:00.000Z',
      status: 'delivered',
      paymentSource: 'covered',
      recorded: null,
      ...changes,
    };
    this.sessions.set(session.sessionId, session);
    return session;
  }

  /** Returns how often a step was called for a claim. */
  asked(name: Name, claimId: string): number {
    return this.calls.filter((call) => call.name === name && call.claimId === claimId).length;
  }

  /**
   * Executes a call as the real service does: it can wait, fail because of an outage, or be rejected.
   *
   * @param id the ID of the eligibility check or claim by which the test rejects calls
   */
  private async answer<T>(
    name: Name,
    claimId: string | null,
    id: string | null,
    execute: () => T,
  ): Promise<T> {
    failpoint('step.before-call', name);
    await this.held.get(name)?.();
    for (const outage of [name, `${name} ${claimId}`] as const) {
      const left = this.outages.get(outage) ?? 0;
      if (left === 0) continue;
      this.outages.set(outage, left - 1);
      throw unavailable(`The service with ${name}`);
    }
    this.calls.push({ name, claimId });
    const rejection = id === null ? undefined : (this.nextRejections.get(id) ?? this.rejections.get(id));
    if (id !== null) this.nextRejections.delete(id);
    if (rejection !== undefined) throw rejection;
    const result = execute();
    failpoint('step.after-call', name);
    return result;
  }

  readonly care: StepHandlers<CareForClaims> = {
    sessionForClaim: ({ sessionId }) =>
      this.answer('sessionForClaim', null, null, () => {
        const session = this.sessions.get(sessionId);
        if (session === undefined) throw new ApiError('resource_not_found', 'There is no such resource.');
        return session;
      }),
    sessionsForClaims: ({ sessionIds }) =>
      this.answer('sessionForClaim', null, null, () =>
        sessionIds.flatMap((sessionId) => this.sessions.get(sessionId) ?? []),
      ),
    recordSessions: ({ isDryRun, sessions }) =>
      Promise.all(
        sessions.map(({ key, session }) =>
          this.answer('recordSessions', null, session.external_reference ?? null, () => {
            const known = this.recorded.get(key);
            if (known !== undefined) return { sessionId: known };
            if (isDryRun) return { sessionId: newId('ses_') };
            const { practitioner_id: practitionerId, starts_at, ends_at } = session;
            const [startsAt, endsAt] = [starts_at, ends_at].map((at) => new Date(at).toISOString()) as [
              string,
              string,
            ];
            const { sessionId } = this.deliveredSession({ practitionerId, startsAt, endsAt });
            this.recorded.set(key, sessionId);
            this.created.set(key, { id: sessionId, body: session });
            return { sessionId };
          }).catch(rejectionOf),
        ),
      ),
  };

  private use(
    { claimId, eligibilityCheckId, preauthorizationId }: SubmittedClaim,
    isDryRun: boolean,
  ): Awaited<ReturnType<BenefitsForClaims['useForClaim']>> {
    if (this.givenUp.has(claimId))
      throw new ApiError('invalid_state', 'The submission was abandoned. Submit the claim again.');
    const takenBy = [...this.uses].find(([user, used]) => used === preauthorizationId && user !== claimId);
    if (preauthorizationId !== null && takenBy !== undefined)
      throw new ApiError('authorization_required', '/preauthorization_id is used by another claim.');
    if (!isDryRun) this.uses.set(claimId, preauthorizationId);
    const coverage = this.coverages.get(eligibilityCheckId);
    return {
      preauthorizationId,
      ...(coverage ?? { currency: 'KES', payerId: 'payer_1', plan: 'Outpatient' }),
    };
  }

  readonly benefits: StepHandlers<BenefitsForClaims> = {
    useForClaim: ({ isDryRun, ...submission }) =>
      this.answer('useForClaim', submission.claimId, submission.eligibilityCheckId, () =>
        this.use(submission, isDryRun === true),
      ),
    useForClaims: ({ claims }) =>
      Promise.all(
        claims.map((claim) =>
          this.answer('useForClaim', claim.claimId, claim.eligibilityCheckId, () =>
            this.use(claim, false),
          ).catch((error: unknown) => {
            if (!isRejection(error)) throw error;
            return null;
          }),
        ),
      ),
    checkRecordedClaims: ({ claims }) =>
      Promise.all(
        claims.map(({ check }) =>
          this.answer('checkRecordedClaims', null, check.member_reference, () => ({
            eligibilityCheckId: `elig_${check.member_reference.replaceAll(/\W/g, '_')}`,
          })).catch(rejectionOf),
        ),
      ),
    createEligibilityChecks: ({ isDryRun, checks }) =>
      Promise.all(
        checks.map(({ key, check }) =>
          this.answer('createEligibilityChecks', null, check.member_reference, () => ({
            eligibilityCheckId: isDryRun ? newId('elig_') : this.createOnce(key, 'elig_', check),
          })).catch(rejectionOf),
        ),
      ),
    releaseFromClaim: ({ claimId }) =>
      this.answer('releaseFromClaim', claimId, null, () => {
        this.uses.delete(claimId);
        this.givenUp.add(claimId);
      }),
  };

  /** The references of payers in benefits, by surrogate. */
  payerReferences(payerIds: readonly string[]): Record<string, string> {
    return Object.fromEntries(payerIds.map((id) => [id, `contract/${id}`]));
  }

  private open({ claimId, adjudicationVersion, amount }: Omit<Liability, 'tenant'>): void {
    const account = this.accounts.get(claimId);
    if (account?.isRemitted || account?.isReversed)
      throw new ApiError('invalid_state', 'Something is remitted to the claim.');
    this.accounts.set(claimId, {
      version: adjudicationVersion,
      payer: amount.payer,
      isRemitted: false,
      isReversed: false,
    });
  }

  /** Creates a remittance or settlement once per key, unless the test rejects its reference. Returns its ID; null in a dry run. */
  private create(
    name: 'createRemittance' | 'createSettlement',
    prefix: 'rem_' | 'stl_',
    { key, isDryRun }: { readonly key: string; readonly isDryRun: boolean },
    reference: string,
    body: object,
  ): Promise<string | null> {
    return this.answer(name, null, reference, () => {
      if (isDryRun) return null;
      return this.createOnce(key, prefix, body);
    });
  }

  private createOnce(key: string, prefix: 'rem_' | 'stl_' | 'elig_', body: object): string {
    const created = this.created.get(key) ?? { id: newId(prefix), body };
    this.created.set(key, created);
    return created.id;
  }

  readonly payments: StepHandlers<PaymentsForClaims> = {
    openLiability: (liability) =>
      this.answer('openLiability', liability.claimId, liability.claimId, () => this.open(liability)),
    openLiabilities: async ({ liabilities }) => {
      const outcomes = await Promise.all(
        liabilities.map((liability) =>
          this.answer('openLiability', liability.claimId, liability.claimId, () => {
            this.open(liability);
            return null;
          }).catch((error: unknown) => {
            if (!isRejection(error)) throw error;
            return { claimId: liability.claimId, code: error.code, message: error.message };
          }),
        ),
      );
      return outcomes.filter((outcome) => outcome !== null);
    },
    reverseLiability: ({ claimId }) =>
      this.answer('reverseLiability', claimId, claimId, () => {
        const account = this.accounts.get(claimId);
        if (account !== undefined) account.isReversed = true;
      }),
    createRemittance: async ({ remittance, ...line }) => ({
      remittanceId: await this.create(
        'createRemittance',
        'rem_',
        line,
        remittance.payer_reference,
        remittance,
      ),
    }),
    createSettlement: async ({ settlement, ...line }) => ({
      settlementId: await this.create(
        'createSettlement',
        'stl_',
        line,
        settlement.source_reference,
        settlement,
      ),
    }),
  };
}
