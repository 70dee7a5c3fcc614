/** Creates a settlement: the command of the API, and the database transaction that records and matches it and updates its remittance. */
import { parseInstant, type SettlementInput } from '@carecover/contract';
import {
  ApiError,
  type Call,
  type Command,
  executeCommand,
  newId,
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
import { checkSettlementAllocations } from '../rules/allocation';
import { nextPosition, outstandingOf, reconcile } from '../rules/reconciliation';
import { type SettlementContext, writeReconciliation } from '../store/reconciliation';
import { requireState } from '../store/remittance-state';
import { findRemittance } from '../store/remittances';
import { isReferenceUsed } from '../store/settlements';
import { decideOnSettlement } from './settlement-command';

/**
 * Accepts the command that creates a settlement, and returns the response after the workflow of the remittance has executed it.
 *
 * @throws ApiError resource_not_found; the API errors of {@link recordSettlement}; idempotency_conflict, service_unavailable
 */
export function createSettlement(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'command'>,
  call: Call<'createSettlement'>,
): Promise<Reply> {
  const { caller, body } = call;
  const remittanceId = body.remittance_id;
  return executeCommand(sql, call, {
    resourceId: newId('stl_'),
    update: remittanceWorkflow.updates.createSettlement,
    body,
    replayStatus: call.replayStatus,
    precheck: async () => {
      requireResource(
        caller,
        remittanceId,
        await findRemittance(sql, caller.tenant, remittanceId),
        '/remittance_id',
      );
    },
    send: (command) => temporal.command(remittanceWorkflow, command, remittanceId),
  });
}

/**
 * Records the settlement of a command.
 *
 * @throws ApiError resource_not_found, duplicate_settlement_reference, allocation_duplicate, future_timestamp, over_allocation;
 * invalid_state if the remittance has the maximum number of settlements
 */
export function recordSettlement(sql: Sql, tenant: Tenant, step: CommandStep): Promise<RemittanceState> {
  return decideOnSettlement(sql, tenant, step, record);
}

async function record(
  tx: Tx,
  { resourceId: id, caller, body }: Command,
  { locked, settlement, isReferenceUsed: isUsed }: SettlementContext,
): Promise<RemittanceState> {
  if (locked === undefined || locked.tenant !== caller.tenant) throw notFound('/remittance_id');
  if (settlement !== undefined) return requireState(tx, locked.tenant, locked.id);
  if (isUsed) throw duplicateReference();
  const position = nextPosition(locked);
  const input = body as SettlementInput;
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
  try {
    await writeReconciliation(tx, locked, changes, { recorded });
  } catch (error) {
    // Another remittance's settlement with the same source_reference can have been committed after this transaction looked up the
    // source_reference.
    throw isReferenceUsed(error) ? duplicateReference() : error;
  }
  return changes.state;
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_settlement_reference', '/source_reference was used for another settlement.');
}
