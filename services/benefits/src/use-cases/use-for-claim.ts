/**
 * The step of a claim's submission in benefits: checks the claim against its eligibility check and marks the pre-authorization that it
 * needs as used, in one database transaction. A repeated submission returns the stored response.
 */
import {
  ApiError,
  type Caller,
  isRejection,
  notFound,
  requireResource,
  type Tenant,
} from '@carecover/domain';
import { inParts, rolledBack, type Sql, type Tx } from '@carecover/postgres';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { canUse, checkClaim } from '../rules/claim-use';
import { checkConsent } from '../rules/consent';
import {
  type ClaimUse,
  findUsedClaims,
  lockClaimUse,
  type NewClaimUse,
  recordClaimUse,
  recordClaimUses,
} from '../store/claim-uses';
import { findStatement } from '../store/consents';
import {
  type EligibilityCheckRow,
  findClaimedChecks,
  findEligibilityCheck,
} from '../store/eligibility-checks';
import { findOrCreatePayer } from '../store/payer-contracts';
import {
  findOpenPreauthorization,
  findOpenPreauthorizations,
  type LockedPreauthorization,
  lockPreauthorization,
  stateOf,
} from '../store/preauthorizations';
import { recordChange } from './record-changes';

type Submission = Parameters<BenefitsForClaims['useForClaim']>[0];
type Submissions = Parameters<BenefitsForClaims['useForClaims']>[0];
type Use = Awaited<ReturnType<BenefitsForClaims['useForClaim']>>;

/**
 * Checks a claim's submission and marks its pre-authorization as used.
 *
 * @throws ApiError resource_not_found, consent_required, those of `checkClaim`, authorization_required, in this order; invalid_state if the
 *   claim was released before this submission arrived
 */
export async function useForClaim(sql: Sql, submission: Submission): Promise<Use> {
  if (submission.caller.tenant !== submission.tenant) throw notFound();
  const transactions = submission.isDryRun === true ? rolledBack(sql) : sql;
  return transactions.begin((tx) => checkAndUse(tx, submission));
}

type ClaimOfSet = Submissions['claims'][number];

/**
 * Does the same as {@link useForClaim} for claims of one client, in one transaction. A rejected claim is not marked, and does not affect the
 * others. Claims that need no pre-authorization are marked by one statement, the others one after the other, in the order of their
 * pre-authorizations.
 *
 * @returns the outcomes in the order of the claims; null for a rejected one
 */
export async function useForClaims(
  sql: Sql,
  { tenant, caller, claims }: Submissions,
): Promise<(Use | null)[]> {
  if (caller.tenant !== tenant) throw notFound();
  return sql.begin(async (tx) => {
    const together = await useWithoutPreauthorization(tx, caller, claims);
    const others = claims.filter(({ claimId }) => !together.has(claimId));
    const left = await inLockOrder(tx, caller.tenant, others);
    const alone = await inParts<ClaimOfSet, Use | null>(
      tx,
      left,
      (transactions, claim) => transactions.begin((part) => checkAndUse(part, { ...claim, tenant, caller })),
      () => null,
    );
    const outcomes = new Map(left.map(({ claimId }, index) => [claimId, alone[index] ?? null]));
    return claims.map(({ claimId }) => together.get(claimId) ?? outcomes.get(claimId) ?? null);
  });
}

/**
 * Returns claims in the order of the IDs of the pre-authorizations that they lock until the transaction ends. An expiry locks them in the same
 * order, which prevents deadlocks.
 */
async function inLockOrder(
  tx: Tx,
  tenant: Tenant,
  claims: readonly ClaimOfSet[],
): Promise<readonly ClaimOfSet[]> {
  const bookings = claims.flatMap(({ preauthorizationId, session }) =>
    preauthorizationId === null ? [session.bookingId] : [],
  );
  const open =
    bookings.length === 0 ? new Map<string, string>() : await findOpenPreauthorizations(tx, tenant, bookings);
  const lockedBy = ({ preauthorizationId, session }: ClaimOfSet) =>
    preauthorizationId ?? open.get(session.bookingId) ?? '';
  return claims.toSorted((one, other) => {
    const [first, second] = [lockedBy(one), lockedBy(other)];
    return first === second ? 0 : first < second ? -1 : 1;
  });
}

/**
 * Marks the claims that were not submitted before, that nothing rejects, that need no pre-authorization and whose payer has a surrogate.
 * Returns what they use, by the claim.
 */
