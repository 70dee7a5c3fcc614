/**
 * Commands on claims. An HTTP request writes the command's row and sends the command to the claim's workflow as an Update; a step of the
 * workflow then decides the command in one database transaction.
 */
import {
  allInOrder,
  answerCommand,
  type Call,
  type Caller,
  type Command,
  decideThenWrite,
  dropCommand,
  executeCommand,
  failpoint,
  isRejection,
  notFound,
  type Reply,
  requireVisible,
  type Sql,
  type TemporalCommands,
  type Tx,
  type Writes,
} from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import { type ClaimCommand, claimWorkflow } from '@carecover/workflow-claim/definition';
import { claimResource, claimView } from '../resources';
import { claimExists, clearPendingStep, type LockedClaim, lockClaim } from '../store/claims';
import { findClaimInFull } from '../store/claims-in-full';
import { type CurrentClaim, currentClaim } from './lapse-information-request';
import { type ClaimOfTenant, viewClaim } from './view-claim';

/** Dependencies of the functions that accept commands on claims. */
export interface ClaimCommandDeps {
  readonly sql: Sql;
  readonly temporal: Pick<TemporalCommands, 'command'>;
}

/**
 * Accepts a command on a claim, and returns the response after the claim's workflow has executed it.
 *
 * @param precheck checks the request before the command is stored and sent to the workflow
 * @throws the API errors of `precheck` or of the workflow's steps; idempotency_conflict, service_unavailable
 */
export function executeClaimCommand(
  { sql, temporal }: ClaimCommandDeps,
  call: Call<ClaimCommand>,
  claimId: string | (() => string),
  precheck?: () => Promise<void>,
): Promise<Reply> {
  return executeCommand(sql, call, {
    resourceId: claimId,
    update: claimWorkflow.updates[call.operation],
    body: call.body,
    replayStatus: call.replayStatus,
    ...(precheck === undefined ? {} : { precheck }),
    send: (command) => temporal.command(claimWorkflow, command),
  });
}

/** Does the same as {@link executeClaimCommand}, for a claim that must exist. @throws ApiError resource_not_found */
export function executeOnClaim(
  deps: ClaimCommandDeps,
  call: Call<Exclude<ClaimCommand, 'createClaim'>>,
): Promise<Reply> {
  const { claim_id } = call.params;
  return executeClaimCommand(deps, call, claim_id, () => requireClaim(deps.sql, call.caller, claim_id));
}

/**
 * Checks that the claim exists and that the caller can read it.
 *
 * @throws ApiError resource_not_found
 */
export async function requireClaim(sql: Sql, caller: Caller, claimId: string): Promise<void> {
  requireVisible(caller, claimId);
  if (!(await claimExists(sql, caller.tenant, claimId))) throw notFound();
}

/** Identifies a command and its claim in the input of a workflow step. */
export interface CommandOfClaim extends ClaimOfTenant {
  readonly commandId: string;
}

/**
 * Sends the SQL statements that write a decision, and returns their promises. They are not awaited, so that the next SQL statement shares
 * their round trip.
 */
export type Statements = (tx: Tx) => readonly Promise<unknown>[];

/** Whether another command has a pending step on the claim. The workflow must complete that command before this one is decided. */
function hasPendingStepOfOther(claim: LockedClaim | undefined, command: Command): boolean {
  const step = claim?.row.pending_step ?? null;
  return step !== null && step.command_id !== command.id;
}

/**
 * Decides and commits a command on a claim in one database transaction, with the claim's new resource as the command's response. Changes
 * nothing while another command has a pending step on the claim: the returned view then names that command as `unfinished`.
 *
 * @param status HTTP status of the response
 * @param decide decides the command and returns the statements that write the decision
 * @throws the API errors of `decide`, resource_not_found; CommandGone if the command is deleted
 */
