/** The claims' rows: the lock under which a claim changes, and where it stands. Reads of whole claims are in claims-in-full. */
import type { AdjudicationDecision, ClaimLine, ClaimStatus, Environment } from '@carecover/contract';
import { allInOrder, type Db, jsonb, type Tenant, type Tx } from '@carecover/platform';
import type { Standing } from '../rules/recording';

/** A step in another service that may have been taken; see the column's comment. */
export interface InHand {
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
  readonly in_hand: InHand | null;
  readonly freed_at: Date | null;
  readonly created_at: Date;
  readonly submitted_at: Date;
}

/** What a new claim's row begins with; the rest follows from its facts. */
export type Birth = Pick<
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
  readonly standing: Standing;
  /** Epoch milliseconds. */
  readonly now: number;
}

function standingOf(row: ClaimRow): Standing {
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
  return rows.map((row) => ({ row, standing: standingOf(row), now }));
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
  return { row, standing: standingOf(row), now: now.getTime(), openRequest };
}

/** SQL that makes a claim's row with where its first facts leave it: a part of another statement. */
export function insertClaim(db: Db, birth: Birth, standing: Standing, eventVersion: number) {
  const recordedAt = new Date(standing.lastRecordedAt);
  return db`
    insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
      preauthorization_id, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, last_sequence, event_version, last_recorded_at, created_at, submitted_at)
    values (${birth.id}, ${birth.project_id}, ${birth.environment}, ${birth.provider_claim_reference},
      ${birth.eligibility_check_id}, ${birth.session_id}, ${birth.booking_id}, ${birth.preauthorization_id},
      ${birth.service_starts_at}, ${birth.service_ends_at}, ${db.json(birth.lines)}, ${birth.currency}, ${birth.billed},
      ${standing.status}, ${standing.submissionVersion}, ${standing.adjudicationVersion}, ${standing.lastSequence},
      ${eventVersion},
      ${recordedAt}, ${recordedAt}, ${recordedAt})`;
}

/** Where a claim stands after its new facts. */
export interface Moved {
  readonly claimId: string;
  readonly standing: Standing;
  readonly eventVersion: number;
  /** The step in another service that may have been taken; undefined leaves what is noted. */
  readonly inHand: InHand | null | undefined;
}

/** SQL that writes where locked claims stand: a part of another statement. */
export function updateStandings(db: Db, moved: readonly Moved[]) {
  const rows = moved.map(({ claimId, standing, eventVersion, inHand }) => ({
    id: claimId,
    status: standing.status,
    submission_version: standing.submissionVersion,
    adjudication_version: standing.adjudicationVersion,
    decision: standing.decision,
    approved: standing.approved,
    remitted: standing.remitted,
    settled: standing.settled,
    last_sequence: standing.lastSequence,
    last_recorded_at: new Date(standing.lastRecordedAt).toISOString(),
    event_version: eventVersion,
    sets_in_hand: inHand !== undefined,
    in_hand: inHand ?? null,
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
      in_hand = case when moved.sets_in_hand then moved.in_hand else claim.in_hand end
    from jsonb_to_recordset(${jsonb(db, rows)}) as moved (id text, status text, submission_version integer,
      adjudication_version integer, decision text, approved bigint, remitted bigint, settled bigint, last_sequence integer,
      last_recorded_at timestamptz, event_version integer, sets_in_hand boolean, in_hand jsonb)
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
export async function setInHand(db: Db, claimId: string, inHand: InHand | null): Promise<void> {
  await db`update claims set in_hand = ${inHand === null ? null : db.json({ ...inHand })} where id = ${claimId}`;
}

/** Forgets what was in hand for a command that another service refused. */
export async function clearInHand(db: Db, commandId: string, claimId: string): Promise<void> {
  await db`update claims set in_hand = null where id = ${claimId} and in_hand ->> 'command_id' = ${commandId}`;
}

/** Whether the tenant has this claim. */
export async function claimExists(db: Db, tenant: Tenant, claimId: string): Promise<boolean> {
  const rows = await db`select 1 from claims where project_id = ${tenant} and id = ${claimId}`;
  return rows.length > 0;
}

/** Notes that benefits has heard that an ended claim uses nothing any more. */
export async function setFreed(db: Db, tenant: Tenant, claimId: string): Promise<void> {
  await db`
    update claims set freed_at = platform.now()
    where project_id = ${tenant} and id = ${claimId} and status in ('cancelled', 'reversed') and freed_at is null`;
}
