/** Rows of eligibility checks. They are append-only: the service has no database privilege to change them. */
import type { EligibilityReasonCode, EligibilityStatus } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, insertedRows, type Query, type Tx } from '@carecover/postgres';

export interface EligibilityCheckRow {
  readonly id: string;
  readonly member_id: string;
  readonly status: EligibilityStatus;
  readonly reason_codes: EligibilityReasonCode[];
  readonly service_code: string;
  readonly scheduled_at: Date;
  readonly requested_amount: number;
  readonly currency: string;
  readonly coverage_id: string | null;
  readonly coverage_observation_id: string | null;
  readonly maximum_per_session: number | null;
  readonly authorization_required: boolean;
  readonly remaining_sessions: number | null;
  readonly coverage_valid_until: Date | null;
  readonly checked_at: Date;
  /** Whether the check could be for a time in the past, and was decided on the coverage as it took effect then. */
  readonly retrospective: boolean;
}

/** Returns SQL that inserts a check. */
export function eligibilityCheckInsert(tx: Tx, tenant: Tenant, row: EligibilityCheckRow): Fragment {
  return tx`insert into eligibility_checks ${insertedRows({ ...row, project_id: tenant })}`;
}

/** Reads an eligibility check; null if the tenant has no such check. */
export function findEligibilityCheck(db: Db, tenant: Tenant, id: string): Query<EligibilityCheckRow | null> {
  const found = db<EligibilityCheckRow[]>`
    select * from eligibility_checks where id = ${id} and project_id = ${tenant}`;
  return found.withResult(([row]) => row ?? null);
}