export function commitOnClaim(
  sql: Sql,
  step: CommandOfClaim,
  status: 200 | 201,
  decide: (claim: CurrentClaim, command: Command, tx: Tx) => Statements | Promise<Statements>,
): Promise<ClaimView> {
  return commitWithClaim(
    sql,
    step,
    status,
    (command, claim: Awaited<ReturnType<typeof lockClaim>>, tx) =>
      hasPendingStepOfOther(claim, command) ? null : decide(currentClaim(claim), command, tx),
    (tx) => lockClaim(tx, step.tenant, step.claimId),
  );
}

/**
 * Does the same as {@link commitOnClaim}, for a command whose claim need not exist yet.
 *
 * @param decide returns null if the command can't be decided yet: then nothing is written and the command stays pending
 * @param fetch reads what `decide` needs in the transaction
 */
export async function commitWithClaim<T>(
  sql: Sql,
  { tenant, claimId, commandId }: CommandOfClaim,
  status: 200 | 201,
  decide: (command: Command, fetched: T, tx: Tx) => Statements | null | Promise<Statements | null>,
  fetch: (tx: Tx) => Promise<T>,
): Promise<ClaimView> {
  const committed = await decideThenWrite(
    sql,
    tenant,
    commandId,
    async (tx, command, fetched: T) => {
      failpoint('command.deciding', command.operation);
      const statements = await decide(command, fetched, tx);
      if (statements === null) return async () => null;
      return async (tx) => {
        const writes = statements(tx);
        const reading = findClaimInFull(tx, tenant, claimId);
        await allInOrder([...writes, reading]);
        const after = await reading;
        if (after === null) throw new Error(`claim ${claimId} is not there after its commit`);
        await answerCommand(tx, tenant, command.id, { status, body: claimResource(after) });
        failpoint('command.before-commit', command.operation);
        return { operation: command.operation, view: claimView(after) };
      };
    },
    fetch,
  );
  if (committed !== null) failpoint('command.after-commit', committed.operation);
  return committed?.view ?? viewClaim(sql, { tenant, claimId });
}

/**
 * Decides a command that another service must execute before claims commits it. Executes the writes of the decision, which store the
 * claim's pending step, so that a new run can complete the command after a crash. Returns null, and writes nothing, if the command already
 * has a response (a delayed worker repeats the step), or while another command has a pending step on the claim. A rejection of a command
 * that a lost run left pending also clears its pending step.
 *
 * @throws the API errors of `decide`, resource_not_found; CommandGone if the command is deleted
 */
export async function prepareOnClaim<T>(
  sql: Sql,
  { tenant, claimId, commandId }: CommandOfClaim,
  decide: (claim: CurrentClaim, command: Command) => Writes<T>,
): Promise<T | null> {
  const prepared = await decideThenWrite(
    sql,
    tenant,
    commandId,
    async (tx, command, claim: Awaited<ReturnType<typeof lockClaim>>) => {
      if (hasPendingStepOfOther(claim, command)) return async () => null;
      let write: Writes<T>;
      try {
        write = decide(currentClaim(claim), command);
      } catch (error) {
        // The transaction that deletes the rejected command must not leave its pending step.
        if (claim?.row.pending_step != null) await clearPendingStep(tx, tenant, claimId, commandId);
        throw error;
      }
      return async (tx) => ({ operation: command.operation, result: await write(tx) });
    },
    (tx) => lockClaim(tx, tenant, claimId),
  );
  if (prepared === null) return null;
  failpoint('command.prepared', prepared.operation);
  return prepared.result;
}

/**
 * Executes the step of a prepared command in payments. If payments rejects it, deletes the command and clears the claim's pending step.
 *
 * @throws the API error with which payments rejects the command; service_unavailable
 */
export async function executeInPayments(
  sql: Sql,
  step: CommandOfClaim,
  execute: () => Promise<void>,
): Promise<void> {
  try {
    await execute();
  } catch (error) {
    if (isRejection(error)) await dropPendingStep(sql, step);
    throw error;
  }
}

async function dropPendingStep(sql: Sql, step: CommandOfClaim): Promise<void> {
  await sql.begin(async (tx) => {
    // All steps lock the command's row before the claim's row, which prevents deadlocks.
    await dropCommand(tx, step.tenant, step.commandId);
    await clearPendingStep(tx, step.tenant, step.claimId, step.commandId);
  });
}
