/** Rows of eligibility checks. They are append-only: the service has no database privilege to change them. */
import type { ConsentStatus, EligibilityReasonCode, EligibilityStatus } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, type Fragment, insertedRows, insertedSet, type Query, type Tx } from '@carecover/postgres';

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

/** Returns SQL that inserts checks, and returns one row per check. */
export function eligibilityChecksInsert(
  tx: Tx,
  tenant: Tenant,
  rows: readonly EligibilityCheckRow[],
): Fragment {
  const ofTenant = rows.map((row) => ({ ...row, project_id: tenant }));
  return tx`insert into eligibility_checks ${insertedSet('eligibility_checks', ofTenant, 'id')} returning 1`;
}

/** What a claim that uses an eligible check is decided on. */
export interface ClaimedCheckRow
  extends Pick<
    EligibilityCheckRow,
    'id' | 'status' | 'service_code' | 'scheduled_at' | 'currency' | 'authorization_required'
  > {
  /** The member's latest statement of consent; null if there is none. */
  readonly consent: ConsentStatus | null;
  /** The payer of the coverage; null if it has no surrogate yet. */
  readonly payer_id: string | null;
  readonly plan: string;
}

/** Reads the checks of the tenant on which a coverage decided, by ID. */
export function findClaimedChecks(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Query<ReadonlyMap<string, ClaimedCheckRow>> {
  const found = db<ClaimedCheckRow[]>`
    select e.id, e.status, e.service_code, e.scheduled_at, e.currency, e.authorization_required, s.status as consent, p.id as payer_id,
           o.plan_name as plan
    from eligibility_checks e
    join coverage_observations o on o.id = e.coverage_observation_id and o.project_id = e.project_id
    join coverages c on c.id = o.coverage_id
    left join payer_contracts p on p.project_id = c.project_id and p.reference = c.source_contract_reference
    left join consents s on s.member_id = e.member_id and s.project_id = e.project_id
    where e.project_id = ${tenant} and e.id = any(${[...ids]})`;
  return found.withResult((rows) => new Map(rows.map((row) => [row.id, row])));
}

/** Reads an eligibility check; null if the tenant has no such check. */
export function findEligibilityCheck(db: Db, tenant: Tenant, id: string): Query<EligibilityCheckRow | null> {
  const found = db<EligibilityCheckRow[]>`
    select * from eligibility_checks where id = ${id} and project_id = ${tenant}`;
  return found.withResult(([row]) => row ?? null);
}
