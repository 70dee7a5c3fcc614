/** Creates a remittance: the command of the API, and the database transaction that posts either all of its allocations or none. */
import { parseInstant, type RemittanceInput } from '@carecover/contract';
import {
  ApiError,
  allInOrder,
  type Call,
  type Command,
  decideCommand,
  executeCommand,
  newId,
  type Reply,
  type Sql,
  type TemporalCommands,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type {
  AdviceOutcome,
  AdviceStep,
  Notification,
  RemittanceState,
} from '@carecover/workflow-remittance';
import { remittanceWorkflow } from '@carecover/workflow-remittance/definition';
import { evaluateAdvice, rejectUnknownClaims, totalOf } from '../rules/allocation';
import type { ClaimAccount } from '../rules/chart-of-accounts';
import { lockAdvisedAccounts } from '../store/accounts';
import { requireState } from '../store/remittance-state';
import { type AdviceContext, insertAdvice, readAdviceContext } from '../store/remittances';

/**
 * Accepts the command that creates a remittance, and returns the response after the remittance's workflow has executed it.
 *
 * @throws the API errors of {@link recordRemittance}; idempotency_conflict, service_unavailable
 */
export function createRemittance(
  sql: Sql,
  temporal: Pick<TemporalCommands, 'command'>,
  call: Call<'createRemittance'>,
): Promise<Reply> {
  return executeCommand(sql, call, {
    resourceId: newId('rem_'),
    update: remittanceWorkflow.updates.createRemittance,
    body: call.body,
    replayStatus: call.replayStatus,
    send: (command) => temporal.command(remittanceWorkflow, command, command.resourceId),
  });
}

/** The values that are read in the same round trip in which the command's row is locked. */
interface Fetched {
  readonly accounts: ReadonlyMap<string, ClaimAccount>;
  readonly context: AdviceContext;
}

/**
 * Creates the remittance of a command and posts its allocations. If some of its claims have no account and `knownClaims` is null, the
 * function posts nothing and returns the IDs of those claims, so that the workflow looks them up in the claims service.
 *
 * @param waitMs time from the remittance's creation to its deadline for settlement, in milliseconds
 * @throws ApiError resource_not_found, validation_failed, duplicate_remittance_reference, allocation_duplicate, future_timestamp,
 *   claim_not_adjudicated, currency_mismatch, over_allocation, invalid_state
 */
export async function recordRemittance(
  sql: Sql,
  tenant: Tenant,
  { remittanceId, commandId, knownClaims }: AdviceStep,
  waitMs: number,
): Promise<AdviceOutcome> {
  const outcome = await decideCommand<AdviceOutcome, Fetched>(
    sql,
    tenant,
    commandId,
    async (tx, command, fetched) => {
      if (fetched.context.is_recorded) return requireState(tx, tenant, remittanceId);
      const advice = command.body as RemittanceInput;
      const claimIds = [...new Set(advice.allocations.map(({ claim_id }) => claim_id))];
      const claimsWithoutAccount = claimIds.filter((claimId) => !fetched.accounts.has(claimId));
      if (claimsWithoutAccount.length > 0 && knownClaims === null) return { claimsWithoutAccount };
      rejectUnknownClaims(advice, claimsWithoutAccount, knownClaims ?? []);
      return record(tx, tenant, command, fetched, waitMs);
    },
    async (tx) => {
      const [accounts, context] = await allInOrder([
        lockAdvisedAccounts(tx, tenant, commandId),
        readAdviceContext(tx, tenant, commandId),
      ]);
      return { accounts, context };
    },
  );
  return outcome ?? requireState(sql, tenant, remittanceId);
}

async function record(
  tx: Tx,
  tenant: Tenant,
  { caller, resourceId: id, body }: Command,
  { accounts, context: { now, is_reference_used, claims_at_limit } }: Fetched,
  waitMs: number,
): Promise<RemittanceState> {
  const advice = body as RemittanceInput;
  const { currency } = advice;
  const total = totalOf(advice);
  if (is_reference_used) throw duplicateReference();
  const receivedAt = parseInstant(advice.received_at);
  const allocations = advice.allocations.map(({ claim_id, paid_amount }) => ({
    claimId: claim_id,
    amount: paid_amount,
  }));
  evaluateAdvice({ currency, receivedAt, allocations }, accounts, claims_at_limit, now.getTime());
  const versions = new Map([...accounts].map(([claimId, account]) => [claimId, account.adjudicationVersion]));
  const deadline = new Date(now.getTime() + waitMs);
  const notification = notificationOf(id, tenant, advice, versions);
  const row = {
    id,
    project_id: tenant,
    environment: caller.environment,
    payer_reference: advice.payer_reference,
    currency,
    total,
    received_at: new Date(receivedAt),
    deadline,
    created_at: now,
  };
  // Another transaction can have committed a remittance with this payer_reference after `is_reference_used` was read, so the insert checks
  // the reference again.
  if (!(await insertAdvice(tx, row, advice.allocations, versions, notification))) throw duplicateReference();
  return {
    status: 'received',
    deadline: deadline.toISOString(),
    remainingMs: waitMs,
    currency,
    total,
    settled: 0,
    pending: [notification],
    hasMorePending: false,
  };
}

function duplicateReference(): ApiError {
  return new ApiError('duplicate_remittance_reference', '/payer_reference was used for another remittance.');
}

function notificationOf(
  remittanceId: string,
  tenant: Tenant,
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
