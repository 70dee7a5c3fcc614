/**
 * Erases a member: replaces the member's reference and the references of the member's coverages by surrogates, in rows and in stored
 * responses. Facts, reservations and decisions stay. A payer's later statement never matches an erased row. See
 * docs/decisions/0014-erasure.md.
 */
import type { CoverageBatchResult, CoverageObservation } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';
import { observationResource } from '../resources';
import {
  eraseBatches,
  eraseCoverageReferences,
  eraseObservations,
  erasePayers,
  eraseReference,
  findMemberByReference,
  findStoredObservations,
  lockCoveragesOfMember,
  moveToNewCoverage,
  replaceStoredResponse,
} from '../store/member-erasure';
import { lockMembersForErasure } from '../store/members';

/**
 * Erases a member, in the transaction in which the operator's CLI also writes the audit entry. Requires the privileges of the database
 * administrator and `benefits` as the search path.
 *
 * @param recordedUntil erases the member only if it was created by this time; a member created later with the same reference is a different
 * member
 * @returns the database's time of the erasure; null if the project has no such member
 */
export async function eraseMember(
  tx: Tx,
  tenant: Tenant,
  memberReference: string,
  recordedUntil?: Date,
): Promise<Date | null> {
  await lockMembersForErasure(tx, tenant);
  const member = await findMemberByReference(tx, tenant, memberReference);
  if (member === null || (recordedUntil !== undefined && member.created_at > recordedUntil)) return null;

  const coverages = await lockCoveragesOfMember(tx, tenant, member.id);
  const ids: string[] = [];
  for (const coverage of coverages) {
    // The coverage now belongs to another member, so this member's observations are moved to a new coverage before the erasure.
    const isShared = coverage.member_id !== member.id;
    ids.push(isShared ? await moveToNewCoverage(tx, tenant, coverage.id, member.id) : coverage.id);
  }
  await eraseCoverageReferences(tx, tenant, ids);
  await erasePayers(tx, tenant);
  await eraseBatches(tx, tenant);
  const observations = await eraseObservations(tx, tenant, ids);
  const erased = new Map(observations.map((row) => [row.id, observationResource(row)]));
  // A stored response contains the ID of the coverage that an observation had before it was moved.
  const oldIds = coverages.map(({ id }) => id);
  for await (const { id, text } of findStoredObservations(tx, tenant, [...erased.keys()], oldIds)) {
    const response = withoutReferences(JSON.parse(text), erased);
    await replaceStoredResponse(tx, tenant, { id, text: JSON.stringify(response) });
  }
  return eraseReference(tx, tenant, member.id);
}

/** Replaces the erased observations of a stored response. */
function withoutReferences(
  body: CoverageObservation | CoverageBatchResult,
  erased: ReadonlyMap<string, CoverageObservation>,
): CoverageObservation | CoverageBatchResult {
  const current = (stored: CoverageObservation) => erased.get(stored.id) ?? stored;
  return body.object === 'coverage_batch_result'
    ? { ...body, observations: body.observations.map(current) }
    : current(body);
}
