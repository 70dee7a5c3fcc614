/** Rows of coverages with their snapshots. A transaction that records observations or reserves a session locks the row. */

import { newId, type Tenant } from '@carecover/domain';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import type { StatedCoverage } from '../rules/coverage-snapshot';
import type { ObservationRow } from './observations';

/**
 * Finds or creates coverages under one `source_contract_reference` of a payer and locks them in the order of their references, which prevents deadlocks.
 *
 * @returns the coverages with their snapshots, by the payer's reference
 */
export async function lockCoverages(
  tx: Tx,
  tenant: Tenant,
  contractReference: string,
  coverageReferences: readonly string[],
): Promise<Map<string, StatedCoverage>> {
  const references = [...new Set(coverageReferences)];
  const rows = await tx<
    { id: string; reference: string; snapshot_version: number; observed_at: Date | null }[]
  >`
    insert into coverages (id, project_id, source_contract_reference, external_coverage_reference)
    select id, ${tenant}, ${contractReference}, reference
    from unnest(${references.map(() => newId('cov_'))}::text[], ${references}::text[]) as new (id, reference)
    order by reference collate "C"
    on conflict (project_id, source_contract_reference, external_coverage_reference)
      do update set snapshot_version = coverages.snapshot_version
    returning id, external_coverage_reference as reference, snapshot_version, observed_at`;
  return new Map(
    rows.map((row) => [
      row.reference,
      { id: row.id, version: row.snapshot_version, observedAtMs: row.observed_at?.getTime() ?? null },
    ]),
  );
}

/**
 * Returns SQL that makes the given observations the snapshots of their locked coverages. The input has at most one observation per
 * coverage.
 */
export function snapshotsUpdate(tx: Tx, tenant: Tenant, observations: readonly ObservationRow[]): Fragment {
  const snapshots = observations.map((observation) => ({
    coverage_id: observation.coverage_id,
    id: observation.id,
    version: observation.snapshot_version,
    observed_at: observation.observed_at,
    member_id: observation.member_id,
    service_code: observation.service_code,
    currency: observation.currency,
  }));
  return tx`
    update coverages set
      snapshot_version = s.version, snapshot_observation_id = s.id, observed_at = s.observed_at,
      member_id = s.member_id, service_code = s.service_code, currency = s.currency
    from jsonb_to_recordset(${JSON.stringify(snapshots)}::text::jsonb) as s (
      coverage_id text, id text, version integer, observed_at timestamptz, member_id text, service_code text, currency text)
    where coverages.id = s.coverage_id and coverages.project_id = ${tenant}`;
}

/** A value of a statement: a parameter, or the column of a row of the same statement. */
type Value<T> = T | Fragment;

/** The member, service and currency for which eligibility is checked. */
export interface Benefit {
  readonly memberId: string;
  readonly serviceCode: string;
  readonly currency: string;
}

/** Returns the SQL condition that selects the coverages of a benefit; `c` is the coverage in the query. */
export function benefitCondition(
  db: Db,
  { memberId, serviceCode, currency }: { readonly [Key in keyof Benefit]: Value<string> },
): Fragment {
  return db`c.member_id = ${memberId} and c.service_code = ${serviceCode} and c.currency = ${currency}`;
}

/**
 * Returns the SQL expression that counts a coverage's unreleased reservations since the observation that is its snapshot. In the query,
 * `c` is the coverage and `o` the observation.
 */
export function reservedSessionCount(db: Db): Fragment {
  return db`(
    select count(*)::int from reservations r
    where r.coverage_id = c.id and r.released_at is null and r.reserved_at >= o.observed_at
  )`;
}

/** What a decision about eligibility reads of a coverage: an observation, with the number of sessions reserved since. */
export interface SnapshotRow
  extends Pick<
    ObservationRow,
    | 'id'
    | 'coverage_id'
    | 'status'
    | 'amount_limit'
    | 'remaining_sessions'
    | 'authorization_required'
    | 'coordination_priority'
    | 'valid_from'
    | 'valid_until'
    | 'observed_at'
  > {
  /** Sequence number of the observation in the order of recording. */
  readonly recording: number;
  /** Number of unreleased reservations since the observation that states the remaining sessions. */
  readonly reserved: number;
}

