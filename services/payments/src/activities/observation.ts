/** Observations of a remittance's money, recorded and reversed: each one transaction under the remittance's lock. */
import { parseInstant, type ReversalInput, type SettlementInput } from '@carecover/contract';
import { type Command, decideCommand, notFound, Refusal, type Sql, type Tx } from '@carecover/platform';
import type { RemittanceState, RemittanceSteps } from '@carecover/workflow-remittance';
import { judgeOwnAllocations } from '../reconciliation/own-allocations';
import { allocationsOf } from '../store/remittances';
import { findSettlement, insertReversal, insertSettlement, reversedBy } from '../store/settlements';
import { advisedOf, hold, lackingOf, reconcile, unsettle } from './reconciling';
import { stateOf } from './remittance-state';

async function observe(tx: Tx, { resourceId: id, caller, body }: Command): Promise<RemittanceState> {
  const input = body as SettlementInput;
  const { remittance_id: remittanceId, amount, currency, allocations = [] } = input;
  const held = await hold(tx, remittanceId);
  if (held?.remittance.project_id !== caller.tenant) throw notFound();
  if ((await findSettlement(tx, caller.tenant, id)) !== undefined) return stateOf(tx, remittanceId);
  const observedAt = new Date(parseInstant(input.observed_at));
  const inserted = await insertSettlement(tx, {
    id,
    project_id: caller.tenant,
    remittance_id: remittanceId,
    source_reference: input.source_reference,
    currency,
    amount,
    allocations,
    observed_at: observedAt,
    created_at: held.now,
  });
  if (!inserted)
    throw new Refusal('duplicate_settlement_reference', '/source_reference was used for another settlement.');
  if (observedAt > held.now) throw new Refusal('future_timestamp', '/observed_at is in the future.');
  judgeOwnAllocations(advisedOf(held.remittance), lackingOf(await allocationsOf(tx, remittanceId)), {
    currency,
    amount,
    allocations: allocations.map((part) => ({ claimId: part.claim_id, amount: part.amount })),
  });
  await reconcile(tx, held, null);
  return stateOf(tx, remittanceId);
}

async function reverse(
  tx: Tx,
  { id: commandId, resourceId, caller, body }: Command,
): Promise<RemittanceState> {
  const unlocked = await findSettlement(tx, caller.tenant, resourceId);
  if (unlocked === undefined) throw notFound();
  const held = await hold(tx, unlocked.remittance_id);
  const settlement = await findSettlement(tx, caller.tenant, resourceId);
  if (held === undefined || settlement === undefined) throw notFound();
  if (settlement.status === 'reversed') {
    if ((await reversedBy(tx, resourceId)) === commandId) return stateOf(tx, settlement.remittance_id);
    throw new Refusal('invalid_state', 'The settlement is reversed already.');
  }
  const { reason_code: reasonCode } = body as ReversalInput;
  await insertReversal(tx, resourceId, { commandId, reasonCode, authority: caller.authority, at: held.now });
  await reconcile(tx, held, await unsettle(tx, held, settlement));
  return stateOf(tx, settlement.remittance_id);
}

/** The remittance's id of a settlement command, whatever became of it. */
async function remittanceOfCommand(sql: Sql, commandId: string): Promise<string> {
  const [row] = await sql<{ remittance_id: string }[]>`
    select remittance_id from settlements
    where id = (select resource_id from commands where id = ${commandId})`;
  if (row === undefined) throw new Error(`command ${commandId} is about no settlement`);
  return row.remittance_id;
}

export function observationActivities(sql: Sql): Pick<RemittanceSteps, 'observe' | 'reverseObservation'> {
  const decide = async (commandId: string, effect: typeof observe) =>
    (await decideCommand(sql, commandId, effect)) ?? stateOf(sql, await remittanceOfCommand(sql, commandId));
  return {
    observe: ({ commandId }) => decide(commandId, observe),
    reverseObservation: ({ commandId }) => decide(commandId, reverse),
  };
}
