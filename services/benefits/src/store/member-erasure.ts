/** SQL of the erasure of a member, executed as the database administrator, because the service has no privilege to change observations. */

import { decodeResponse, encodeResponse } from '@carecover/commands';
import { newId, type Tenant } from '@carecover/domain';
import type { Db, Tx } from '@carecover/postgres';
import type { ObservationRow } from './observations';

/** Reads the project's member with this reference; null if there is none. */
export async function findMemberByReference(
  db: Db,
  tenant: Tenant,
  reference: string,
): Promise<{ readonly id: string; readonly created_at: Date } | null> {
  const [row] = await db<{ id: string; created_at: Date }[]>`
    select id, created_at from members where project_id = ${tenant} and reference = ${reference}`;
  return row ?? null;
}

/**
 * Locks the pre-authorizations of the coverages that have an observation of the member, and then the coverages. Every transaction locks in
 * this order, which prevents deadlocks.
 */
export async function lockCoveragesOfMember(
  tx: Tx,
  tenant: Tenant,
  memberId: string,
): Promise<{ readonly id: string; readonly member_id: string }[]> {
  const ofMember = tx`(select coverage_id from coverage_observations where member_id = ${memberId} and project_id = ${tenant})`;
  await tx`
    select 1 from preauthorizations where coverage_id in ${ofMember} and project_id = ${tenant} order by id for update`;
  return [
    ...(await tx<{ id: string; member_id: string }[]>`
      select id, member_id from coverages where id in ${ofMember} and project_id = ${tenant}
      order by source_contract_reference, external_coverage_reference for update`),
  ];
}

/**
 * Moves a member's observations, with the eligibility checks, pre-authorizations and reservations that rely on them, from a coverage that
 * now belongs to another member to a new coverage.
 *
 * @returns the ID of the new coverage
 */
export async function moveToNewCoverage(
  tx: Tx,
  tenant: Tenant,
  coverageId: string,
  memberId: string,
): Promise<string> {
  const id = newId('cov_');
  const ofMember = tx`coverage_id = ${coverageId} and member_id = ${memberId} and project_id = ${tenant}`;
  await tx`
    insert into coverages (id, project_id, source_contract_reference, external_coverage_reference, snapshot_version,
      snapshot_observation_id, observed_at, member_id, service_code, currency)
    select ${id}, project_id, ${id}, ${id}, snapshot_version, id, observed_at, member_id, service_code, currency
    from coverage_observations where ${ofMember}
    order by observed_at desc, recording desc limit 1`;
  await tx`update coverage_observations set coverage_id = ${id} where ${ofMember}`;
  await tx`update eligibility_checks set coverage_id = ${id} where ${ofMember}`;
  await tx`
    update preauthorizations set coverage_id = ${id}
    where project_id = ${tenant} and eligibility_check_id in (
      select id from eligibility_checks where coverage_id = ${id} and project_id = ${tenant})`;
  await tx`
    update reservations set coverage_id = ${id}
    where project_id = ${tenant} and preauthorization_id in (
      select id from preauthorizations where coverage_id = ${id} and project_id = ${tenant})`;
  return id;
}

/** Replaces the references of the given coverages by surrogates. */
export async function eraseCoverageReferences(
  tx: Tx,
  tenant: Tenant,
  coverageIds: readonly string[],
): Promise<void> {
  await tx`
    update coverages set source_contract_reference = 'erased/' || id, external_coverage_reference = 'erased/' || id
    where id = any(${[...coverageIds]}) and project_id = ${tenant}`;
}

/** Replaces by surrogates the references of those payers whose contract reference no coverage of the project has any more. */
export async function erasePayers(tx: Tx, tenant: Tenant): Promise<void> {
  await tx`
    update payer_contracts set reference = 'erased/' || id
    where project_id = ${tenant} and not exists (
      select 1 from coverages c where c.project_id = ${tenant} and c.source_contract_reference = payer_contracts.reference)`;
}

/** Replaces by surrogates the contract references of those batches whose contract no coverage of the project has any more. */
export async function eraseBatches(tx: Tx, tenant: Tenant): Promise<void> {
  await tx`
    update coverage_batches set source_contract_reference = 'erased/' || id
    where project_id = ${tenant} and not exists (
      select 1 from coverages c
      where c.project_id = ${tenant} and c.source_contract_reference = coverage_batches.source_contract_reference)`;
}

/**
 * Erases the fields that can identify a person from the observations of the given coverages. The content hash is such a field, because it
 * could confirm a guessed reference.
 */
export async function eraseObservations(
  tx: Tx,
  tenant: Tenant,
  coverageIds: readonly string[],
): Promise<ObservationRow[]> {
  const rows = await tx<ObservationRow[]>`
    with erased as (
      update coverage_observations set source_version = 'erased/' || id, content_hash = '', evidence_references = '{}'
      where coverage_id = any(${[...coverageIds]}) and project_id = ${tenant} returning *
    )
    select e.*, c.source_contract_reference, c.external_coverage_reference
    from erased e join coverages c on c.id = e.coverage_id`;
  return [...rows];
}

/** The stored response of a write, which a repeated request gets. */
export interface StoredResponse {
  readonly id: string;
  /** The response body as JSON text. */
  readonly text: string;
}

/** Maximum number of stored batch results that are read at a time, because each can have 500 observations. */
const PAGE = 50;

/** Reads the stored responses that contain one of the given observations, and the batch results that contain one of the given coverages. */
export async function* findStoredObservations(
  db: Db,
  tenant: Tenant,
  observationIds: readonly string[],
  coverageIds: readonly string[],
): AsyncGenerator<StoredResponse> {
  const single = await db<{ id: string; response: Buffer }[]>`
    select id, response from commands
    where project_id = ${tenant} and operation = 'createCoverage' and resource_id = any(${[...observationIds]})
      and response is not null`;
  for (const { id, response } of single) yield { id, text: decodeResponse(response) };
  for (let after = ''; ; ) {
    const page = await db<{ id: string; response: Buffer }[]>`
      select id, response from commands
      where project_id = ${tenant} and operation = 'createCoverageBatch' and response is not null and id > ${after}
      order by id limit ${PAGE}`;
    for (const { id, response } of page) {
      const text = decodeResponse(response);
      if (coverageIds.some((coverageId) => text.includes(`"${coverageId}"`))) yield { id, text };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? '';
  }
}

/** Replaces the body of a stored response. */
export async function replaceStoredResponse(
  tx: Tx,
  tenant: Tenant,
  { id, text }: StoredResponse,
): Promise<void> {
  await tx`update commands set response = ${encodeResponse(text)} where id = ${id} and project_id = ${tenant}`;
}

/** Sets the member's reference to null. @returns the database's time of the erasure; null if there is no such member */
export async function eraseReference(tx: Tx, tenant: Tenant, memberId: string): Promise<Date | null> {
  const [row] = await tx<{ erased_at: Date }[]>`
    update members set reference = null, erased_at = platform.now() where id = ${memberId} and project_id = ${tenant} returning erased_at`;
  return row?.erased_at ?? null;
}
