/** A remittance's birth in the ledger: all its allocations are posted in one transaction, or none. */
import { parseInstant, type RemittanceInput, sumMoney } from '@carecover/contract';
import {
  type Command,
  databaseNow,
  decideCommand,
  Refusal,
  readCommand,
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { RemittanceState, RemittanceSteps, Telling } from '@carecover/workflow-remittance';
import { adviceMoves, judgeAdvice } from '../ledger/allocation';
import type { ClaimAccount } from '../ledger/chart';
import { lockAccounts } from '../store/accounts';
import { owe } from '../store/claims-records';
import { post } from '../store/postings';
import { insertAllocations, insertRemittance } from '../store/remittances';
import { findState, stateOf } from './remittance-state';

type Outcome = RemittanceState | { readonly strangers: readonly string[] };

/** @param waitMs how long a remittance may wait for its money */
export function adviceActivities(sql: Sql, waitMs: number): Pick<RemittanceSteps, 'allocate'> {
  async function allocate(tx: Tx, command: Command, knownClaims: readonly string[] | null): Promise<Outcome> {
    const done = await findState(tx, command.resourceId);
    if (done !== null) return done;
    const advice = command.body as RemittanceInput;
    const claimIds = [...new Set(advice.allocations.map(({ claim_id }) => claim_id))];
    const accounts = await lockAccounts(tx, command.caller.tenant, claimIds);
    const strangers = claimIds.filter((claimId) => !accounts.has(claimId));
    if (strangers.length > 0 && knownClaims === null) return { strangers };
    refuseUnknown(advice, strangers, knownClaims ?? []);
    await record(tx, command, advice, accounts);
    return stateOf(tx, command.resourceId);
  }

  async function record(
    tx: Tx,
    { caller, resourceId: id }: Command,
    advice: RemittanceInput,
    accounts: ReadonlyMap<string, ClaimAccount>,
  ): Promise<void> {
    const now = await databaseNow(tx);
    const receivedAt = parseInstant(advice.received_at);
    const allocations = advice.allocations.map(({ claim_id, paid_amount }) => ({
      claimId: claim_id,
      amount: paid_amount,
    }));
    const { currency } = advice;
    const inserted = await insertRemittance(tx, {
      id,
      project_id: caller.tenant,
      environment: caller.environment,
      payer_reference: advice.payer_reference,
      currency,
      total: totalOf(advice),
      received_at: new Date(receivedAt),
      deadline: new Date(now.getTime() + waitMs),
      created_at: now,
    });
    if (!inserted)
      throw new Refusal(
        'duplicate_remittance_reference',
        '/payer_reference was used for another remittance.',
      );
    judgeAdvice({ currency, receivedAt, allocations }, accounts, now.getTime());
    const entry = {
      tenant: caller.tenant,
      currency,
      cause: id,
      effectiveAt: new Date(receivedAt),
      recordedAt: now,
    };
    const versions = new Map(
      [...accounts].map(([claimId, account]) => [claimId, account.adjudicationVersion]),
    );
    await Promise.all([
      post(tx, entry, adviceMoves(allocations)),
      insertAllocations(tx, id, advice.allocations, versions),
      owe(tx, id, [recordForClaims(id, caller.tenant, advice, versions)]),
    ]);
  }

  return {
    async allocate({ commandId, knownClaims }) {
      const outcome = await decideCommand(sql, commandId, (tx, command) =>
        allocate(tx, command, knownClaims),
      );
      return outcome ?? answeredState(sql, commandId);
    },
  };
}

async function answeredState(sql: Sql, commandId: string): Promise<RemittanceState> {
  const command = await readCommand(sql, commandId);
  return stateOf(sql, command?.resourceId ?? '');
}

/** @throws Refusal resource_not_found for the first claim that nobody knows */
function refuseUnknown(
  advice: RemittanceInput,
  strangers: readonly string[],
  knownClaims: readonly string[],
): void {
  const index = advice.allocations.findIndex(
    ({ claim_id }) => strangers.includes(claim_id) && !knownClaims.includes(claim_id),
  );
  if (index >= 0) throw new Refusal('resource_not_found', `/allocations/${index}/claim_id names no claim.`);
}

function totalOf(advice: RemittanceInput): number {
  const total = sumMoney(advice.allocations.map(({ paid_amount }) => paid_amount));
  if (total === undefined)
    throw new Refusal('validation_failed', '/allocations sum to more than an amount can be.');
  return total;
}

function recordForClaims(
  remittanceId: string,
  tenant: string,
  advice: RemittanceInput,
  versions: ReadonlyMap<string, number>,
): Telling {
  return {
    kind: 'remittance',
    causeId: remittanceId,
    input: {
      tenant,
      remittanceId,
      receivedAt: new Date(parseInstant(advice.received_at)).toISOString(),
      allocations: advice.allocations.map(({ claim_id, paid_amount, reason_codes }) => ({
        claimId: claim_id,
        amount: paid_amount,
        reasonCode: reason_codes?.[0] ?? null,
        adjudicationVersion: versions.get(claim_id) ?? 0,
      })),
    },
  };
}
