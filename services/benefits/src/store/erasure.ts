/**
 * The erasure of a member: replaces the member's reference and the references of the member's coverages by surrogates, in rows and in
 * stored responses. Facts, balances and decisions stay. No later statement of a payer can match an erased row. See docs/decisions/0014-erasure.md.
 */
import { type Db, newId, type Tenant, type Tx } from '@carecover/platform';
import { type ObservationRow, observationResource } from './observations';

/** Prefix of the advisory lock's key, which distinguishes it from other locks of the project. */
const MEMBERS_LOCK = 'benefits.members:';

/**
 * Blocks erasures of the project's members until the transaction ends, and returns the time. The first statement of every transaction that
 * finds a member by reference, so that it runs completely before or completely after an erasure.
 */
export async function lockMembers(tx: Tx, tenant: Tenant): Promise<Date> {
  const [row] = await tx<{ now: Date }[]>`
    select pg_advisory_xact_lock_shared(hashtextextended(${MEMBERS_LOCK + tenant}, 0))::text as locked, platform.now() as now`;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}

/**
 * Erases a member. Requires the privileges of the database administrator and `benefits` as the search path, because the service can't
 * change observations.
 *
 * @param recordedUntil erases the member only if it was created by this time; a later one is a different member
 * @returns the database's time of the erasure; null if the project has no such member
 */
export async function eraseMember(
  tx: Tx,
  tenant: Tenant,
  memberReference: string,
  recordedUntil?: Date,
): Promise<Date | null> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${MEMBERS_LOCK + tenant}, 0))`;
  const [member] = await tx<{ id: string; created_at: Date }[]>`
    select id, created_at from members where project_id = ${tenant} and reference = ${memberReference}`;
  if (member === undefined || (recordedUntil !== undefined && member.created_at > recordedUntil)) return null;

  const coverages = await lockCoveragesOfMember(tx, tenant, member.id);
  const oldIds = coverages.map(({ id }) => id);
  const ids: string[] = [];
  for (const coverage of coverages) {
    ids.push(
      coverage.member_id === member.id
        ? coverage.id
        : await moveToNewCoverage(tx, tenant, coverage.id, member.id),
    );
  }
  await tx`
    update coverages set source_contract_reference = 'erased/' || id, external_coverage_reference = 'erased/' || id
    where id = any(${ids}) and project_id = ${tenant}`;
  const observations = await eraseObservations(tx, tenant, ids);
  await rewriteResponses(tx, tenant, oldIds, observations);
  const [erased] = await tx<{ erased_at: Date }[]>`
    update members set reference = null, erased_at = platform.now() where id = ${member.id} and project_id = ${tenant} returning erased_at`;
  return erased?.erased_at ?? null;
}

/** Locks the coverages with an observation of the member, after the pre-authorizations of these coverages. */
async function lockCoveragesOfMember(
  tx: Tx,
  tenant: Tenant,
  memberId: string,
): Promise<{ id: string; member_id: string }[]> {
  const ofMember = tx`(select coverage_id from coverage_observations where member_id = ${memberId} and project_id = ${tenant})`;
  await tx`select 1 from preauthorizations where coverage_id in ${ofMember} order by id for update`;
  return [
    ...(await tx<{ id: string; member_id: string }[]>`
      select id, member_id from coverages where id in ${ofMember}
      order by source_contract_reference, external_coverage_reference for update`),
  ];
}

/**
 * Moves the member's observations and decisions from a coverage that has since become another member's to a new coverage. Otherwise they
 * would share a coverage with later observations of the other member.
 */
async function moveToNewCoverage(
  tx: Tx,
  tenant: Tenant,
  coverageId: string,
  memberId: string,
): Promise<string> {
  const id = newId('cov_');
  await tx`
    insert into coverages (id, project_id, source_contract_reference, external_coverage_reference, snapshot_version,
      snapshot_observation_id, observed_at, member_id, service_code, currency)
    select ${id}, project_id, ${id}, ${id}, snapshot_version, id, observed_at, member_id, service_code, currency
    from coverage_observations where coverage_id = ${coverageId} and member_id = ${memberId} and project_id = ${tenant}
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

/** Erases the fields that can identify a person from the observations of these coverages. The hash could confirm a guess. */
async function eraseObservations(
  tx: Tx,
  tenant: Tenant,
  coverageIds: readonly string[],
): Promise<Map<string, ObservationRow>> {
  const rows = await tx<ObservationRow[]>`
    with erased as (
      update coverage_observations set source_version = 'erased/' || id, content_hash = '', evidence_references = '{}'
      where coverage_id = any(${[...coverageIds]}) and project_id = ${tenant} returning *
    )
    select e.*, c.source_contract_reference, c.external_coverage_reference
    from erased e join coverages c on c.id = e.coverage_id`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Rewrites the stored responses of repeated requests. @param oldIds IDs of the coverages in those responses */
async function rewriteResponses(
  tx: Tx,
  tenant: Tenant,
  oldIds: readonly string[],
  observations: ReadonlyMap<string, ObservationRow>,
): Promise<void> {
  const responses = await tx<{ id: string; answer_body: string }[]>`
    select id, answer_body from commands
    where project_id = ${tenant} and answer_body is not null and (
      (operation = 'createCoverage' and resource_id = any(${[...observations.keys()]}))
      or (operation = 'createCoverageBatch' and answer_body like any(${oldIds.map((id) => `%"${id}"%`)})))`;
  const current = (stored: { readonly id: string }) => {
    const row = observations.get(stored.id);
    return row === undefined ? stored : observationResource(row);
  };
  for (const { id, answer_body } of responses) {
    const body = JSON.parse(answer_body);
    const rewritten =
      body.object === 'coverage_batch_result'
        ? { ...body, observations: body.observations.map(current) }
        : current(body);
    await tx`update commands set answer_body = ${JSON.stringify(rewritten)} where id = ${id} and project_id = ${tenant}`;
  }
}

/** Reads one page of the references of a project's members, in their order, after `after`. */
export async function memberReferences(db: Db, tenant: Tenant, after: string): Promise<string[]> {
  const rows = await db<{ reference: string }[]>`
    select reference from members where project_id = ${tenant} and reference > ${after}
    order by reference limit 1000`;
  return rows.map(({ reference }) => reference);
}
