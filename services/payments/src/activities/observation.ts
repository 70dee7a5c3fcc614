/** Records and reverses settlements of a remittance. Each step is one transaction that locks the remittance. */
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
import { advisedOf, type LockedRemittance, lockWithAccounts, outstandingOf, reconcile } from './reconciling';
import { requireState } from './remittance-state';

/** What is read in the same round trip as the command's lock. */
interface Fetched extends CommandsSettlement {
  readonly locked: LockedRemittance | undefined;
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_settlement_reference', '/source_reference was used for another settlement.');
}

/** @param remittanceId SQL for the ID of the command's remittance */
async function lockAndRead(tx: Tx, commandId: string, remittanceId: Fragment): Promise<Fetched> {
  const [locked, found] = await allInOrder([
    lockWithAccounts(tx, remittanceId),
    findCommandsSettlement(tx, commandId),
  ]);
  return { locked, ...found };
}

async function observe(
  tx: Tx,
  { resourceId: id, caller, body }: Command,
  { locked, settlement, isReferenceUsed: isUsed }: Fetched,
): Promise<RemittanceState> {
  const input = body as SettlementInput;
  const { amount, currency, allocations = [] } = input;
  if (locked === undefined || locked.remittance.project_id !== caller.tenant) throw notFound();
  if (settlement !== undefined) return requireState(tx, locked.remittance.id);
  if (isUsed) throw duplicateReference();
  const observedAt = new Date(parseInstant(input.observed_at));
  if (observedAt > locked.now) throw new ApiError('future_timestamp', '/observed_at is in the future.');
  checkOwnAllocations(advisedOf(locked.remittance), outstandingOf(locked.allocations), {
    currency,
    amount,
    allocations: allocations.map((part) => ({ claimId: part.claim_id, amount: part.amount })),
  });
  const row = {
    id,
    project_id: caller.tenant,
    remittance_id: locked.remittance.id,
    source_reference: input.source_reference,
    currency,
    amount,
    allocations,
    observed_at: observedAt,
    created_at: locked.now,
    status: 'unmatched',
  } as const;
  try {
    return await reconcile(tx, locked, { observed: row });
  } catch (error) {
    // A settlement of another remittance with the same reference can have been committed after the locks were granted.
    throw isReferenceUsed(error) ? duplicateReference() : error;
  }
}

async function reverse(
  tx: Tx,
  { id: commandId, caller, body }: Command,
  { locked, settlement }: Fetched,
): Promise<RemittanceState> {
  if (locked === undefined || settlement === undefined) throw notFound();
  if (settlement.status === 'reversed') {
    if (settlement.reversed_by === commandId) return requireState(tx, settlement.remittance_id);
    throw new ApiError('invalid_state', 'The settlement is reversed already.');
  }
  const { reason_code: reasonCode } = body as ReversalInput;
  const reversal = { commandId, reasonCode, authority: caller.authority, at: locked.now };
  return reconcile(tx, locked, { reversed: { settlement, reversal } });
}

/** Reads the remittance's ID of a settlement command, also after its response. */
async function readRemittanceId(sql: Sql, commandId: string): Promise<string> {
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
    const readContext = (tx: Tx) => lockAndRead(tx, commandId, remittanceId(tx));
    const state = await decideCommand(sql, commandId, effect, readContext);
    return state ?? requireState(sql, await readRemittanceId(sql, commandId));
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
