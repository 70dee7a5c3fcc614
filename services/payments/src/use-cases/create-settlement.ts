/**
 * Creates a settlement: one database transaction records and matches it, and updates its remittance. Then claims records what it settles.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a settlement that is committed is recorded in claims later.
 */

import { type JsonResponse, keepRejection, type Written, writeOnce } from '@carecover/commands';
import { parseInstant, type SettlementInput } from '@carecover/contract';
import {
  ApiError,
  type Caller,
  newId,
  notFound,
  requireVisible,
  requireVisibleReference,
} from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import { settlementResource } from '../resources';
import { checkSettlementAllocations } from '../rules/allocation';
import { type LockedRemittance, nextPosition, outstandingOf, reconcile } from '../rules/reconciliation';
import { recordPart } from '../store/bank-entries';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { isReferenceInUse, isReferenceUsed } from '../store/settlements';
import { deliverBeforeResponse, pendingAfter, type RemittanceDeps } from './deliver-notifications';

/**
 * Creates a settlement.
 *
 * @throws ApiError resource_not_found, duplicate_settlement_reference, allocation_duplicate, future_timestamp, over_allocation;
 *   invalid_state if the remittance has the maximum number of settlements; idempotency_conflict, service_unavailable
 */
export async function createSettlement(
  deps: RemittanceDeps,
  call: Call<'createSettlement'>,
): Promise<JsonResponse> {
  const { reply, pending } = await recordSettlement(deps.sql, call);
  return deliverBeforeResponse(deps, call.caller, call.body.remittance_id, pending, reply);
}

/** Thrown if a bank entry has less open than a settlement of it would record: another import or operator was first. */
export class EntryIsRecorded extends Error {
  override readonly name = 'EntryIsRecorded';

  constructor() {
    super('settlements record the bank entry already');
  }
}

/**
 * Records a settlement without waiting for claims. The remittance's workflow, which receives a signal, delivers the notifications.
 *
 * @param entryRow the number of the bank entry of which the settlement records its amount; null without one
 * @returns the response, and the remittance's pending notifications if this call has recorded the settlement
 * @throws the API errors of {@link createSettlement}; EntryIsRecorded if the entry has less than the amount open
 */
export async function recordSettlement(
  sql: Sql,
  call: Call<'createSettlement'>,
  entryRow: number | null = null,
): Promise<{ readonly reply: JsonResponse; readonly pending: readonly Notification[] | undefined }> {
  const { caller, body } = call;
  const { remittance_id: remittanceId, source_reference } = body;
  requireVisible(caller, remittanceId, '/remittance_id');
  requireVisibleReference('/source_reference', source_reference);
  let pending: readonly Notification[] | undefined;
  const reply = await keepRejection(sql, call, remittanceId, () =>
    writeOnce(
      sql,
      call,
      call.replayStatus,
      async (tx, [locked, isUsed]: readonly [LockedRemittance | undefined, boolean]) => {
        if (locked === undefined) throw notFound('/remittance_id');
        if (isUsed) throw duplicateReference();
        const recorded = await record(tx, caller, body, locked, entryRow);
        pending = recorded.pending;
        return recorded.written;
      },
      (tx) =>
        tx.pipeline([
          lockRemittance(tx, caller.tenant, remittanceId),
          isReferenceInUse(tx, caller.tenant, source_reference),
        ]),
    ),
  );
  return { reply, pending };
}

async function record(
  tx: Tx,
  { authority, requestId }: Caller,
  input: SettlementInput,
  locked: LockedRemittance,
  entryRow: number | null,
): Promise<{ readonly written: Written; readonly pending: readonly Notification[] | undefined }> {
  const id = newId('stl_');
  const position = nextPosition(locked);
  const { amount, currency } = input;
  const observedAt = new Date(parseInstant(input.observed_at));
  if (observedAt > locked.now) throw new ApiError('future_timestamp', '/observed_at is in the future.');
  const allocations = (input.allocations ?? []).map((part) => ({
    claimId: part.claim_id,
    amount: part.amount,
  }));
  checkSettlementAllocations(locked, outstandingOf(locked.allocations), { currency, amount, allocations });
  const observed = { id, currency, amount, allocations, matched: false, observedAt };
  const changes = reconcile(locked, { observed });
  const match = changes.matched.find((candidate) => candidate.id === id);
  const recorded = {
    id,
    position,
    source_reference: input.source_reference,
    bank_entry_id: entryRow,
    currency,
    amount,
    allocations: (match?.allocations ?? allocations).map((part) => ({
      claim_id: part.claimId,
      amount: part.amount,
    })),
    status: match === undefined ? ('unmatched' as const) : ('matched' as const),
    observed_at: observedAt,
    created_at: locked.now,
  };
  const change = { what: 'settlement recorded', at: locked.now.toISOString(), actor: authority, requestId };
  // The entry is locked after the remittance and its accounts, in every transaction.
  if (entryRow !== null && !(await recordPart(tx, locked.tenant, { row: entryRow, amount })))
    throw new EntryIsRecorded();
  try {
    await writeReconciliation(tx, locked, changes, change, { recorded });
  } catch (error) {
    // Another remittance's settlement with the same source_reference can have been committed after this transaction looked up the
    // source_reference.
    throw isReferenceUsed(error) ? duplicateReference() : error;
  }
  const row = { ...recorded, project_id: locked.tenant, remittance_id: locked.id };
  return {
    written: { status: 201, body: settlementResource(row), resourceId: id },
    pending: pendingAfter(locked.pending, changes.notifications),
  };
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_settlement_reference', '/source_reference was used for another settlement.');
}
