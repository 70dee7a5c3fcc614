/** What a claim's workflow does when something may be due: applies it, and reads what the claim awaits now. */

import { interruptedCommandsOf } from '@carecover/commands';
import { databaseNow } from '@carecover/postgres';
import type { ClaimReport } from '@carecover/workflow-claim';
import { claimReport, isLapseDue, mustRelease } from '../resources';
import { findClaimInFull } from '../store/claims-in-full';
import { lapseInformationRequest } from './lapse-information-request';
import { type ReleaseDeps, releaseIfAvailable } from './release-claim';
import type { ClaimOfTenant } from './view-claim';

/**
 * Lets an overdue information request lapse, releases what an ended claim used if benefits is available, and reads the claim with the
 * commands that its workflow must finish.
 */
export async function reviewClaim(deps: ReleaseDeps, which: ClaimOfTenant): Promise<ClaimReport> {
  const { sql } = deps;
  const read = () => findClaimInFull(sql, which.tenant, which.claimId);
  const [found, now, interrupted] = await Promise.all([
    read(),
    databaseNow(sql),
    interruptedCommandsOf(sql, which.tenant, which.claimId),
  ]);
  if (found === null) return claimReport(found, now, interrupted);
  // The release has no request of a client. The claim's ID identifies it in the logs.
  if (mustRelease(found)) await releaseIfAvailable(deps, which, which.claimId);
  if (!isLapseDue(found, now)) return claimReport(found, now, interrupted);
  await lapseInformationRequest(sql, which);
  return claimReport(await read(), now, interrupted);
}
