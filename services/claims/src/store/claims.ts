/** Rows of claims, which commands lock and change, and of their adjudications. The file claims-in-full reads claims for responses. */
import {
  type Adjudication,
  type AdjudicationDecision,
  type ClaimLine,
  type ClaimStatus,
  type Environment,
  referenceKey,
  referenceSearchKey,
} from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, insertedSet, jsonb, type Query, type Tx } from '@carecover/postgres';
import type { OpenRequest } from '../rules/information-request';
import type { ClaimState } from '../rules/recording';
import { type Clock, clockColumns, portfolioLock } from './closed-through';

/**
 * An adjudication or reversal that payments may already have executed and that is not committed in claims yet (column claims.pending_step).
 */
export interface PendingStep {
  readonly command_id: string;
  readonly operation: 'adjudicateClaim' | 'reverseClaim';
  /** Time of the adjudication in ISO 8601; null for a reversal. */
  readonly decided_at: string | null;
}

/** Identifies a claim of a tenant. */
export interface ClaimOfTenant {
  readonly tenant: Tenant;
  readonly claimId: string;
}

export interface ClaimRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly provider_claim_reference: string;
  readonly eligibility_check_id: string;
  readonly session_id: string;
  readonly booking_id: string;
  readonly practitioner_id: string;
  readonly preauthorization_id: string | null;
  readonly payer_id: string;
  readonly plan: string;
  readonly service_starts_at: Date;
  readonly service_ends_at: Date;
  /** The API key that recorded the session outside the calendar; null if the session was booked in a slot. */
  readonly session_recorded_by: string | null;
  readonly session_recorded_at: Date | null;
  readonly lines: ClaimLine[];
  readonly currency: string;
  readonly billed: number;
  readonly status: ClaimStatus;
  readonly submission_version: number;
  readonly adjudication_version: number;
  readonly decision: AdjudicationDecision | null;
  readonly approved: number | null;
  readonly patient_responsibility: number | null;
  readonly adjustment: number | null;
  readonly remitted: number | null;
  readonly settled: number | null;
  readonly last_sequence: number;
  readonly event_version: number;
  readonly last_recorded_at: Date;
  readonly last_effective_at: Date;
  readonly closed_through: Date | null;
  readonly pending_step: PendingStep | null;
  readonly released_at: Date | null;
  readonly created_at: Date;
  readonly submitted_at: Date;
}

/** The columns of a new claim's row that come from the submission. The other columns are computed from the claim's first facts. */
export type Creation = Pick<
  ClaimRow,
  | 'id'
  | 'project_id'
  | 'environment'
  | 'provider_claim_reference'
  | 'eligibility_check_id'
  | 'session_id'
  | 'booking_id'
  | 'practitioner_id'
  | 'preauthorization_id'
  | 'payer_id'
  | 'plan'
  | 'service_starts_at'
  | 'service_ends_at'
  | 'session_recorded_by'
  | 'session_recorded_at'
  | 'lines'
  | 'currency'
  | 'billed'
>;

/** A claim whose row is locked until the transaction ends, with the database's time after the row was locked. */
export interface LockedClaim {
  readonly row: ClaimRow;
  readonly state: ClaimState;
  /** The database's time in epoch milliseconds, read after the row was locked. */
  readonly now: number;
}

function stateOf(row: ClaimRow, { portfolio_closed_through }: Clock): ClaimState {
  return {
    status: row.status,
    submissionVersion: row.submission_version,
    adjudicationVersion: row.adjudication_version,
    decision: row.decision,
    approved: row.approved,
    patientResponsibility: row.patient_responsibility,
    adjustment: row.adjustment,
    remitted: row.remitted,
    settled: row.settled,
    lastSequence: row.last_sequence,
    lastRecordedAt: row.last_recorded_at.getTime(),
    lastEffectiveAt: row.last_effective_at.getTime(),
    closedThrough: Math.max(
      row.closed_through?.getTime() ?? Number.NEGATIVE_INFINITY,
      portfolio_closed_through?.getTime() ?? Number.NEGATIVE_INFINITY,
    ),
  };
}

/**
 * Locks the claims with the given IDs in the order of the IDs, which prevents deadlocks. The project's portfolio cannot be closed until the
 * transaction ends. An ID that is no claim of the tenant is missing in the result.
 */
export function lockClaims(tx: Tx, tenant: Tenant, claimIds: readonly string[]): Query<LockedClaim[]> {
  // The second SQL statement reads the clock, because the clock must be read after the first statement has taken all locks.
  const locked = tx.pipeline([
    tx<ClaimRow[]>`
      with ${portfolioLock(tx, tenant)} select claims.* from portfolio_lock, claims
      where project_id = ${tenant} and id = any(${[...claimIds]}) order by id for update of claims`,
    tx<Clock[]>`select ${clockColumns(tx, tenant)}`,
  ]);
  return locked.withResult(([rows, [clock]]) => {
    if (clock === undefined) throw new Error('the database returned no time');
    const now = clock.now.getTime();
    return rows.map((row) => ({ row, state: stateOf(row, clock), now }));
  });
}

