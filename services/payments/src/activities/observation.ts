/** Observations of a remittance's money, recorded and reversed: each one transaction under the remittance's lock. */
import { parseInstant, type ReversalInput, type SettlementInput } from '@carecover/contract';
import {
  ApiError,
  allInOrder,
  type Command,
  decideCommand,
  type Fragment,
  notFound,
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { RemittanceState, RemittanceSteps } from '@carecover/workflow-remittance';
import { checkOwnAllocations } from '../reconciliation/own-allocations';
import { type CommandsSettlement, findCommandsSettlement, isReferenceUsed } from '../store/settlements';
import { advisedOf, hold, type LockedRemittance, lackingOf, reconcile } from './reconciling';
import { stateOf } from './remittance-state';

/** What comes with the command's lock. */
interface Fetched extends CommandsSettlement {
  readonly held: LockedRemittance | undefined;
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_settlement_reference', '/source_reference was used for another settlement.');
}

/** @param remittanceId SQL for the remittance that the command is about */
async function fetch(tx: Tx, commandId: string, remittanceId: Fragment): Promise<Fetched> {
  const [held, found] = await allInOrder([hold(tx, remittanceId), findCommandsSettlement(tx, commandId)]);
  return { held, ...found };
}

async function observe(
  tx: Tx,
  { resourceId: id, caller, body }: Command,
  { held, settlement, isReferenceUsed: isUsed }: Fetched,
): Promise<RemittanceState> {
  const input = body as SettlementInput;
  const { amount, currency, allocations = [] } = input;
  if (held === undefined || held.remittance.project_id !== caller.tenant) throw notFound();
  if (settlement !== undefined) return stateOf(tx, held.remittance.id);
  if (isUsed) throw duplicateReference();
  const observedAt = new Date(parseInstant(input.observed_at));
  if (observedAt > held.now) throw new ApiError('future_timestamp', '/observed_at is in the future.');
  checkOwnAllocations(advisedOf(held.remittance), lackingOf(held.allocations), {
    currency,
    amount,
    allocations: allocations.map((part) => ({ claimId: part.claim_id, amount: part.amount })),
  });
  const row = {
    id,
    project_id: caller.tenant,
    remittance_id: held.remittance.id,
    source_reference: input.source_reference,
    currency,
    amount,
    allocations,
    observed_at: observedAt,
    created_at: held.now,
    status: 'unmatched',
  } as const;
  try {
    return await reconcile(tx, held, { observed: row });
  } catch (error) {
    // Another one of this reference, of another remittance, may have been committed since the locks were granted.
    throw isReferenceUsed(error) ? duplicateReference() : error;
  }
}

async function reverse(
  tx: Tx,
  { id: commandId, caller, body }: Command,
  { held, settlement }: Fetched,
): Promise<RemittanceState> {
  if (held === undefined || settlement === undefined) throw notFound();
  if (settlement.status === 'reversed') {
    if (settlement.reversed_by === commandId) return stateOf(tx, settlement.remittance_id);
    throw new ApiError('invalid_state', 'The settlement is reversed already.');
  }
  const { reason_code: reasonCode } = body as ReversalInput;
  const reversal = { commandId, reasonCode, authority: caller.authority, at: held.now };
  return reconcile(tx, held, { reversed: { settlement, reversal } });
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
  async function decide(
    commandId: string,
    effect: typeof observe,
    remittanceId: (tx: Tx) => Fragment,
  ): Promise<RemittanceState> {
    const fetched = (tx: Tx) => fetch(tx, commandId, remittanceId(tx));
    const state = await decideCommand(sql, commandId, effect, fetched);
    return state ?? stateOf(sql, await remittanceOfCommand(sql, commandId));
  }
  return {
    observe: ({ commandId }) =>
      decide(
        commandId,
        observe,
        (tx) => tx`(select body ->> 'remittance_id' from commands where id = ${commandId})`,
      ),
    reverseObservation: ({ commandId }) =>
      decide(
        commandId,
        reverse,
        (tx) => tx`
          (select remittance_id from settlements
           where (id, project_id) = (select resource_id, project_id from commands where id = ${commandId}))`,
      ),
  };
}