/**
 * Returns SQL that selects, from the rows of `known`, the IDs of those on which a decision can rely, at most three for any number of
 * coverages: the two of the highest priority among those that are active at `scheduledAt`, and the one that is evaluated if none is active.
 */
function relevantIds(db: Db, scheduledAt: Value<Date>): Fragment {
  return db`
    (select id from known
     where status = 'active' and valid_from <= ${scheduledAt} and ${scheduledAt} < valid_until
     order by coordination_priority nulls last limit 2)
    union
    (select id from known order by coordination_priority nulls last, observed_at desc, recording desc limit 1)`;
}

type Select = (
  db: Db,
  tenant: Tenant,
  benefit: { readonly [Key in keyof Benefit]: Value<string> },
  scheduledAt: Value<Date>,
) => Fragment;

/** Returns SQL that selects the snapshots on which a decision about a session of the benefit at `scheduledAt` can rely, at most three. */
const selectSnapshots: Select = (db, tenant, benefit, scheduledAt) => db`
    with known as (
      select o.id, o.status, o.valid_from, o.valid_until, o.coordination_priority, o.observed_at, o.recording
      from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
      where c.project_id = ${tenant} and ${benefitCondition(db, benefit)}
    ),
    relevant as (${relevantIds(db, scheduledAt)})
    select o.id, o.coverage_id, o.amount_limit, o.authorization_required, o.coordination_priority, o.observed_at, o.recording, o.valid_from,
           o.valid_until, o.remaining_sessions, o.status, ${reservedSessionCount(db)} as reserved
    from relevant join coverage_observations o using (id) join coverages c on c.id = o.coverage_id`;

/**
 * Returns SQL that selects what {@link selectSnapshots} selects, of the coverages as they took effect at `scheduledAt` and as they are known
 * now:
 *
 * - The observation in effect is the latest one with an observed_at up to then; without such a one, the first one after it.
 * - A later observation states the period again if its cover starts by then, or within the period known before, which corrects the start.
 *   Otherwise it is about a following period, such as a renewal. If it says that the cover had ended by then, its status counts too.
 * - The remaining sessions are those of the latest observation. A coverage that is exhausted now has none.
 *
 * Nothing else of a later observation counts, because it is the state at its own observed_at.
 */
const selectSnapshotsInEffect: Select = (db, tenant, { memberId, serviceCode, currency }, scheduledAt) => {
  const after = (other: Fragment) => db`
    o.coverage_id = e.coverage_id and o.member_id = e.member_id and o.service_code = e.service_code
    and o.currency = e.currency and (o.observed_at, o.recording) > (${other})`;
  const latestFirst = db`order by o.observed_at desc, o.recording desc limit 1`;
  return db`
    with effective as (
      select e.*
      from coverages c cross join lateral (
        select coalesce(
          (select o.id from coverage_observations o
           where o.coverage_id = c.id and o.observed_at <= ${scheduledAt} ${latestFirst}),
          (select o.id from coverage_observations o
           where o.coverage_id = c.id and o.observed_at > ${scheduledAt}
           order by o.observed_at, o.recording desc limit 1)) as id
      ) first join coverage_observations e on e.id = first.id
      where c.project_id = ${tenant}
        and c.id in (select coverage_id from coverage_observations where member_id = ${memberId})
        and e.member_id = ${memberId} and e.service_code = ${serviceCode} and e.currency = ${currency}
    ),
    known as (
      select e.id, e.coverage_id, e.amount_limit, e.authorization_required, e.coordination_priority, e.observed_at, e.recording,
             period.valid_from, period.valid_until, latest.id as latest_id, latest.remaining_sessions,
             case when latest.status = 'exhausted' and period.status_then = 'active' then 'exhausted' else period.status_then end as status
      from effective e
      cross join lateral (
        select coalesce(
          (select o.id from coverage_observations o
           where ${after(db`e.observed_at, e.recording`)} and o.valid_from <= ${scheduledAt} ${latestFirst}), e.id) as id
      ) stated
      join coverage_observations s on s.id = stated.id
      cross join lateral (
        select coalesce(
          (select o.id from coverage_observations o
           where ${after(db`s.observed_at, s.recording`)}
             and o.valid_from > ${scheduledAt} and o.valid_from < s.valid_until ${latestFirst}), s.id) as id
      ) corrected
      cross join lateral (
        select o.valid_from, o.valid_until,
               case when o.valid_until <= ${scheduledAt} then o.status else e.status end as status_then
        from coverage_observations o where o.id = corrected.id
      ) period
      cross join lateral (
        select coalesce(
          (select o.id from coverage_observations o where ${after(db`e.observed_at, e.recording`)} ${latestFirst}), e.id) as id
      ) newest
      join coverage_observations latest on latest.id = newest.id
    ),
    relevant as (${relevantIds(db, scheduledAt)})
    select known.id, known.coverage_id, known.amount_limit, known.authorization_required, known.coordination_priority, known.observed_at,
           known.recording, known.valid_from, known.valid_until, known.remaining_sessions, known.status, ${reservedSessionCount(db)} as reserved
    from relevant join known using (id)
    join coverages c on c.id = known.coverage_id join coverage_observations o on o.id = known.latest_id`;
};