/** A locked claim with what commands read of its information requests. */
export interface LockedClaimWithRequests extends LockedClaim {
  readonly openRequest: OpenRequest | null;
  /** The number of the claim's information requests, ended ones included. */
  readonly requestCount: number;
}

/** Locks one claim like {@link lockClaims} and reads its information requests; undefined if the tenant has no such claim. */
export function lockClaim(
  tx: Tx,
  tenant: Tenant,
  claimId: string,
): Query<LockedClaimWithRequests | undefined> {
  // The second SQL statement reads what was committed before the first one had locked the claim.
  const locked = tx.pipeline([
    tx<ClaimRow[]>`
      with ${portfolioLock(tx, tenant)} select claims.* from portfolio_lock, claims
      where project_id = ${tenant} and id = ${claimId} for update of claims`,
    tx<(Clock & { request_id: string | null; due_at: Date | null; request_count: number })[]>`
      select clock.*, request.id as request_id, request.due_at,
        (select coalesce(max(number), 0) from information_requests where claim_id = ${claimId}) as request_count
      from (select ${clockColumns(tx, tenant)}) clock
      left join information_requests request on request.claim_id = ${claimId} and request.status = 'open'`,
  ]);
  return locked.withResult(([[row], [context]]) => {
    if (row === undefined) return undefined;
    if (context === undefined) throw new Error('the database returned no time');
    const { now, request_id, due_at, request_count: requestCount } = context;
    const openRequest = request_id === null ? null : { id: request_id, dueAt: due_at };
    return { row, state: stateOf(row, context), now: now.getTime(), openRequest, requestCount };
  });
}

/** A claim that is created, with its state after its first facts. */
export interface CreatedClaim {
  readonly creation: Creation;
  readonly state: ClaimState;
  readonly eventVersion: number;
}

/** Returns the SQL that inserts the rows of claims, for use inside another SQL statement. */
export function insertClaims(db: Db, created: readonly CreatedClaim[]) {
  const rows = created.map(({ creation, state, eventVersion }) => {
    const recordedAt = new Date(state.lastRecordedAt);
    return {
      ...creation,
      provider_claim_reference_key: referenceKey(creation.provider_claim_reference),
      provider_claim_reference_search: referenceSearchKey(creation.provider_claim_reference),
      status: state.status,
      submission_version: state.submissionVersion,
      adjudication_version: state.adjudicationVersion,
      last_sequence: state.lastSequence,
      event_version: eventVersion,
      last_recorded_at: recordedAt,
      last_effective_at: new Date(state.lastEffectiveAt),
      created_at: recordedAt,
      submitted_at: recordedAt,
    };
  });
  return db`insert into claims ${insertedSet('claims', rows, 'provider_claim_reference_key')}`;
}

/** The new state of a claim, after changes that are decided and not written yet. */
export interface ChangedClaim {
  readonly claimId: string;
  readonly state: ClaimState;
  readonly eventVersion: number;
  /** The new pending step; null clears the stored pending step, undefined keeps it. */
  readonly pendingStep: PendingStep | null | undefined;
}

/** Returns the SQL that updates the state of locked claims of one tenant, for use inside another SQL statement. */
export function updateStates(db: Db, tenant: Tenant, changed: readonly ChangedClaim[]) {
  const rows = changed.map(({ claimId, state, eventVersion, pendingStep }) => ({
    id: claimId,
    status: state.status,
    submission_version: state.submissionVersion,
    adjudication_version: state.adjudicationVersion,
    decision: state.decision,
    approved: state.approved,
    patient_responsibility: state.patientResponsibility,
    adjustment: state.adjustment,
    remitted: state.remitted,
    settled: state.settled,
    last_sequence: state.lastSequence,
    last_recorded_at: new Date(state.lastRecordedAt).toISOString(),
    last_effective_at: new Date(state.lastEffectiveAt).toISOString(),
    event_version: eventVersion,
    sets_pending_step: pendingStep !== undefined,
    pending_step: pendingStep ?? null,
  }));
  return db`
    update claims claim set
      status = changed.status,
      submission_version = changed.submission_version,
      adjudication_version = changed.adjudication_version,
      decision = changed.decision,
      approved = changed.approved,
      patient_responsibility = changed.patient_responsibility,
      adjustment = changed.adjustment,
      remitted = changed.remitted,
      settled = changed.settled,
      last_sequence = changed.last_sequence,
      last_recorded_at = changed.last_recorded_at,
      last_effective_at = changed.last_effective_at,
      event_version = changed.event_version,
      pending_step = case when changed.sets_pending_step then changed.pending_step else claim.pending_step end
    from jsonb_to_recordset(${jsonb(rows)}) as changed (id text, status text, submission_version integer,
      adjudication_version integer, decision text, approved bigint, patient_responsibility bigint, adjustment bigint,
      remitted bigint, settled bigint, last_sequence integer, last_recorded_at timestamptz, last_effective_at timestamptz, event_version integer, sets_pending_step boolean, pending_step jsonb)
    where claim.id = changed.id and claim.project_id = ${tenant}`;
}