async function useWithoutPreauthorization(
  tx: Tx,
  caller: Caller,
  claims: readonly ClaimOfSet[],
): Promise<ReadonlyMap<string, Use>> {
  const { tenant } = caller;
  const [used, checks] = await tx.pipeline([
    findUsedClaims(
      tx,
      tenant,
      claims.map(({ claimId }) => claimId),
    ),
    findClaimedChecks(
      tx,
      tenant,
      claims.map(({ eligibilityCheckId }) => eligibilityCheckId),
    ),
  ]);
  const uses = claims.flatMap(
    ({ claimId, session, eligibilityCheckId, preauthorizationId, serviceCodes }): NewClaimUse[] => {
      const check = checks.get(eligibilityCheckId);
      if (used.has(claimId) || check === undefined || check.payer_id === null) return [];
      if (preauthorizationId !== null || check.authorization_required) return [];
      try {
        checkConsent(check.consent, caller);
        checkClaim(
          { status: check.status, scheduledAt: check.scheduled_at, serviceCode: check.service_code },
          session,
          serviceCodes,
        );
      } catch (error) {
        if (!isRejection(error)) throw error;
        return [];
      }
      return [{ claimId, currency: check.currency, payerId: check.payer_id, plan: check.plan }];
    },
  );
  const recorded = await recordClaimUses(tx, tenant, uses);
  return new Map(
    uses.flatMap(({ claimId, ...use }) =>
      recorded.has(claimId) ? [[claimId, { ...use, preauthorizationId: null }] as const] : [],
    ),
  );
}

async function checkAndUse(tx: Tx, submission: Submission): Promise<Use> {
  const { caller, claimId, session, eligibilityCheckId, preauthorizationId } = submission;
  const { tenant } = caller;
  const earlier = await lockClaimUse(tx, tenant, claimId);
  if (earlier !== null) return responseOf(earlier);

  const found = await findEligibilityCheck(tx, tenant, eligibilityCheckId);
  const check = requireResource(caller, eligibilityCheckId, found, '/eligibility_check_id');
  // The payer is read before this transaction locks a row that an erasure also locks, which prevents deadlocks.
  const coverage =
    check.coverage_observation_id === null
      ? null
      : await findOrCreatePayer(tx, tenant, check.coverage_observation_id);
  const named =
    preauthorizationId === null
      ? null
      : requireResource(
          caller,
          preauthorizationId,
          await lockPreauthorization(tx, tenant, preauthorizationId),
          '/preauthorization_id',
        );
  checkConsent(await findStatement(tx, tenant, check.member_id), caller);
  checkClaim(
    { status: check.status, scheduledAt: check.scheduled_at, serviceCode: check.service_code },
    session,
    submission.serviceCodes,
  );

  const isNeeded = check.authorization_required || named !== null;
  const used = isNeeded ? await usePreauthorization(tx, submission, check, named) : null;
  if (coverage === null) throw new Error('an eligible check has no observation');
  const use = { preauthorizationId: used?.id ?? null, currency: check.currency, ...coverage };
  await recordClaimUse(tx, tenant, claimId, use);
  return use;
}

/**
 * Returns the response that benefits stored for an earlier call with the same claim.
 *
 * @throws ApiError invalid_state if the claim was released after that call, because its submission was rejected or given up
 */
function responseOf(earlier: ClaimUse): Use {
  const { preauthorization_id: preauthorizationId, currency, payer_id: payerId, plan } = earlier;
  if (earlier.released_at !== null || currency === null || payerId === null || plan === null) {
    throw new ApiError('invalid_state', 'The submission was abandoned. Submit the claim again.');
  }
  return { preauthorizationId, currency, payerId, plan };
}

/**
 * Marks a pre-authorization as used: the one that the claim names, otherwise the open one of the booking.
 *
 * @throws ApiError authorization_required if there is none that the claim can use
 */
async function usePreauthorization(
  tx: Tx,
  { caller, claimId, session }: Submission,
  check: EligibilityCheckRow,
  named: LockedPreauthorization | null,
): Promise<LockedPreauthorization> {
  const row = named ?? (await lockOpenPreauthorization(tx, caller.tenant, session.bookingId));
  const claim = { id: claimId, eligibilityCheckId: check.id, bookingId: session.bookingId };
  if (row === null || !canUse(requestedOf(row), claim, row.locked_at)) {
    throw new ApiError(
      'authorization_required',
      named === null
        ? '/eligibility_check_id requires an approved, unexpired pre-authorization for that check and the booking.'
        : '/preauthorization_id must name an approved, unexpired, unused pre-authorization for that check and the booking.',
    );
  }
  const { authority, requestId } = caller;
  await recordChange(tx, row, { type: 'used', claimId }, { at: row.locked_at, authority, requestId });
  return row;
}

function requestedOf(row: LockedPreauthorization) {
  return {
    state: stateOf(row),
    eligibilityCheckId: row.eligibility_check_id,
    bookingId: row.booking_id,
  };
}

async function lockOpenPreauthorization(
  tx: Tx,
  tenant: Tenant,
  bookingId: string,
): Promise<LockedPreauthorization | null> {
  const id = await findOpenPreauthorization(tx, tenant, bookingId);
  return id === null ? null : lockPreauthorization(tx, tenant, id);
}
