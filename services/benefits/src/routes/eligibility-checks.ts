/** POST /eligibility_checks and GET /eligibility_checks/{eligibility_check_id}: whether a coverage pays for a session. */
import { parseInstant } from '@carecover/contract';
import { ApiError, type Handlers, newId, requireResource, type Sql, writeOnce } from '@carecover/platform';
import { expireOverdueReservations } from '../activities/preauthorization-steps';
import { decideEligibility } from '../rules/eligibility';
import { requireConsent } from '../store/consents';
import { benefitCondition, benefitSnapshots } from '../store/coverages';
import {
  type EligibilityCheckRow,
  eligibilityCheckResource,
  findEligibilityCheck,
  insertEligibilityCheck,
} from '../store/eligibility-checks';
import { lockMembers } from '../store/erasure';
import { findOrCreateMember } from '../store/members';

export function eligibilityCheckHandlers(
  sql: Sql,
): Pick<Handlers, 'createEligibilityCheck' | 'getEligibilityCheck'> {
  return {
    createEligibilityCheck: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const { caller, body } = call;
        const checkedAt = await lockMembers(tx, caller.tenant);
        const member = await findOrCreateMember(tx, caller.tenant, body.member_reference);
        await requireConsent(tx, caller, member);
        const scheduledAt = new Date(parseInstant(body.scheduled_at));
        if (scheduledAt < checkedAt)
          throw new ApiError('session_in_past', '/scheduled_at must be in the future.');

        const benefit = { memberId: member, serviceCode: body.service_code, currency: body.currency };
        await expireOverdueReservations(tx, caller.tenant, benefitCondition(tx, benefit));
        const snapshots = await benefitSnapshots(tx, caller.tenant, benefit);
        const decision = decideEligibility({ scheduledAt, amount: body.amount }, snapshots);
        const row: EligibilityCheckRow = {
          id: newId('elig_'),
          member_id: member,
          status: decision.eligible ? 'eligible' : 'ineligible',
          reason_codes: [...decision.reasonCodes],
          service_code: body.service_code,
          scheduled_at: scheduledAt,
          requested_amount: body.amount,
          currency: body.currency,
          coverage_id: decision.coverage?.coverageId ?? null,
          coverage_observation_id: decision.coverage?.observationId ?? null,
          maximum_per_session: decision.coverage?.amountLimit ?? null,
          authorization_required: decision.coverage?.authorizationRequired ?? false,
          remaining_sessions: decision.coverage?.remainingSessions ?? null,
          coverage_valid_until: decision.coverage?.validUntil ?? null,
          checked_at: checkedAt,
        };
        await insertEligibilityCheck(tx, caller.tenant, row);
        return { status: 201, body: eligibilityCheckResource(row), resourceId: row.id };
      }),

    async getEligibilityCheck(call) {
      const { eligibility_check_id } = call.params;
      const check = await findEligibilityCheck(sql, call.caller.tenant, eligibility_check_id);
      return {
        status: 200,
        body: eligibilityCheckResource(requireResource(call.caller, eligibility_check_id, check)),
      };
    },
  };
}