/** A session whose cover is checked. */
export interface CheckedSession extends Benefit {
  readonly scheduledAt: Date;
  /** Whether the coverages count as they took effect at `scheduledAt` and as they are known now, and not as the payer stated them last. */
  readonly retrospective: boolean;
}

/** Reads the snapshots on which a decision about a session can rely, at most three. */
export function findSnapshots(db: Db, tenant: Tenant, session: CheckedSession): Query<SnapshotRow[]> {
  const select = session.retrospective ? selectSnapshotsInEffect : selectSnapshots;
  return db<SnapshotRow[]>`${select(db, tenant, session, session.scheduledAt)}`;
}

/** Reads the snapshots of each of many sessions like {@link findSnapshots}, in the order of the sessions. All are retrospective, or none is. */
export function findSnapshotsOfAll(
  db: Db,
  tenant: Tenant,
  sessions: readonly Omit<CheckedSession, 'retrospective'>[],
  retrospective: boolean,
): Query<SnapshotRow[][]> {
  const select = retrospective ? selectSnapshotsInEffect : selectSnapshots;
  const asked = sessions.map((session, index) => ({ ...session, index }));
  const benefit = {
    memberId: db`asked."memberId"`,
    serviceCode: db`asked."serviceCode"`,
    currency: db`asked.currency`,
  };
  const found = db<(SnapshotRow & { index: number })[]>`
    select asked.index, snapshot.*
    from jsonb_to_recordset(${jsonb(asked)}) as asked (index integer, "memberId" text, "serviceCode" text, currency text,
      "scheduledAt" timestamptz)
    cross join lateral (${select(db, tenant, benefit, db`asked."scheduledAt"`)}) snapshot`;
  return found.withResult((rows) => {
    const bySession: SnapshotRow[][] = sessions.map(() => []);
    for (const { index, ...row } of rows) bySession[index]?.push(row);
    return bySession;
  });
}

/**
 * Locks a coverage. Reads how many sessions its snapshot states as remaining, and how many sessions are reserved since that observation.
 */
export async function lockSessions(
  tx: Tx,
  tenant: Tenant,
  coverageId: string,
): Promise<{ readonly stated: number; readonly reserved: number }> {
  // The reservations are counted in a separate SQL statement: a statement that waits for a lock does not see rows that were committed while
  // it waited.
  const [, [row]] = await tx.pipeline([
    tx`select 1 from coverages where id = ${coverageId} and project_id = ${tenant} for update`,
    tx<{ stated: number; reserved: number }[]>`
      select o.remaining_sessions as stated, ${reservedSessionCount(tx)} as reserved
      from coverages c join coverage_observations o on o.id = c.snapshot_observation_id
      where c.id = ${coverageId} and c.project_id = ${tenant}`,
  ]);
  if (row === undefined) throw new Error('a coverage of a check has no observation');
  return row;
}
