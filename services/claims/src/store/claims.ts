/** The claims' rows: the lock under which a claim changes, and where it stands. Reads of whole claims are in claims-in-full. */
import type { AdjudicationDecision, ClaimLine, ClaimStatus, Environment } from '@carecover/contract';
import { allInOrder, type Db, jsonb, type Tenant, type Tx } from '@carecover/platform';
import type { ClaimState } from '../rules/recording';

/** A step in another service that may have been taken; see the column's comment. */
export interface PendingStep {
  readonly command_id: string;
  readonly update: 'adjudicate' | 'reverse';
  /** ISO 8601; null for a reversal. */
  readonly decided_at: string | null;
}

export interface ClaimRow {
  readonly id: string;
  readonly project_id: Tenant;
  readonly environment: Environment;
  readonly provider_claim_reference: string;
  readonly eligibility_check_id: string;
  readonly session_id: string;
  readonly booking_id: string;
  readonly preauthorization_id: string | null;
  readonly service_starts_at: Date;
  readonly service_ends_at: Date;
  readonly lines: ClaimLine[];
  readonly currency: string;
  readonly billed: number;
  readonly status: ClaimStatus;
  readonly submission_version: number;
  readonly adjudication_version: number;
  readonly decision: AdjudicationDecision | null;
  readonly approved: number | null;
  readonly remitted: number | null;
  readonly settled: number | null;
  readonly last_sequence: number;
  readonly event_version: number;
  readonly last_recorded_at: Date;
  readonly closed_through: Date | null;
  readonly pending_step: PendingStep | null;
  readonly released_at: Date | null;
  readonly created_at: Date;
  readonly submitted_at: Date;
}

/** What a new claim's row begins with; the rest follows from its facts. */
export type Creation = Pick<
  ClaimRow,
  | 'id'
  | 'project_id'
  | 'environment'
  | 'provider_claim_reference'
  | 'eligibility_check_id'
  | 'session_id'
  | 'booking_id'
  | 'preauthorization_id'
  | 'service_starts_at'
  | 'service_ends_at'
  | 'lines'
  | 'currency'
  | 'billed'
>;

/** A claim that nobody else can change until the transaction ends, and the time, read when that was so. */
export interface LockedClaim {
  readonly row: ClaimRow;
  readonly state: ClaimState;
  /** Epoch milliseconds. */
  readonly now: number;
}

function stateOf(row: ClaimRow): ClaimState {
  return {
    status: row.status,
    submissionVersion: row.submission_version,
    adjudicationVersion: row.adjudication_version,
    decision: row.decision,
    approved: row.approved,
    remitted: row.remitted,
    settled: row.settled,
    lastSequence: row.last_sequence,
    lastRecordedAt: row.last_recorded_at.getTime(),
    closedThrough: row.closed_through?.getTime() ?? Number.NEGATIVE_INFINITY,
  };
}

/** Locks claims in the order of their ids, so that two lockers never wait for each other. Unknown ones are left out. */
export async function lockClaims(
  tx: Tx,
  tenant: Tenant,
  claimIds: readonly string[],
): Promise<LockedClaim[]> {
  // Two statements: the clock may be read only when every lock is held.
  const [rows, [time]] = await allInOrder([
    tx<ClaimRow[]>`
      select * from claims where project_id = ${tenant} and id = any(${[...claimIds]}) order by id for update`,
    tx<{ now: Date }[]>`select platform.now() as now`,
  ]);
  if (time === undefined) throw new Error('the database told no time');
  const now = time.now.getTime();
  return rows.map((row) => ({ row, state: stateOf(row), now }));
}

/** A claim's open request, as far as the clock is concerned with it. */
export interface OpenRequest {
  readonly id: string;
  readonly due_at: Date | null;
}

/** Locks one claim, and reads its open request behind the lock; undefined where the tenant has none of that id. */
export async function lockClaim(
  tx: Tx,
  tenant: Tenant,
  claimId: string,
): Promise<(LockedClaim & { readonly openRequest: OpenRequest | null }) | undefined> {
  const [[row], [context]] = await allInOrder([
    tx<ClaimRow[]>`select * from claims where project_id = ${tenant} and id = ${claimId} for update`,
    tx<{ now: Date; request_id: string | null; due_at: Date | null }[]>`
      select clock.now, request.id as request_id, request.due_at
      from (select platform.now() as now) clock
      left join information_requests request on request.claim_id = ${claimId} and request.status = 'open'`,
  ]);
  if (row === undefined) return undefined;
  if (context === undefined) throw new Error('the database told no time');
  const { now, request_id, due_at } = context;
  const openRequest = request_id === null ? null : { id: request_id, due_at };
  return { row, state: stateOf(row), now: now.getTime(), openRequest };
}

