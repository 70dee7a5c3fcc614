/** Rows of eligibility checks: decisions as they were made, append-only by database privilege. */
import type { EligibilityCheck, EligibilityReasonCode, EligibilityStatus } from '@carecover/contract';
import { type Db, insertedRows, type Tenant, type Tx } from '@carecover/platform';

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
}

/** Inserts a check. */
export async function insertEligibilityCheck(
  tx: Tx,
  tenant: Tenant,
  row: EligibilityCheckRow,
): Promise<void> {
  await tx`insert into eligibility_checks ${insertedRows({ ...row, project_id: tenant })}`;
}

/** Reads a check; null if the tenant has no such check. */
export async function findEligibilityCheck(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<EligibilityCheckRow | null> {
  const [row] = await db<EligibilityCheckRow[]>`
    select * from eligibility_checks where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/** Converts a row to the check's resource. */
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
