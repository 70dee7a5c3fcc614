/** Rows of pre-authorizations, the facts of their changes, and the queries by which sweeps find overdue ones. */
import type {
  Environment,
  ErrorCode,
  Preauthorization,
  PreauthorizationDecision,
  PreauthorizationStatus,
} from '@carecover/contract';
import type { Caller, OwnedResource, Tenant } from '@carecover/domain';
import {
  type Db,
  type Fragment,
  insertedRows,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Tx,
} from '@carecover/postgres';
import type { ChangedValues, PreauthorizationFactType } from '../rules/preauthorization-changes';
import type { PreauthorizationState } from '../rules/preauthorization-expiry';

export const PREAUTHORIZATIONS = { table: 'preauthorizations', hasSmallRows: true } as const;

export interface PreauthorizationRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly eligibility_check_id: string;
  readonly booking_id: string;
  readonly coverage_id: string;
  readonly coverage_observation_id: string;
  readonly status: PreauthorizationStatus;
  readonly version: number;
  readonly requested_amount: number;
  readonly currency: string;
  readonly decide_by: Date;
  readonly pending_command_id: string | null;
  /** Why the approval in progress is rejected; null while it is not. */
  readonly pending_rejection: { readonly code: ErrorCode; readonly message: string } | null;
  readonly approved_amount: number | null;
  readonly valid_until: Date | null;
  readonly decision: PreauthorizationDecision | null;
  readonly used_by_claim_id: string | null;
  readonly created_at: Date;
}

/** A pre-authorization's row that this transaction has locked. */
export interface LockedPreauthorization extends PreauthorizationRow {
  /** Whether the command in `pending_command_id` is pending. */
  readonly is_being_approved: boolean;
  /** The database's time after the lock was granted. */
  readonly locked_at: Date;
}

