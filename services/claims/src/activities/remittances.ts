/**
 * Records remittances and settlements, which payments decided, on the claims: all claims of a call in one transaction, in any status,
 * without rejection. A record that arrives early fails and is retried: one for an adjudication that the claim's workflow has not committed
 * yet, and a settlement whose predecessor in the ledger's order is not recorded yet.
 */
import {
  ApiError,
  allInOrder,
  enqueueReviews,
  type Sql,
  type StepHandlers,
  storedTenant,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type { ClaimsForRemittances, SettledAmount } from '@carecover/workflow-remittance';
import { type Change, settlementMove } from '../rules/recording';
import { type LockedClaim, lockClaims } from '../store/claims';
import { claimsWithCause, firstWithout } from '../store/facts';
import { recordOnAll } from '../store/recorder';

const AUTHORITY = 'service:payments';

/** Locks the claims that have no fact with this cause yet; for a repetition these are none. @throws Error if a claim is unknown */
async function lockUnrecorded(
  tx: Tx,
  tenant: Tenant,
  claimIds: readonly string[],
  cause: string,
): Promise<LockedClaim[]> {
  const [claims, done] = await allInOrder([
    lockClaims(tx, tenant, claimIds),
    claimsWithCause(tx, claimIds, cause),
  ]);
  const known = new Set(claims.map(({ row }) => row.id));
  const unknown = claimIds.find((id) => !known.has(id));
  if (unknown !== undefined) throw new Error(`payments told of a claim that is not here: ${unknown}`);
  return claims.filter(({ row }) => !done.has(row.id));
}

/** The error for a record that arrived early. The caller retries, and its history contains the message. */
function notYet(what: string): ApiError {
  return new ApiError('service_unavailable', what, 1);
}

/** @throws ApiError service_unavailable if an earlier settlement in the ledger's order is not recorded here */
async function requireOrder(tx: Tx, amounts: readonly SettledAmount[]): Promise<void> {
  const missing = await firstWithout(
    tx,
    amounts.flatMap(({ claimId, after }) => (after == null ? [] : [{ claimId, cause: after }])),
  );
  if (missing !== undefined)
    throw notYet(`${missing.cause} comes before and is not recorded on ${missing.claimId} yet`);
}

/** @param notifyReviews is called after a commit that changed the status of claims, so that their workflows are signalled */
export function claimsForRemittances(
  sql: Sql,
  notifyReviews: () => void,
): StepHandlers<ClaimsForRemittances> {
  return {
    async knownClaims({ tenant, claimIds }) {
      const rows = await sql<{ id: string }[]>`
        select id from claims where project_id = ${tenant} and id = any(${[...claimIds]})`;
      return rows.map((row) => row.id);
    },

    async recordRemittance({ tenant: project, remittanceId, receivedAt, allocations }) {
      const tenant = storedTenant(project);
      const ids = allocations.map((allocation) => allocation.claimId);
      const allocationOf = new Map(allocations.map((allocation) => [allocation.claimId, allocation]));
      await sql.begin(async (tx) => {
        const claims = await lockUnrecorded(tx, tenant, ids, remittanceId);
        const entries = claims.map((claim) => {
          const allocation = allocationOf.get(claim.row.id);
          if (allocation === undefined) throw new Error('a claim was locked that was not asked for');
          if (allocation.adjudicationVersion > claim.state.adjudicationVersion) {
            throw notYet(`adjudication ${allocation.adjudicationVersion} is not committed yet`);
          }
          const change: Change = {
            move: 'record_remittance',
            cause: remittanceId,
            authority: AUTHORITY,
            effectiveAt: Date.parse(receivedAt),
            reasonCode: allocation.reasonCode,
            evidenceReferences: [remittanceId],
            detail: { amount: allocation.amount },
          };
          return { claim, changes: [change] };
        });
        if (entries.length > 0) await recordOnAll(tx, entries).written;
      });
    },

    async recordSettlement({
      tenant: project,
      remittanceId,
      causeId,
      settlementId,
      observedAt,
      amounts,
      reconciled,
    }) {
      const tenant = storedTenant(project);
      const partOf = new Map(amounts.map((part) => [part.claimId, part]));
      const ids = [...new Set([...partOf.keys(), ...(reconciled?.claimIds ?? [])])];
      // The reversal of a settlement takes effect when it is recorded.
      const takesBack = causeId !== settlementId;

      const changesOn = ({ row, state }: LockedClaim): Change[] => {
        const amount = partOf.get(row.id)?.amount;
        const settled: Change[] =
          amount === undefined
            ? []
            : [
                {
                  move: settlementMove(state, amount),
                  cause: causeId,
                  authority: AUTHORITY,
                  ...(takesBack ? {} : { effectiveAt: Date.parse(observedAt) }),
                  evidenceReferences: [settlementId],
                  detail: { amount },
                },
              ];
        if (reconciled === null || !reconciled.claimIds.includes(row.id)) return settled;
        return [
          ...settled,
          {
            move: 'reconcile',
            cause: causeId,
            authority: AUTHORITY,
            effectiveAt: Date.parse(reconciled.at),
            evidenceReferences: [remittanceId],
          },
        ];
      };

      const hasChanged = await sql.begin(async (tx) => {
        const [claims] = await allInOrder([
          lockUnrecorded(tx, tenant, ids, causeId),
          requireOrder(tx, amounts),
        ]);
        if (claims.length === 0) return false;
        const { changed, written } = recordOnAll(
          tx,
          claims.map((claim) => ({ claim, changes: changesOn(claim) })),
        );
        await allInOrder([written, enqueueReviews(tx, changed)]);
        return changed.length > 0;
      });
      if (hasChanged) notifyReviews();
    },
  };
}
