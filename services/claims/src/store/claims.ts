/** The claims' rows: the lock under which a claim changes, and where it stands. Reads of whole claims are in claims-in-full. */
import type { AdjudicationDecision, ClaimLine, ClaimStatus, Environment } from '@carecover/contract';
import { type Db, notFound, type Owned, type Tenant, type Tx } from '@carecover/platform';
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
  const [rows, [time]] = await Promise.all([
    tx<ClaimRow[]>`
      select * from claims where project_id = ${tenant} and id = any(${[...claimIds]}) order by id for update`,
    tx<{ now: Date }[]>`select platform.now() as now`,
  ]);
  if (time === undefined) throw new Error('the database told no time');
  const now = time.now.getTime();
  return rows.map((row) => ({ row, standing: standingOf(row), now }));
}

/** Locks one claim. @throws Refusal resource_not_found */
export async function lockClaim(tx: Tx, tenant: Tenant, claimId: string): Promise<LockedClaim> {
  const [claim] = await lockClaims(tx, tenant, [claimId]);
  if (claim === undefined) throw notFound();
  return claim;
}

/** Makes a claim's row with where its first facts leave it. */
export async function insertClaim(
  tx: Tx,
  birth: Birth,
  standing: Standing,
  eventVersion: number,
): Promise<void> {
  const recordedAt = new Date(standing.lastRecordedAt);
  await tx`
    insert into claims (id, project_id, environment, provider_claim_reference, eligibility_check_id, session_id, booking_id,
      preauthorization_id, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, last_sequence, event_version, last_recorded_at, created_at, submitted_at)
    values (${birth.id}, ${birth.project_id}, ${birth.environment}, ${birth.provider_claim_reference},
      ${birth.eligibility_check_id}, ${birth.session_id}, ${birth.booking_id}, ${birth.preauthorization_id},
      ${birth.service_starts_at}, ${birth.service_ends_at}, ${tx.json(birth.lines)}, ${birth.currency}, ${birth.billed},
      ${standing.status}, ${standing.submissionVersion}, ${standing.adjudicationVersion}, ${standing.lastSequence},
      ${eventVersion},
      ${recordedAt}, ${recordedAt}, ${recordedAt})`;
}

/** Writes where a locked claim stands after its new facts. */
export async function updateStanding(
  tx: Tx,
  claimId: string,
  standing: Standing,
  eventVersion: number,
): Promise<void> {
  await tx`
    update claims set
      status = ${standing.status},
      submission_version = ${standing.submissionVersion},
      adjudication_version = ${standing.adjudicationVersion},
      decision = ${standing.decision},
      approved = ${standing.approved},
      remitted = ${standing.remitted},
      settled = ${standing.settled},
      last_sequence = ${standing.lastSequence},
      last_recorded_at = ${new Date(standing.lastRecordedAt)},
      event_version = ${eventVersion}
    where id = ${claimId}`;
}

/** Which of these claims, as they were locked, have another status now. */
export async function changedStatus(tx: Tx, locked: readonly LockedClaim[]): Promise<Owned[]> {
  const before = locked.map(({ row: { id, status } }) => ({ id, status }));
  return tx<Owned[]>`
    select c.id, c.project_id as tenant, c.environment
    from jsonb_to_recordset(${tx.json(before)}) as b (id text, status text) join claims c on c.id = b.id
    where c.status <> b.status`.then((rows) => [...rows]);
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
