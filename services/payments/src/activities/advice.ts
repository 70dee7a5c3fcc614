/** Records a remittance: posts all its allocations in one transaction, or none. */
import { parseInstant, type RemittanceInput, sumMoney } from '@carecover/contract';
import {
  ApiError,
  allInOrder,
  type Command,
  decideCommand,
  readCommand,
  type Sql,
  type Tx,
} from '@carecover/platform';
import type { Notification, RemittanceState, RemittanceSteps } from '@carecover/workflow-remittance';
import { evaluateAdvice } from '../ledger/allocation';
import type { ClaimAccount } from '../ledger/chart';
import { lockAdvisedAccounts } from '../store/accounts';
import { type AdviceContext, insertAdvice, readAdviceContext } from '../store/remittances';
import { requireState } from './remittance-state';

type Outcome = RemittanceState | { readonly strangers: readonly string[] };

/** What is read in the same round trip as the command's lock. */
interface Fetched {
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
  readonly context: AdviceContext;
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_remittance_reference', '/payer_reference was used for another remittance.');
}

/** @param waitMs time in which a remittance must be settled, in milliseconds */
export function adviceActivities(sql: Sql, waitMs: number): Pick<RemittanceSteps, 'allocate'> {
  async function allocate(
    tx: Tx,
    command: Command,
    { accounts, context }: Fetched,
    knownClaims: readonly string[] | null,
  ): Promise<Outcome> {
    if (context.is_recorded) return requireState(tx, command.resourceId);
    const advice = command.body as RemittanceInput;
    const claimIds = [...new Set(advice.allocations.map(({ claim_id }) => claim_id))];
    const claimsWithoutAccount = claimIds.filter((claimId) => !accounts.has(claimId));
    if (claimsWithoutAccount.length > 0 && knownClaims === null) return { strangers: claimsWithoutAccount };
    rejectUnknown(advice, claimsWithoutAccount, knownClaims ?? []);
    return record(tx, command, advice, { accounts, context });
  }

  async function record(
    tx: Tx,
    { caller, resourceId: id }: Command,
    advice: RemittanceInput,
    { accounts, context: { now, is_reference_used } }: Fetched,
  ): Promise<RemittanceState> {
    const { currency } = advice;
    const total = totalOf(advice);
    if (is_reference_used) throw duplicateReference();
    const receivedAt = parseInstant(advice.received_at);
    const allocations = advice.allocations.map(({ claim_id, paid_amount }) => ({
      claimId: claim_id,
      amount: paid_amount,
    }));
    evaluateAdvice({ currency, receivedAt, allocations }, accounts, now.getTime());
    const versions = new Map(
      [...accounts].map(([claimId, account]) => [claimId, account.adjudicationVersion]),
    );
    const deadline = new Date(now.getTime() + waitMs);
    const notification = notificationOf(id, caller.tenant, advice, versions);
    const row = {
      id,
      project_id: caller.tenant,
      environment: caller.environment,
      payer_reference: advice.payer_reference,
      currency,
      total,
      received_at: new Date(receivedAt),
      deadline,
      created_at: now,
    };
    // A remittance with the same reference can have been committed after the locks were granted.
    if (!(await insertAdvice(tx, row, advice.allocations, versions, notification)))
      throw duplicateReference();
    return {
      status: 'received',
      deadline: deadline.toISOString(),
      remainingMs: waitMs,
      currency,
      total,
      settled: 0,
      pending: [notification],
    };
  }

  return {
    async allocate({ commandId, knownClaims }) {
      const outcome = await decideCommand<Outcome, Fetched>(
        sql,
        commandId,
        (tx, command, fetched) => allocate(tx, command, fetched, knownClaims),
        async (tx) => {
          const [accounts, context] = await allInOrder([
            lockAdvisedAccounts(tx, commandId),
            readAdviceContext(tx, commandId),
          ]);
          return { accounts, context };
        },
      );
      return outcome ?? readStateOfCommand(sql, commandId);
    },
  };
}

async function readStateOfCommand(sql: Sql, commandId: string): Promise<RemittanceState> {
  const command = await readCommand(sql, commandId);
  return requireState(sql, command?.resourceId ?? '');
}

/** @throws ApiError resource_not_found for the first claim that does not exist */
function rejectUnknown(
  advice: RemittanceInput,
  claimsWithoutAccount: readonly string[],
  knownClaims: readonly string[],
): void {
  const index = advice.allocations.findIndex(
    ({ claim_id }) => claimsWithoutAccount.includes(claim_id) && !knownClaims.includes(claim_id),
  );
  if (index >= 0) throw new ApiError('resource_not_found', `/allocations/${index}/claim_id names no claim.`);
}

function totalOf(advice: RemittanceInput): number {
  const total = sumMoney(advice.allocations.map(({ paid_amount }) => paid_amount));
  if (total === undefined)
    throw new ApiError('validation_failed', '/allocations sum to more than an amount can be.');
  return total;
}

function notificationOf(
  remittanceId: string,
  tenant: string,
  advice: RemittanceInput,
  versions: ReadonlyMap<string, number>,
): Notification {
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