/** Reads a pre-authorization; null if the tenant has no such one. */
export async function findPreauthorization(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationRow | null> {
  const [row] = await db<PreauthorizationRow[]>`
    select * from preauthorizations where id = ${id} and project_id = ${tenant}`;
  return row ?? null;
}

/**
 * Reads one page of the project's pre-authorizations, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no pre-authorization of this list
 */
export function listPreauthorizations(
  db: Db,
  caller: Caller,
  query: ListQuery & { readonly status?: PreauthorizationStatus; readonly booking_id?: string },
  toResource: (row: PreauthorizationRow) => Preauthorization,
): Promise<ListResult<Preauthorization>> {
  const filters = [
    { column: 'booking_id', value: query.booking_id },
    { column: 'status', value: query.status },
  ];
  return listPage(db, caller, PREAUTHORIZATIONS, query, filters, toResource);
}

/** Locks a pre-authorization until the transaction ends; null if the tenant has no such one. */
export function lockPreauthorization(
  tx: Tx,
  tenant: Tenant,
  id: string,
): Query<LockedPreauthorization | null> {
  // The second statement reads what was committed before the lock was granted.
  const locked = tx.pipeline([
    tx`select 1 from preauthorizations where id = ${id} and project_id = ${tenant} for update`,
    tx<LockedPreauthorization[]>`
      select p.*, platform.now() as locked_at, exists (
        select 1 from pending_commands where id = p.pending_command_id
      ) as is_being_approved
      from preauthorizations p where id = ${id} and project_id = ${tenant}`,
  ]);
  return locked.withResult(([, [row]]) => row ?? null);
}

/** Returns the IDs of the pending or approved pre-authorizations of bookings, by the booking; each has at most one. */
export function findOpenPreauthorizations(
  db: Db,
  tenant: Tenant,
  bookingIds: readonly string[],
): Query<ReadonlyMap<string, string>> {
  const found = db<{ id: string; booking_id: string }[]>`
    select id, booking_id from preauthorizations
    where project_id = ${tenant} and booking_id = any(${[...bookingIds]}) and status in ('pending', 'approved')`;
  return found.withResult((rows) => new Map(rows.map(({ id, booking_id }) => [booking_id, id])));
}

/** Returns the ID of the booking's pending or approved pre-authorization; null if there is none. */
export function findOpenPreauthorization(db: Db, tenant: Tenant, bookingId: string): Query<string | null> {
  return findOpenPreauthorizations(db, tenant, [bookingId]).withResult((open) => open.get(bookingId) ?? null);
}

/** Sets the command that is approving the pre-authorization; null if no approval is in progress. */
export async function setDecidingCommand(
  tx: Tx,
  tenant: Tenant,
  id: string,
  commandId: string | null,
): Promise<void> {
  await tx`
    update preauthorizations set pending_command_id = ${commandId}, pending_rejection = null
    where id = ${id} and project_id = ${tenant}`;
}

/** Stores why the approval in progress is rejected. */
export async function setDecidingRejection(
  tx: Tx,
  tenant: Tenant,
  id: string,
  { code, message }: NonNullable<PreauthorizationRow['pending_rejection']>,
): Promise<void> {
  await tx`
    update preauthorizations set pending_rejection = ${jsonb({ code, message })}
    where id = ${id} and project_id = ${tenant}`;
}

/** The values with which a pre-authorization is created. */
export type NewPreauthorization = Pick<
  PreauthorizationRow,
  | 'id'
  | 'environment'
  | 'eligibility_check_id'
  | 'booking_id'
  | 'coverage_id'
  | 'coverage_observation_id'
  | 'requested_amount'
  | 'currency'
  | 'decide_by'
  | 'created_at'
>;

/** Inserts a pending pre-authorization. */
export async function insertPreauthorization(
  tx: Tx,
  tenant: Tenant,
  values: NewPreauthorization,
): Promise<PreauthorizationRow> {
  const row = { ...values, project_id: tenant, status: 'pending', updated_at: values.created_at };
  const [inserted] = await tx<PreauthorizationRow[]>`
    insert into preauthorizations ${insertedRows(row)} returning *`;
  if (inserted === undefined) throw new Error('a pre-authorization was not inserted');
  return inserted;
}

/** Updates a locked pre-authorization to its next version, and clears the command of an approval in progress. */
export async function updatePreauthorization(
  tx: Tx,
  tenant: Tenant,
  before: Pick<PreauthorizationRow, 'id' | 'version'>,
  { status, approvedAmount, validUntil, decision, usedByClaimId }: ChangedValues,
  at: Date,
): Promise<PreauthorizationRow> {
  const [row] = await tx<PreauthorizationRow[]>`
    update preauthorizations set
      status = ${status}, approved_amount = ${approvedAmount}, valid_until = ${validUntil},
      decision = ${decision && jsonb({ ...decision })}, used_by_claim_id = ${usedByClaimId},
      pending_command_id = null, pending_rejection = null, version = ${before.version + 1}, updated_at = ${at}
    where id = ${before.id} and project_id = ${tenant} and version = ${before.version}
    returning *`;
  if (row === undefined) throw new Error('a pre-authorization was changed without its lock');
  return row;
}

/** The fact of a pre-authorization's creation or change. */
export interface PreauthorizationFact {
  readonly type: PreauthorizationFactType;
  readonly authority: string;
  readonly at: Date;
  readonly reasonCode?: string;
  readonly claimId?: string;
  readonly decision?: PreauthorizationDecision;
}

/** Returns SQL that appends a fact, with the version that the pre-authorization's row has after the change. */
export function factInsert(
  tx: Tx,
  tenant: Tenant,
  row: Pick<PreauthorizationRow, 'id' | 'version'>,
  { type, authority, at, reasonCode, claimId, decision }: PreauthorizationFact,
): Fragment {
  return tx`
    insert into preauthorization_facts
      (preauthorization_id, version, project_id, type, authority, reason_code, claim_id, decision, recorded_at)
    values (${row.id}, ${row.version}, ${tenant}, ${type}, ${authority}, ${reasonCode ?? null}, ${claimId ?? null},
            ${decision === undefined ? null : jsonb({ ...decision })}, ${at})`;
}

/** Returns the IDs of those of the given pre-authorizations that await a decision, or their use by a claim. */
export async function findWaiting(db: Db, resources: readonly OwnedResource[]): Promise<string[]> {
  const rows = resources.map(({ id, tenant }) => ({ id, tenant }));
  const waiting = await db<{ id: string }[]>`
    select p.id from preauthorizations p
    join jsonb_to_recordset(${jsonb(rows)}) as given (id text, tenant text)
      on given.id = p.id and given.tenant = p.project_id
    where p.status in ('pending', 'approved') and p.used_by_claim_id is null`;
  return waiting.map(({ id }) => id);
}

/**
 * Reads one page of the pre-authorizations of all projects that wait for a deadline and have not changed for `seconds`: up to `limit`, by
 * ID, after `afterId`.
 */
export async function pageOfWaiting(
  db: Db,
  afterId: string,
  seconds: number,
  limit: number,
): Promise<OwnedResource[]> {
  return [
    ...(await db<OwnedResource[]>`
      select id, project_id as tenant, environment from preauthorizations
      where status in ('pending', 'approved') and used_by_claim_id is null
        and id > ${afterId}
        and (platform.is_simulated(project_id) or updated_at < (select platform.now()) - ${seconds} * interval '1 second')
      order by id limit ${limit}`),
  ];
}

/**
 * Reads the pre-authorizations of all projects with real time whose deadline passed more than `seconds` ago: at most `limit` that are pending
 * and as many that are approved.
 */
export async function findOverdue(db: Db, seconds: number, limit: number): Promise<OwnedResource[]> {
  // The subquery reads the clock once per query. If it were read per row, the indexes on deadlines could not be used.
  const overdueSince = db`(select platform.now()) - ${seconds} * interval '1 second'`;
  return [
    ...(await db<OwnedResource[]>`
      (select id, project_id as tenant, environment from preauthorizations p
       where status = 'pending' and not platform.is_simulated(project_id) and decide_by < ${overdueSince}
         and not exists (select 1 from pending_commands c where c.id = p.pending_command_id)
       order by decide_by limit ${limit})
      union all
      (select id, project_id as tenant, environment from preauthorizations
       where status = 'approved' and used_by_claim_id is null and not platform.is_simulated(project_id)
         and valid_until < ${overdueSince}
       order by valid_until limit ${limit})`),
  ];
}

/** Reads at most `limit` pre-authorizations that are approved and not used, in the order of their expiry, earliest first. */
export async function listNextToExpire(
  db: Db,
  tenant: Tenant,
  limit: number,
): Promise<PreauthorizationRow[]> {
  return [
    ...(await db<PreauthorizationRow[]>`
      select * from preauthorizations
      where project_id = ${tenant} and status = 'approved' and used_by_claim_id is null
      order by valid_until limit ${limit}`),
  ];
}

/** Returns by how many seconds the most overdue pre-authorization of all projects with real time is past its deadline; 0 if none is. */
export async function longestOverdueSeconds(db: Db): Promise<number> {
  const [row] = await db<{ overdue: number }[]>`
    select coalesce(greatest(0, extract(epoch from platform.now() - least(
      (select min(decide_by) from preauthorizations where status = 'pending' and pending_command_id is null and not platform.is_simulated(project_id)),
      (select min(valid_until) from preauthorizations
        where status = 'approved' and used_by_claim_id is null and not platform.is_simulated(project_id))
    ))), 0)::float8 as overdue`;
  return row?.overdue ?? 0;
}

/** Converts a locked row to the state on which the rules decide. */
export function stateOf(row: LockedPreauthorization): PreauthorizationState {
  return {
    status: row.status,
    decideBy: row.decide_by,
    isBeingApproved: row.is_being_approved,
    validUntil: row.valid_until,
    usedByClaimId: row.used_by_claim_id,
    requestedAmount: row.requested_amount,
  };
}
