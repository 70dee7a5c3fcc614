/** The transaction of each command that changes a remittance's settlements. */
import { type Command, decideCommand, type Sql, type Tenant, type Tx } from '@carecover/platform';
import type { CommandStep, RemittanceState } from '@carecover/workflow-remittance';
import { lockForSettlement, type SettlementContext } from '../store/reconciliation';
import { requireState } from '../store/remittance-state';

/**
 * Decides a settlement's command under the lock of its remittance. A command that has a response already changes nothing.
 *
 * @returns the remittance's state after the command
 * @throws ApiError as `decide` rejects; CommandGone
 */
export async function decideOnSettlement(
  sql: Sql,
  tenant: Tenant,
  { remittanceId, commandId }: CommandStep,
  decide: (tx: Tx, command: Command, context: SettlementContext) => Promise<RemittanceState>,
): Promise<RemittanceState> {
  const state = await decideCommand(sql, commandId, decide, (tx) =>
    lockForSettlement(tx, tenant, remittanceId, commandId),
  );
  return state ?? requireState(sql, tenant, remittanceId);
}
