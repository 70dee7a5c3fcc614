/**
 * Records remittances, recoveries, withdrawals of both, and settlements that the payments service has accepted, on their claims. Each call is one database
 * transaction. No status of a claim prevents the recording.
 */

import type { Tenant } from '@carecover/domain';
import type { Query, Sql, Tx } from '@carecover/postgres';
import type { ClaimsForPayments, RecoveredRemittance, WithdrawnAdvice } from '@carecover/workflow-remittance';
import {
  claimsOfWithdrawal,
  claimsTakenBack,
  notYet,
  recoveryChange,
  remittanceChange,
  settlementChanges,
  withdrawalChanges,
} from '../rules/remittance';
import { findKnownClaims, type LockedClaim, lockClaims } from '../store/claims';
import { claimsWithCause, firstWithout } from '../store/facts';
import { summedFactsOf } from '../store/portfolio';
import { decideOnAll } from './record-changes';

type Tenanted<Call> = Call & { readonly tenant: Tenant };

type Input<Step extends keyof ClaimsForPayments> = Tenanted<Parameters<ClaimsForPayments[Step]>[0]>;

/** Returns those of the given IDs that are claims of the tenant. Payments calls this before it creates a remittance. */
export function knownClaims(sql: Sql, { tenant, claimIds }: Input<'knownClaims'>): Promise<string[]> {
  return findKnownClaims(sql, tenant, claimIds);
}

/**
 * Locks the given claims and returns those that have no fact with the given cause. The result is empty if the call is repeated.
 *
 * @throws Error if a claim is unknown
 */
function lockUnrecorded(
  tx: Tx,
  tenant: Tenant,
  claimIds: readonly string[],
  cause: string,
): Query<LockedClaim[]> {
  const locked = tx.pipeline([
    lockClaims(tx, tenant, claimIds),
    claimsWithCause(tx, tenant, claimIds, cause),
  ]);
  return locked.withResult(([claims, done]) => {
    const known = new Set(claims.map(({ row }) => row.id));
    const unknown = claimIds.find((id) => !known.has(id));
    if (unknown !== undefined) throw new Error(`payments named a claim that does not exist here: ${unknown}`);
    return claims.filter(({ row }) => !done.has(row.id));
  });
}

/** What is recorded on a claim, with the cause of the change that precedes it in the ledger. */
interface Ordered {
  readonly claimId: string;
  readonly after: string | null;
}

/**
 * Checks that the change that precedes the given one in the ledger of each claim is recorded on the claim.
 *
 * @throws ApiError service_unavailable if it is not recorded yet
 */
function requireOrder(tx: Tx, tenant: Tenant, parts: readonly Ordered[]): Query<void> | null {
  const causes = parts.flatMap(({ claimId, after }) => (after === null ? [] : [{ claimId, cause: after }]));
  if (causes.length === 0) return null;
  return firstWithout(tx, tenant, causes).withResult((missing) => {
    if (missing !== undefined)
      throw notYet(`${missing.cause} comes before and is not recorded on ${missing.claimId} yet`);
  });
}

/**
 * Records a remittance on its claims.
 *
 * @throws ApiError service_unavailable if an adjudication that the remittance pays is not committed yet, or if the change of what is remitted that
 *   precedes it in the ledger is not recorded yet
 */
export async function recordRemittance(sql: Sql, remittance: Input<'recordRemittance'>): Promise<void> {
  const { tenant, remittanceId, allocations } = remittance;
  const claimIds = allocations.map(({ claimId }) => claimId);
  await sql.begin(async (tx) => {
    const [claims] = await tx.pipeline([
      lockUnrecorded(tx, tenant, claimIds, remittanceId),
      requireOrder(tx, tenant, allocations),
    ]);
    const [first, ...others] = claims.map((claim) => ({
      claim,
      changes: [remittanceChange(remittance, claim.row.id, claim.state)],
    }));
    if (first !== undefined) await decideOnAll([first, ...others]).write(tx, []);
  });
}

/**
 * Records a recovery on its claim.
 *
 * @throws ApiError service_unavailable if the change of what is remitted that precedes it in the ledger is not recorded yet
 */
export async function recordRecovery(sql: Sql, recovery: Tenanted<RecoveredRemittance>): Promise<void> {
  const { tenant, claimId, recoveryId } = recovery;
  await sql.begin(async (tx) => {
    const [[claim]] = await tx.pipeline([
      lockUnrecorded(tx, tenant, [claimId], recoveryId),
      requireOrder(tx, tenant, [recovery]),
    ]);
    if (claim === undefined) return;
    const facts = await summedFactsOf(tx, tenant, [claimId]);
    const change = recoveryChange(recovery, facts.get(claimId) ?? []);
    await decideOnAll([{ claim, changes: [change] }]).write(tx, []);
  });
}

/**
 * Records the withdrawal of an advice on its claims.
 *
 * @throws ApiError service_unavailable if the change of what is remitted that precedes it in the ledger is not recorded yet
 */
export async function recordWithdrawal(sql: Sql, withdrawal: Tenanted<WithdrawnAdvice>): Promise<void> {
  const { tenant, causeId, allocations, recoveries } = withdrawal;
  await sql.begin(async (tx) => {
    const [claims] = await tx.pipeline([
      lockUnrecorded(tx, tenant, claimsOfWithdrawal(withdrawal), causeId),
      requireOrder(tx, tenant, [...allocations, ...recoveries]),
    ]);
    const [first, ...others] = claims.map((claim) => ({
      claim,
      changes: withdrawalChanges(withdrawal, claim.row.id, claim.state),
    }));
    if (first !== undefined) await decideOnAll([first, ...others]).write(tx, []);
  });
}

/**
 * Records on its claims a settlement or its reversal, and the reconciliation of the settled remittance.
 *
 * @returns whether signals to the workflows of claims are enqueued
 * @throws ApiError service_unavailable if the settlement that precedes the given one in the ledger, or one that it lowers, is not recorded
 *   yet
 */
export function recordSettlement(sql: Sql, settlement: Input<'recordSettlement'>): Promise<boolean> {
  const { tenant, causeId, amounts, reconciled } = settlement;
  const claimIds = new Set([...amounts.map(({ claimId }) => claimId), ...(reconciled?.claimIds ?? [])]);
  return sql.begin(async (tx) => {
    const [claims] = await tx.pipeline([
      lockUnrecorded(tx, tenant, [...claimIds], causeId),
      requireOrder(tx, tenant, amounts),
    ]);
    const takenBack = claimsTakenBack(settlement);
    const facts = takenBack.length === 0 ? null : await summedFactsOf(tx, tenant, takenBack);
    const [first, ...others] = claims.map((claim) => ({
      claim,
      changes: settlementChanges(settlement, claim.row.id, claim.state, facts?.get(claim.row.id) ?? []),
    }));
    if (first === undefined) return false;
    const { hasSignals, write } = decideOnAll([first, ...others]);
    await write(tx, []);
    return hasSignals;
  });
}
