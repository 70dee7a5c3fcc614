/**
 * The lapse of an information request. Every command on a claim first applies a lapse that is due, so that a late timer has no effect. The
 * workflow's timer and a sweep record the lapse if no command does.
 */
import { notFound } from '@carecover/domain';
import type { Sql, Tx } from '@carecover/postgres';
import { type Lapse, lapseAt } from '../rules/information-request';
import type { From } from '../rules/transitions';
import { type ClaimOfTenant, type LockedClaim, lockClaim } from '../store/claims';
import { decideOn } from './record-changes';

/** A locked claim, and the lapse of its information request if the deadline has passed. */
export interface CurrentClaim {
  readonly claim: LockedClaim;
  /** The lapse to record with the next changes; null if no information request has lapsed. */
  readonly lapse: Lapse | null;
  /** The claim's status, after the lapse if there is one. */
  readonly status: From;
  /** ID of the open information request; null if no information request is open, or if it has lapsed. */
  readonly openRequestId: string | null;
  /** The number of the claim's information requests, ended ones included. */
  readonly requestCount: number;
}

/** Computes the lapse of a locked claim. @throws ApiError resource_not_found if the claim is undefined */
export function currentClaim(claim: Awaited<ReturnType<typeof lockClaim>>): CurrentClaim {
  if (claim === undefined) throw notFound();
  const { openRequest, requestCount, state, now } = claim;
  const lapse = lapseAt(now, state.status, openRequest);
  return lapse === null
    ? { claim, lapse, status: state.status, openRequestId: openRequest?.id ?? null, requestCount }
    : { claim, lapse, status: 'submitted', openRequestId: null, requestCount };
}

/** Ends a claim's information request if its deadline has passed. @throws ApiError resource_not_found */
export async function lapseInformationRequestIn(tx: Tx, { tenant, claimId }: ClaimOfTenant): Promise<void> {
  const current = currentClaim(await lockClaim(tx, tenant, claimId));
  if (current.lapse !== null) await decideOn(current, []).write(tx, []);
}

/** Does {@link lapseInformationRequestIn} in its own transaction. */
export async function lapseInformationRequest(sql: Sql, claim: ClaimOfTenant): Promise<void> {
  await sql.begin((tx) => lapseInformationRequestIn(tx, claim));
}
