/** Reverses a settlement: the command of the API, and the database transaction that posts its amounts back and updates its remittance. */
import type { ReversalInput } from '@carecover/contract';
import {
  ApiError,
  type Call,
  type Command,
  executeCommand,
  notFound,
  type Reply,
  requireResource,
  type Sql,
  type TemporalCommands,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type { CommandStep, RemittanceState } from '@carecover/workflow-remittance';
import { remittanceWorkflow } from '@carecover/workflow-remittance/definition';
import { reconcile } from '../rules/reconciliation';
import { type SettlementContext, writeReconciliation } from '../store/reconciliation';
import { requireState } from '../store/remittance-state';
import { findSettlement, observationOf } from '../store/settlements';
import { decideOnSettlement } from './settlement-command';

/**
 * Accepts the command that reverses a settlement, and returns the response after the workflow of the remittance has executed it.
 *
 * @throws ApiError resource_not_found; the API errors of {@link recordReversal}; idempotency_conflict, service_unavailable
 */
export function reverseSettlement(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'command'>,
  call: Call<'reverseSettlement'>,
): Promise<Reply> {
  const { caller, body } = call;
  const id = call.params.settlement_id;
  const read = async () => requireResource(caller, id, await findSettlement(sql, caller.tenant, id));
  return executeCommand(sql, call, {
    resourceId: id,
    update: remittanceWorkflow.updates.reverseSettlement,
    body,
    replayStatus: call.replayStatus,
    precheck: async () => void (await read()),
    send: async (command) => {
      const { remittance_id } = await read();
      await temporal.command(remittanceWorkflow, command, remittance_id);
    },
  });
}

/** Reverses the settlement of a command. @throws ApiError resource_not_found, invalid_state if the settlement is reversed already */
export function recordReversal(sql: Sql, tenant: Tenant, step: CommandStep): Promise<RemittanceState> {
  return decideOnSettlement(sql, tenant, step, record);
}

async function record(
  tx: Tx,
  { id: commandId, caller, body }: Command,
  { locked, settlement }: SettlementContext,
): Promise<RemittanceState> {
  if (locked === undefined || settlement === undefined || settlement.remittance_id !== locked.id)
    throw notFound();
  if (settlement.status === 'reversed') {
    if (settlement.reversed_by === commandId) return requireState(tx, locked.tenant, locked.id);
    throw new ApiError('invalid_state', 'The settlement is reversed already.');
  }
  const changes = reconcile(locked, { reversed: observationOf(settlement) });
  const reversal = {
    settlementId: settlement.id,
    commandId,
    reasonCode: (body as ReversalInput).reason_code,
    authority: caller.authority,
    at: locked.now,
  };
  await writeReconciliation(tx, locked, changes, { reversal });
  return changes.state;
}
