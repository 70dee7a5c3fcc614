/**
 * Steps of a claim's workflow in benefits: check a submission and use its pre-authorization, and release it. Failure policy: an API error
 * is final, other errors are retried by the claim's workflow. Each call is one transaction; a repetition returns the stored response.
 */
import {
  ApiError,
  databaseNow,
  enqueueReviews,
  notFound,
  type Sql,
  type StepHandlers,
  storedTenant,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { isUsableBy } from '../rules/benefit-state';
import { checkClaim } from '../rules/claim-use';
import { type ClaimUse, lockClaimUse, recordClaimUse, releaseClaimUse } from '../store/claim-uses';
import { requireConsent } from '../store/consents';
import { type EligibilityCheckRow, findEligibilityCheck } from '../store/eligibility-checks';
import { markReleased, markUsed } from '../store/preauthorization-facts';
import {
  findOpenPreauthorization,
  type LockedPreauthorization,
  lockPreauthorization,
  stateOf,
} from '../store/preauthorizations';
import { expireLockedIfDue } from './preauthorization-steps';

const CLAIMS = 'service:claims';

type UseForClaim = Parameters<BenefitsForClaims['useForClaim']>[0];

export interface ClaimsDependencies {
  readonly sql: Sql;
  /** Called after a commit that changed the deadline of pre-authorizations, so that their workflows are signalled. */
  readonly notifyReviews: () => void;
}

/** Creates the steps. */
export function benefitsForClaims({
  sql,
  notifyReviews,
}: ClaimsDependencies): StepHandlers<BenefitsForClaims> {
  return {
    async useForClaim(input) {
      if (input.caller.tenant !== input.tenant) throw notFound();
      return sql.begin((tx) => checkAndUse(tx, input));
    },

    async releaseFromClaim({ tenant, claimId }) {
      const released = await sql.begin(async (tx) => {
        const owner = storedTenant(tenant);
        const id = await releaseClaimUse(tx, owner, claimId);
        if (id === null) return null;
        const row = await lockPreauthorization(tx, owner, id);
        if (row === null || row.used_by_claim_id !== claimId) return null;
        const unused = await markReleased(tx, row, claimId, { at: await databaseNow(tx), authority: CLAIMS });
        await expireLockedIfDue(tx, { ...unused, is_being_approved: false });
        await enqueueReviews(tx, [{ id: row.id, tenant: owner, environment: row.environment }]);
        return row;
      });
      if (released !== null) notifyReviews();
    },
  };
}

async function checkAndUse(tx: Tx, input: UseForClaim) {
  const { caller, claimId, session } = input;
  const earlier = await lockClaimUse(tx, caller.tenant, claimId);
  if (earlier !== null) return responseOf(earlier);

  const check = await findEligibilityCheck(tx, caller.tenant, input.eligibilityCheckId);
  if (check === null) throw notFound();
  const named =
    input.preauthorizationId === null
      ? null
      : await lockPreauthorization(tx, caller.tenant, input.preauthorizationId);
  if (input.preauthorizationId !== null && named === null) throw notFound();
  await requireConsent(tx, caller, check.member_id);
  checkClaim(
    { status: check.status, scheduledAt: check.scheduled_at, serviceCode: check.service_code },
    session,
    input.serviceCodes,
  );

  const isNeeded = check.authorization_required || named !== null;
  const used = isNeeded ? await usePreauthorization(tx, input, check, named) : null;
  const response = { preauthorizationId: used?.id ?? null, currency: check.currency };
  await recordClaimUse(tx, caller.tenant, claimId, response);
  return response;
}

/** The stored response of an earlier call. @throws ApiError invalid_state if the claim's use was released */
function responseOf(earlier: ClaimUse) {
  if (earlier.released_at !== null || earlier.currency === null) {
    throw new ApiError('invalid_state', 'The submission was abandoned. Submit the claim again.');
  }
  return { preauthorizationId: earlier.preauthorization_id, currency: earlier.currency };
}

/** Marks the named or the booking's open pre-authorization as used. @throws ApiError authorization_required if it can't be used */
async function usePreauthorization(
  tx: Tx,
  { caller, claimId, session }: UseForClaim,
  check: EligibilityCheckRow,
  named: LockedPreauthorization | null,
): Promise<LockedPreauthorization> {
  const row = named ?? (await lockOpenPreauthorization(tx, caller.tenant, session.bookingId));
  const now = await databaseNow(tx);
  const isUsable =
    row !== null &&
    row.eligibility_check_id === check.id &&
    row.booking_id === session.bookingId &&
    isUsableBy(stateOf(row), claimId, now);
  if (!isUsable) {
    throw new ApiError(
      'authorization_required',
      named === null
        ? '/eligibility_check_id requires an approved, unexpired pre-authorization for that check and the booking.'
        : '/preauthorization_id must name an approved, unexpired, unused pre-authorization for that check and the booking.',
    );
  }
  // Its workflow is not signalled: when the timer fires, the workflow finds nothing to expire and ends.
  await markUsed(tx, row, claimId, { at: now, authority: caller.authority });
  return row;
}

async function lockOpenPreauthorization(
  tx: Tx,
  tenant: Tenant,
  bookingId: string,
): Promise<LockedPreauthorization | null> {
  const id = await findOpenPreauthorization(tx, tenant, bookingId);
  return id === null ? null : lockPreauthorization(tx, tenant, id);
}
