/**
 * A command of a claim: accepted over HTTP, which writes its row and sends its Update to the claim's workflow, and decided in one
 * transaction by a step of the workflow.
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
import { claimExists, clearPendingStep, lockClaim } from '../store/claims';
import { findClaimInFull } from '../store/claims-in-full';
import { type CurrentClaim, currentClaim } from './lapse-information-request';
import { type ClaimOfTenant, viewClaim } from './view-claim';

/** What a command of a claim needs. */
export interface ClaimCommandDeps {
  readonly sql: Sql;
  readonly temporal: Pick<TemporalCommands, 'command'>;
}

/**
 * Accepts a command and returns the response that the claim's workflow decides.
 *
 * @param precheck rejects without a workflow
 * @throws ApiError of `precheck` or the workflow; idempotency_conflict, service_unavailable
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

/** Accepts a command of an existing claim; see {@link executeClaimCommand}. @throws ApiError resource_not_found */
export function executeOnClaim(
  deps: ClaimCommandDeps,
  call: Call<Exclude<ClaimCommand, 'createClaim'>>,
): Promise<Reply> {
  const { claim_id } = call.params;
  return executeClaimCommand(deps, call, claim_id, () => requireClaim(deps.sql, call.caller, claim_id));
}

/** @throws ApiError resource_not_found */
export async function requireClaim(sql: Sql, caller: Caller, claimId: string): Promise<void> {
  requireVisible(caller, claimId);
  if (!(await claimExists(sql, caller.tenant, claimId))) throw notFound();
}

/** A command and its claim, as a step of the workflow names them. */
export interface CommandOfClaim extends ClaimOfTenant {
  readonly commandId: string;
}

/** The statements of a decision: sent and not awaited, so that the next read shares their round trip. */
export type Statements = (tx: Tx) => readonly Promise<unknown>[];

/**
 * Commits a command in one transaction and stores the claim's new resource as its response.
 *
 * @param status HTTP status of the response
 * @param decide returns the statements that write the decision
 * @throws ApiError as `decide` rejects, resource_not_found; CommandGone
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
    (command, claim: Awaited<ReturnType<typeof lockClaim>>, tx) => decide(currentClaim(claim), command, tx),
    (tx) => lockClaim(tx, step.tenant, step.claimId),
  );
}

/** Like {@link commitOnClaim}, for a decision that creates the claim. */
export async function commitWithClaim<T>(
  sql: Sql,
  { tenant, claimId, commandId }: CommandOfClaim,
  status: 200 | 201,
  decide: (command: Command, fetched: T, tx: Tx) => Statements | Promise<Statements>,
  fetch: (tx: Tx) => Promise<T>,
): Promise<ClaimView> {
  const committed = await decideThenWrite(
    sql,
    commandId,
    async (tx, command, fetched: T) => {
      failpoint('command.deciding', command.operation);
      const statements = await decide(command, fetched, tx);
      return async (tx) => {
        const writes = statements(tx);
        const reading = findClaimInFull(tx, tenant, claimId);
        await allInOrder([...writes, reading]);
        const after = await reading;
        if (after === null) throw new Error(`claim ${claimId} is not there after its commit`);
        await answerCommand(tx, command.id, { status, body: claimResource(after) });
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
 * Decides a command whose commit follows a step in another service. Returns null if the command already has a response, so that a
 * delayed worker has no effect.
 *
 * @throws ApiError as `decide` rejects, resource_not_found; CommandGone
 */
export async function prepareOnClaim<T>(
  sql: Sql,
  { tenant, claimId, commandId }: CommandOfClaim,
  decide: (claim: CurrentClaim, command: Command) => Writes<T>,
): Promise<T | null> {
  const prepared = await decideThenWrite(
    sql,
    commandId,
    (_tx, command, claim: Awaited<ReturnType<typeof lockClaim>>) => {
      const write = decide(currentClaim(claim), command);
      return async (tx) => ({ operation: command.operation, result: await write(tx) });
    },
    (tx) => lockClaim(tx, tenant, claimId),
  );
  if (prepared === null) return null;
  failpoint('command.prepared', prepared.operation);
  return prepared.result;
}

/** Deletes a command that another service rejected, and clears its pending step. */
export async function dropPendingStep(sql: Sql, step: CommandOfClaim): Promise<void> {
  await sql.begin(async (tx) => {
    // Every step locks the command's row before the claim's.
    await dropCommand(tx, step.commandId);
    await clearPendingStep(tx, step.tenant, step.claimId, step.commandId);
  });
}