/**
 * Stores the pending step of a locked claim. Call it before payments is called: no other command on the claim is decided until the command
 * has ended.
 */
export async function setPendingStep(tx: Tx, { row }: LockedClaim, pendingStep: PendingStep): Promise<void> {
  await tx`
    update claims set pending_step = ${jsonb({ ...pendingStep })}
    where project_id = ${row.project_id} and id = ${row.id}`;
}

/** Sets the pending steps of locked claims. */
export async function setPendingSteps(
  tx: Tx,
  tenant: Tenant,
  steps: readonly { readonly claimId: string; readonly pendingStep: PendingStep }[],
): Promise<void> {
  const rows = steps.map(({ claimId, pendingStep }) => ({ id: claimId, pending_step: pendingStep }));
  await tx`
    update claims set pending_step = step.pending_step
    from jsonb_to_recordset(${jsonb(rows)}) as step (id text, pending_step jsonb)
    where claims.project_id = ${tenant} and claims.id = step.id`;
}

/** Clears a claim's pending step, if the pending step belongs to the given command. */
export async function clearPendingStep(
  db: Db,
  tenant: Tenant,
  claimId: string,
  commandId: string,
): Promise<void> {
  await db`
    update claims set pending_step = null
    where project_id = ${tenant} and id = ${claimId} and pending_step ->> 'command_id' = ${commandId}`;
}

/** Inserts an adjudication of a locked claim. */
export function insertAdjudication(tx: Tx, { row }: LockedClaim, adjudication: Adjudication): Query<unknown> {
  return insertAdjudications(tx, [{ claimId: row.id, adjudication }]);
}

/** Inserts adjudications of locked claims. Each document keeps the order of its members, which `jsonb` would change. */
export function insertAdjudications(
  tx: Tx,
  adjudications: readonly { readonly claimId: string; readonly adjudication: Adjudication }[],
): Query<unknown> {
  const rows = adjudications.map(({ claimId, adjudication }) => ({
    claim_id: claimId,
    version: adjudication.version,
    id: adjudication.id,
    document: adjudication,
  }));
  return tx`
    insert into adjudications (claim_id, version, id, document)
    select claim_id, version, id, document
    from json_to_recordset(${jsonb(rows)}) as adjudication (claim_id text, version integer, id text, document json)`;
}

/** Reads the newest adjudications of a claim of the tenant, newest first. @param limit maximum number of adjudications */
export async function newestAdjudications(
  db: Db,
  tenant: Tenant,
  claimId: string,
  limit: number,
): Promise<Adjudication[]> {
  const rows = await db<{ document: Adjudication }[]>`
    select document from adjudications
    where claim_id = (select id from claims where project_id = ${tenant} and id = ${claimId})
    order by version desc limit ${limit}`;
  return rows.map(({ document }) => document);
}

/** Returns whether the claim exists for the tenant. */
export async function claimExists(db: Db, tenant: Tenant, claimId: string): Promise<boolean> {
  const rows = await db`select 1 from claims where project_id = ${tenant} and id = ${claimId}`;
  return rows.length > 0;
}

/** Returns those of the given IDs that are claims of the tenant. */
export async function findKnownClaims(
  db: Db,
  tenant: Tenant,
  claimIds: readonly string[],
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from claims where project_id = ${tenant} and id = any(${[...claimIds]})`;
  return rows.map(({ id }) => id);
}

/** Stores that benefits has released the pre-authorization of a cancelled or reversed claim, and when by the real time. */
export async function setReleased(db: Db, tenant: Tenant, claimId: string): Promise<void> {
  await db`
    update claims set released_at = platform.real_now()
    where project_id = ${tenant} and id = ${claimId} and status in ('cancelled', 'reversed') and released_at is null`;
}

/** Finds the IDs of the tenant's claims with the given references, by the reference; an unknown reference is missing. */
export async function claimIdsOf(
  db: Db,
  tenant: Tenant,
  references: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = references.map(referenceKey);
  const rows = await db<{ id: string; key: string }[]>`
    select id, provider_claim_reference_key as key from claims
    where project_id = ${tenant} and provider_claim_reference_key = any(${keys})`;
  const idOf = new Map(rows.map(({ id, key }) => [key, id]));
  return new Map(
    references.flatMap((reference, index) => {
      const id = idOf.get(keys[index] ?? '');
      return id === undefined ? [] : [[reference, id] as const];
    }),
  );
}
