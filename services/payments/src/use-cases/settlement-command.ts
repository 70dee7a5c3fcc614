/** The database transaction in which a command that creates or reverses a settlement is decided. */
import { type Command, decideCommand, type Sql, type Tenant, type Tx } from '@carecover/platform';
import type { CommandStep, RemittanceState } from '@carecover/workflow-remittance';
import { lockForSettlement, type SettlementContext } from '../store/reconciliation';
import { requireState } from '../store/remittance-state';

/**
 * Decides a command that creates or reverses a settlement while its remittance is locked. A command that already has a response changes
 * nothing.
 *
 * @returns the remittance's state after the command
 * @throws the API errors of `decide`; CommandGone if the command is deleted
 */
export async function decideOnSettlement(
  sql: Sql,
  tenant: Tenant,
  { remittanceId, commandId }: CommandStep,
  decide: (tx: Tx, command: Command, context: SettlementContext) => Promise<RemittanceState>,
): Promise<RemittanceState> {
  const state = await decideCommand(sql, tenant, commandId, decide, (tx) =>
    lockForSettlement(tx, tenant, remittanceId, commandId),
  );
  return state ?? requireState(sql, tenant, remittanceId);
}
