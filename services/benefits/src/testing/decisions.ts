/** Bodies of payers' decisions on pre-authorizations, for tests. */
import { DAY_MS } from './days';

/** Returns the body of an approval that is valid for 90 days by default. */
export function approval(nowMs: number, overrides: { approved_amount?: number; validForMs?: number } = {}) {
  return {
    outcome: 'approved' as const,
    approved_amount: overrides.approved_amount ?? 350_000,
    valid_until: new Date(nowMs + (overrides.validForMs ?? 90 * DAY_MS)).toISOString(),
    reason_codes: ['within_policy'],
    policy_reference: 'policy:outpatient',
    policy_version: '2027.1',
    evidence_references: ['referral:8812'],
  };
}

export const denial = {
  outcome: 'denied' as const,
  reason_codes: ['not_medically_necessary'],
  policy_reference: 'policy:outpatient',
  policy_version: '2027.1',
  evidence_references: ['referral:8812'],
};
