/**
 * The eligibility checks of claims of care that happened elsewhere, for lines of a bulk job: the checks are made as by POST
 * /eligibility_checks, and what their claims would be rejected for is found before their sessions are recorded. One transaction makes the
 * checks of a call.
 */
import type { EligibilityCheck } from '@carecover/contract';
import { ApiError, notFound } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { checkClaim } from '../rules/claim-use';
import { makeChecks } from './create-eligibility-checks';

type Input = Parameters<BenefitsForClaims['checkRecordedClaims']>[0];
type Outcomes = Awaited<ReturnType<BenefitsForClaims['checkRecordedClaims']>>;

/** Makes checks, each once per key. Returns their IDs, or why their claims can't be submitted, in the order of the checks. */
export async function checkRecordedClaims(
  sql: Sql,
  { tenant, caller, isDryRun, claims }: Input,
): Promise<Outcomes> {
  if (caller.tenant !== tenant) throw notFound();
  return makeChecks(sql, caller, isDryRun, claims, checkRecorded);
}

/** @throws ApiError not_eligible, those of `checkClaim`, authorization_required */
function checkRecorded(
  { status, reason_codes, service, checked_at, authorization_required }: EligibilityCheck,
  { session, serviceCodes }: Input['claims'][number],
): void {
  if (status === 'ineligible')
    throw new ApiError('not_eligible', `/eligibility_check is ineligible: ${reason_codes.join(', ')}.`);
  checkClaim(
    { status, scheduledAt: new Date(service.scheduled_at), serviceCode: service.code },
    {
      startsAt: service.scheduled_at,
      status: Date.parse(session.ends_at) <= Date.parse(checked_at) ? 'delivered' : 'reserved',
      paymentSource: session.payment_source,
    },
    serviceCodes,
  );
  if (authorization_required)
    throw new ApiError(
      'authorization_required',
      '/eligibility_check requires a pre-authorization: record the session, authorize it, and submit the claim by identifiers.',
    );
}
