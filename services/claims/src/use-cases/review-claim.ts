/** What a claim's workflow does when something may be due: applies it, and reads what the claim awaits now. */
import { databaseNow, interruptedCommandsOf, type Sql } from '@carecover/platform';
import type { BenefitsForClaims, ClaimReport } from '@carecover/workflow-claim';
import { claimReport, mustRelease } from '../resources';
import { type ClaimInFull, findClaimInFull } from '../store/claims-in-full';
import { lapseInformationRequest } from './lapse-information-request';
import { releaseClaim } from './release-claim';
import type { ClaimOfTenant } from './view-claim';

interface ReviewDeps {
  readonly sql: Sql;
  readonly benefits: BenefitsForClaims;
}

/**
 * Lets an overdue information request lapse, releases what an ended claim used, and reads the claim with the commands that its workflow must
 * finish.
 *
 * @throws ApiError service_unavailable if benefits can't release what an ended claim used
 */
export async function reviewClaim(deps: ReviewDeps, which: ClaimOfTenant): Promise<ClaimReport> {
  const { sql } = deps;
  const read = () => findClaimInFull(sql, which.tenant, which.claimId);
  const [found, now, interrupted] = await Promise.all([
    read(),
    databaseNow(sql),
    interruptedCommandsOf(sql, which.tenant, which.claimId),
  ]);
  const isDue = found !== null && (await applyDue(deps, which, found, now));
  return claimReport(isDue ? await read() : found, now, interrupted);
}

/** Applies what is due on a claim. Returns whether there was anything. */
async function applyDue(
  deps: ReviewDeps,
  which: ClaimOfTenant,
  row: ClaimInFull,
  now: Date,
): Promise<boolean> {
  if (mustRelease(row)) {
    // The release has no request of a client. The claim's ID identifies it in the logs.
    await releaseClaim(deps, which, which.claimId);
    return true;
  }
  const { dueAt } = claimReport(row, now, []);
  if (row.status !== 'queried' || dueAt === null || Date.parse(dueAt) > now.getTime()) return false;
  await lapseInformationRequest(deps.sql, which);
  return true;
}
