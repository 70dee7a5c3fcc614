/**
 * The lapse of an information request. Every transaction on a claim applies it first, so a request has ended at its deadline for every
 * command. The workflow's timer and a sweep record it if no command does.
 */
import { notFound, type Sql } from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { type Lapse, lapseAt } from '../rules/information-request';
import type { From } from '../rules/transitions';
import { type LockedClaim, lockClaim } from '../store/claims';
import { decideOn } from './record-changes';
import { type ClaimOfTenant, viewClaim } from './view-claim';

/** A locked claim at the time after its lock was acquired. */
export interface CurrentClaim {
  readonly claim: LockedClaim;
  /** The lapse to record with the next changes; null if no request lapsed. */
  readonly lapse: Lapse | null;
  /** Status after the lapse. */
  readonly status: From;
  /** ID of the request that is open after the lapse. */
  readonly openRequestId: string | null;
}

/** @throws ApiError resource_not_found if there is no claim */
export function currentClaim(claim: Awaited<ReturnType<typeof lockClaim>>): CurrentClaim {
  if (claim === undefined) throw notFound();
  const { openRequest, state, now } = claim;
  const lapse = lapseAt(now, state.status, openRequest);
  return lapse === null
    ? { claim, lapse, status: state.status, openRequestId: openRequest?.id ?? null }
    : { claim, lapse, status: 'submitted', openRequestId: null };
}

/** Ends the claim's information request if its deadline has passed. @throws ApiError resource_not_found */
export async function lapseInformationRequest(sql: Sql, which: ClaimOfTenant): Promise<ClaimView> {
  await sql.begin(async (tx) => {
    const current = currentClaim(await lockClaim(tx, which.tenant, which.claimId));
    if (current.lapse !== null) await decideOn(current, []).write(tx);
  });
  return viewClaim(sql, which);
}