/** SQL that makes a claim's row with where its first facts leave it: a part of another statement. */
export function insertClaim(db: Db, creation: Creation, state: ClaimState, eventVersion: number) {
  const recordedAt = new Date(state.lastRecordedAt);
  return db`
    insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
      preauthorization_id, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, last_sequence, event_version, last_recorded_at, created_at, submitted_at)
    values (${creation.id}, ${creation.project_id}, ${creation.environment}, ${creation.provider_claim_reference},
      ${creation.eligibility_check_id}, ${creation.session_id}, ${creation.booking_id}, ${creation.preauthorization_id},
      ${creation.service_starts_at}, ${creation.service_ends_at}, ${db.json(creation.lines)}, ${creation.currency}, ${creation.billed},
      ${state.status}, ${state.submissionVersion}, ${state.adjudicationVersion}, ${state.lastSequence},
      ${eventVersion},
      ${recordedAt}, ${recordedAt}, ${recordedAt})`;
}

/** Where a claim stands after its new facts. */
export interface Moved {
  readonly claimId: string;
  readonly state: ClaimState;
  readonly eventVersion: number;
  /** The step in another service that may have been taken; undefined leaves what is noted. */
  readonly pendingStep: PendingStep | null | undefined;
}

/** SQL that writes where locked claims stand: a part of another statement. */
export function updateStates(db: Db, moved: readonly Moved[]) {
  const rows = moved.map(({ claimId, state, eventVersion, pendingStep }) => ({
    id: claimId,
    status: state.status,
    submission_version: state.submissionVersion,
    adjudication_version: state.adjudicationVersion,
    decision: state.decision,
    approved: state.approved,
    remitted: state.remitted,
    settled: state.settled,
    last_sequence: state.lastSequence,
    last_recorded_at: new Date(state.lastRecordedAt).toISOString(),
    event_version: eventVersion,
    sets_pending_step: pendingStep !== undefined,
    pending_step: pendingStep ?? null,
  }));
  return db`
    update claims claim set
      status = moved.status,
      submission_version = moved.submission_version,
      adjudication_version = moved.adjudication_version,
      decision = moved.decision,
      approved = moved.approved,
      remitted = moved.remitted,
      settled = moved.settled,
      last_sequence = moved.last_sequence,
      last_recorded_at = moved.last_recorded_at,
      event_version = moved.event_version,
      pending_step = case when moved.sets_pending_step then moved.pending_step else claim.pending_step end
    from jsonb_to_recordset(${jsonb(db, rows)}) as moved (id text, status text, submission_version integer,
      adjudication_version integer, decision text, approved bigint, remitted bigint, settled bigint, last_sequence integer,
      last_recorded_at timestamptz, event_version integer, sets_pending_step boolean, pending_step jsonb)
    where claim.id = moved.id`;
}

/** Which of these claims await a decision, an answer or money, so that their workflows run. */
export async function findWaiting(db: Db, claimIds: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from claims
    where id = any(${[...claimIds]}) and status in ('submitted', 'queried', 'approved', 'partially_approved')`;
  return rows.map(({ id }) => id);
}

/** Notes, or forgets, that a command's step in another service may have been taken. */
export async function setPendingStep(
  db: Db,
  claimId: string,
  pendingStep: PendingStep | null,
): Promise<void> {
  await db`update claims set pending_step = ${pendingStep === null ? null : db.json({ ...pendingStep })} where id = ${claimId}`;
}

/** Forgets what was in hand for a command that another service refused. */
export async function clearPendingStep(db: Db, commandId: string, claimId: string): Promise<void> {
  await db`update claims set pending_step = null where id = ${claimId} and pending_step ->> 'command_id' = ${commandId}`;
}

/** Whether the tenant has this claim. */
export async function claimExists(db: Db, tenant: Tenant, claimId: string): Promise<boolean> {
  const rows = await db`select 1 from claims where project_id = ${tenant} and id = ${claimId}`;
  return rows.length > 0;
}

/** Notes that benefits has heard that an ended claim uses nothing any more. */
export async function setReleased(db: Db, tenant: Tenant, claimId: string): Promise<void> {
  await db`
    update claims set released_at = platform.now()
    where project_id = ${tenant} and id = ${claimId} and status in ('cancelled', 'reversed') and released_at is null`;
}
