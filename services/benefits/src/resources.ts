/** Conversion of database rows of benefits to the resources of the API. */
import type { Consent, CoverageObservation, EligibilityCheck, Preauthorization } from '@carecover/contract';
import type { ConsentRow } from './store/consents';
import type { EligibilityCheckRow } from './store/eligibility-checks';
import type { ObservationRow } from './store/observations';
import type { PreauthorizationRow } from './store/preauthorizations';

export function observationResource(row: ObservationRow): CoverageObservation {
  return {
    id: row.id,
    object: 'coverage_observation',
    coverage_id: row.coverage_id,
    source: row.source,
    source_contract_reference: row.source_contract_reference,
    external_coverage_reference: row.external_coverage_reference,
    source_version: row.source_version,
    snapshot_version: row.snapshot_version,
    status: row.status,
    service_code: row.service_code,
    amount_limit: { currency: row.currency, value: row.amount_limit },
    remaining_sessions: row.remaining_sessions,
    authorization_required: row.authorization_required,
    coordination_priority: row.coordination_priority,
    valid_from: row.valid_from.toISOString(),
    valid_until: row.valid_until.toISOString(),
    observed_at: row.observed_at.toISOString(),
  };
}

export function consentResource(row: ConsentRow): Consent {
  return { id: row.id, object: 'consent', status: row.status, updated_at: row.updated_at.toISOString() };
}

export function eligibilityCheckResource(row: EligibilityCheckRow): EligibilityCheck {
  return {
    id: row.id,
    object: 'eligibility_check',
    status: row.status,
    reason_codes: row.reason_codes,
    service: { code: row.service_code, scheduled_at: row.scheduled_at.toISOString() },
    amount: {
      requested: row.requested_amount,
      currency: row.currency,
      maximum_per_session: row.maximum_per_session,
    },
    authorization_required: row.authorization_required,
    remaining_sessions: row.remaining_sessions,
    coverage_valid_until: row.coverage_valid_until?.toISOString() ?? null,
    checked_at: row.checked_at.toISOString(),
  };
}

export function preauthorizationResource(row: PreauthorizationRow): Preauthorization {
  return {
    id: row.id,
    object: 'preauthorization',
    eligibility_check_id: row.eligibility_check_id,
    booking_id: row.booking_id,
    status: row.status,
    reason_codes: row.decision?.reason_codes ?? [],
    amount: {
      requested: row.requested_amount,
      approved: row.approved_amount,
      currency: row.currency,
    },
    valid_until: row.valid_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    decision: row.decision,
  };
}
