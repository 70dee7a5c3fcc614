/**
 * The steps of a claim's workflow in benefits: it checks whether a session may be claimed, uses its pre-authorization, and releases it.
 * Failure policy: a rejection is final, anything else is retried by the claim's workflow; each call is one transaction and finds its
 * answer when repeated.
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
import { freeClaimUse, lockClaimUse, recordClaimUse } from '../store/claim-uses';
import { requireConsent } from '../store/consents';
import { type EligibilityCheckRow, findEligibilityCheck } from '../store/eligibility-checks';
import { free, use } from '../store/preauthorization-facts';
import {
  type LockedPreauthorization,
  lockPreauthorization,
  openPreauthorizationOf,
  stateOf,
} from '../store/preauthorizations';
import { expireWhereDue } from './preauthorization-steps';

const CLAIMS = 'service:claims';

type UseForClaim = Parameters<BenefitsForClaims['useForClaim']>[0];

export interface ClaimsDependencies {
  readonly sql: Sql;
  /** Called after a commit that changed what workflows of pre-authorizations wait for: they are then to be signalled. */
  readonly notifyReviews: () => void;
}

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
      const freed = await sql.begin(async (tx) => {
        const id = await freeClaimUse(tx, storedTenant(tenant), claimId);
        if (id === null) return null;
        const row = await lockPreauthorization(tx, storedTenant(tenant), id);
        if (row === null || row.used_by_claim_id !== claimId) return null;
        const unused = await free(tx, row, claimId, { at: await databaseNow(tx), authority: CLAIMS });
        await expireWhereDue(tx, { ...unused, is_being_approved: false });
        await enqueueReviews(tx, [
          { id: row.id, tenant: storedTenant(row.project_id), environment: row.environment },
        ]);
        return row;
      });
      if (freed !== null) notifyReviews();
    },
  };
}

async function checkAndUse(tx: Tx, input: UseForClaim) {
  const { caller, claimId, session } = input;
  const known = await lockClaimUse(tx, caller.tenant, claimId);
  if (known !== null) return answerOf(known);

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
  const used = isNeeded ? await takePreauthorization(tx, input, check, named) : null;
  const answer = { preauthorizationId: used?.id ?? null, currency: check.currency };
  await recordClaimUse(tx, caller.tenant, claimId, answer);
  return answer;
}

function answerOf(known: {
  preauthorization_id: string | null;
  currency: string | null;
  released_at: Date | null;
}) {
  if (known.released_at !== null || known.currency === null) {
    throw new ApiError('invalid_state', 'This submission was given up.');
  }
  return { preauthorizationId: known.preauthorization_id, currency: known.currency };
}

/** @throws ApiError authorization_required where none fits, or another claim uses the one that does */
async function takePreauthorization(
  tx: Tx,
  { caller, claimId, session }: UseForClaim,
  check: EligibilityCheckRow,
  named: LockedPreauthorization | null,
): Promise<LockedPreauthorization> {
  const row = named ?? (await lockOpenOf(tx, caller.tenant, session.bookingId));
  const now = await databaseNow(tx);
  const fits =
    row !== null &&
    row.eligibility_check_id === check.id &&
    row.booking_id === session.bookingId &&
    isUsableBy(stateOf(row), claimId, now);
  if (!fits) {
    throw new ApiError(
      'authorization_required',
      named === null
        ? '/eligibility_check_id asks for an approved, unexpired pre-authorization of that check and the booking.'
        : '/preauthorization_id names none that is approved, unexpired, free and of that check and the booking.',
    );
  }
  // Its workflow is not signalled: nothing that it waits for has changed but that its timer will find nothing to expire.
  await use(tx, row, claimId, { at: now, authority: caller.authority });
  return row;
}

async function lockOpenOf(tx: Tx, tenant: Tenant, bookingId: string): Promise<LockedPreauthorization | null> {
  const id = await openPreauthorizationOf(tx, tenant, bookingId);
  return id === null ? null : lockPreauthorization(tx, tenant, id);
}
