/**
 * Reverses a settlement: one database transaction posts its amounts back and updates its remittance. Then claims records it.
 *
 * Failure policy: closed. While claims is unavailable, the response is 503; a reversal that is committed is recorded in claims later.
 */

import { type JsonResponse, keepRejection, requireTarget, writeOnce } from '@carecover/commands';
import { ApiError } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import type { Notification } from '@carecover/workflow-remittance';
import { settlementResource } from '../resources';
import { type LockedRemittance, reconcile } from '../rules/reconciliation';
import { lockRemittance, writeReconciliation } from '../store/reconciliation';
import { findSettlement, observationOf, type SettlementRow } from '../store/settlements';
import { deliverBeforeResponse, pendingAfter, type RemittanceDeps } from './deliver-notifications';

/** The values that are read after the insert of the command's row, in the same pipeline. */
type Fetched = readonly [locked: LockedRemittance | undefined, settlement: SettlementRow | undefined];

/**
 * Reverses a settlement.
 *
 * @throws ApiError resource_not_found; invalid_state if the settlement is reversed already; idempotency_conflict, service_unavailable
 */
export async function reverseSettlement(
  deps: RemittanceDeps,
  call: Call<'reverseSettlement'>,
): Promise<JsonResponse> {
  const { reply, pending, remittanceId } = await recordReversal(deps.sql, call);
  return deliverBeforeResponse(deps, call.caller, remittanceId, pending, reply);
}

/**
 * Records the reversal of a settlement without waiting for claims. The remittance's workflow, which receives a signal, delivers the notifications.
 *
 * @param afterReversal what the same transaction writes after the reversal
 * @returns the response, and the remittance's pending notifications if this call has reversed the settlement
 * @throws the API errors of {@link reverseSettlement}
 */
export async function recordReversal(
  sql: Sql,
  call: Call<'reverseSettlement'>,
  afterReversal: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<{
  readonly reply: JsonResponse;
  readonly pending: readonly Notification[] | undefined;
  readonly remittanceId: string;
}> {
  const { caller, body, params } = call;
  const { tenant, authority, requestId } = caller;
  const id = params.settlement_id;
  // A settlement never moves to another remittance.
  const { remittance_id: remittanceId } = await requireTarget(
    sql,
    call,
    id,
    await findSettlement(sql, tenant, id),
  );
  let pending: readonly Notification[] | undefined;
  const reply = await keepRejection(sql, call, id, () =>
    writeOnce(
      sql,
      call,
      call.replayStatus,
      async (tx, [locked, settlement]: Fetched, commandId) => {
        if (locked === undefined || settlement === undefined) throw new Error(`${id} has no remittance`);
        if (settlement.status === 'reversed')
          throw new ApiError('invalid_state', 'The settlement is reversed already.');
        if (settlement.amount === 0)
          throw new ApiError(
            'invalid_state',
            'The settlement settles an advice whose net needs no transfer.',
          );
        const changes = reconcile(locked, { reversed: observationOf(settlement) });
        const { now: at } = locked;
        const reversal = { settlementId: id, commandId, reasonCode: body.reason_code, authority, at };
        const change = { what: 'settlement reversed', at: at.toISOString(), actor: authority, requestId };
        await writeReconciliation(tx, tenant, [{ locked, changes, change, reversal }]);
        await afterReversal(tx);
        pending = pendingAfter(locked.pending, changes.notifications);
        const reversed = settlementResource({ ...settlement, status: 'reversed' });
        return { status: 200, body: reversed, resourceId: id };
      },
      (tx) => tx.pipeline([lockRemittance(tx, tenant, remittanceId), findSettlement(tx, tenant, id)]),
    ),
  );
  return { reply, pending, remittanceId };
}
