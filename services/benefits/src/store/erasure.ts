/**
 * The erasure of a member: the member's reference and every reference of the member's coverages are replaced by surrogates, in the rows
 * and in the stored answers. Facts, balances and decisions stay. Nothing that is recorded later can join what was erased, since
 * nothing that a payer can send leads there. See docs/decisions/0014-erasure.md.
 */
import { type Db, newId, type Tenant, type Tx } from '@carecover/platform';
import { type ObservationRow, observationResource } from './observations';

/** Any text; it keeps this lock apart from others on the same project. */
const LOCK = 'benefits.members:';

/**
 * Keeps erasures of the project's members out until the transaction ends, and reads the clock. The first statement of every
 * transaction that looks up a member by reference: what it records then belongs to the member entirely before or entirely after an erasure.
 */
export async function lockMembers(tx: Tx, tenant: Tenant): Promise<Date> {
  const [row] = await tx<{ now: Date }[]>`
    select pg_advisory_xact_lock_shared(hashtextextended(${LOCK + tenant}, 0))::text as locked, platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}

/**
 * Erases a member. Needs the rights of the database's administrator, with `benefits` as the search path: the service itself can't change
 * what was observed.
 *
 * @param recordedUntil erases only a member that was first seen by then: one seen later is another
 * @returns when it was erased, by the clock of the rules; null where the project has no such member
 */
export async function eraseMember(
  tx: Tx,
  tenant: Tenant,
  memberReference: string,
  recordedUntil?: Date,
): Promise<Date | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${LOCK + tenant}, 0))`;
  const [member] = await tx<{ id: string; created_at: Date }[]>`
    select id, created_at from members where project_id = ${tenant} and reference = ${memberReference}`;
  if (member === undefined || (recordedUntil !== undefined && member.created_at > recordedUntil)) return null;

  const coverages = await lockCoveragesOf(tx, member.id);
  const oldIds = coverages.map(({ id }) => id);
  const ids: string[] = [];
  for (const coverage of coverages) {
    ids.push(coverage.member_id === member.id ? coverage.id : await separate(tx, coverage.id, member.id));
  }
  await tx`
    update coverages set source_contract_reference = 'erased/' || id, external_coverage_reference = 'erased/' || id
    where id = any(${ids})`;
  const observations = await eraseObservations(tx, ids);
  await rewriteAnswers(tx, tenant, oldIds, observations);
  const [erased] = await tx<{ erased_at: Date }[]>`
    update members set reference = null, erased_at = platform.now() where id = ${member.id} returning erased_at`;
  return erased?.erased_at ?? null;
}

/** Every coverage that states or stated something of the member, locked after the pre-authorizations that hold its sessions. */
async function lockCoveragesOf(tx: Tx, memberId: string): Promise<{ id: string; member_id: string }[]> {
  const ofMember = tx`(select coverage_id from coverage_observations where member_id = ${memberId})`;
  await tx`select 1 from preauthorizations where coverage_id in ${ofMember} order by id for update`;
  return [
    ...(await tx<{ id: string; member_id: string }[]>`
      select id, member_id from coverages where id in ${ofMember}
      order by source_contract_reference, external_coverage_reference for update`),
  ];
}

/**
 * Gives what was observed of the member on a coverage that has since become another person's a coverage of its own, with what was
 * decided on it. Otherwise later observations of the other person would join it.
 */
async function separate(tx: Tx, coverageId: string, memberId: string): Promise<string> {
  const id = newId('cov_');
  await tx`
    insert into coverages (id, project_id, source_contract_reference, external_coverage_reference, snapshot_version,
      snapshot_observation_id, observed_at, member_id, service_code, currency)
    select ${id}, project_id, ${id}, ${id}, snapshot_version, id, observed_at, member_id, service_code, currency
    from coverage_observations where coverage_id = ${coverageId} and member_id = ${memberId}
    order by observed_at desc, recording desc limit 1`;
  const checks = tx`(select id from eligibility_checks where coverage_id = ${id})`;
  await tx`update coverage_observations set coverage_id = ${id} where coverage_id = ${coverageId} and member_id = ${memberId}`;
  await tx`update eligibility_checks set coverage_id = ${id} where coverage_id = ${coverageId} and member_id = ${memberId}`;
  await tx`update preauthorizations set coverage_id = ${id} where eligibility_check_id in ${checks}`;
  await tx`
    update reservations set coverage_id = ${id}
    where preauthorization_id in (select id from preauthorizations where coverage_id = ${id})`;
  return id;
}

/** Replaces what may name a person in the observations of these coverages. The hash would let a guess be tested. */
async function eraseObservations(
  tx: Tx,
  coverageIds: readonly string[],
): Promise<Map<string, ObservationRow>> {
  const rows = await tx<ObservationRow[]>`
    with erased as (
      update coverage_observations set source_version = 'erased/' || id, content_hash = '', evidence_references = '{}'
      where coverage_id = any(${[...coverageIds]}) returning *
    )
    select e.*, c.source_contract_reference, c.external_coverage_reference
    from erased e join coverages c on c.id = e.coverage_id`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Rewrites the answers that are given again to repeated requests. @param oldIds the coverages' ids in those answers */
async function rewriteAnswers(
  tx: Tx,
  tenant: Tenant,
  oldIds: readonly string[],
  observations: ReadonlyMap<string, ObservationRow>,
): Promise<void> {
  const answers = await tx<{ id: string; answer_body: string }[]>`
    select id, answer_body from commands
    where project_id = ${tenant} and answer_body is not null and (
      (operation = 'createCoverage' and resource_id = any(${[...observations.keys()]}))
      or (operation = 'createCoverageBatch' and answer_body like any(${oldIds.map((id) => `%"${id}"%`)})))`;
  const current = (shown: { readonly id: string }) => {
    const row = observations.get(shown.id);
    return row === undefined ? shown : observationResource(row);
  };
  for (const { id, answer_body } of answers) {
    const body = JSON.parse(answer_body);
    const rewritten =
      body.object === 'coverage_batch_result'
        ? { ...body, observations: body.observations.map(current) }
        : current(body);
    await tx`update commands set answer_body = ${JSON.stringify(rewritten)} where id = ${id}`;
  }
}

/** The references of a project's members, a page in their order, of those after `after`. */
export async function memberReferences(db: Db, tenant: Tenant, after: string): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from members where project_id = ${tenant} and reference > ${after}
    order by reference limit 1000`;
  return rows.map(({ reference }) => reference);
}
