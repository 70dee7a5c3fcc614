/**
 * Commands on claims. A command that changes the claim alone is one database transaction. A command that other services take part in has a
 * command row, and its use case executes its steps.
 *
 * Failure policy: closed. While a service that a command needs is unavailable, the response is 503 and the claim's workflow finishes the
 * command. Temporal is not needed: the workflow is signalled after the commit.
 */
import {
  afterPendingSteps,
  COMMAND_DEADLINE_MS,
  decideThenWrite,
  dropCommand,
  type ExecuteSteps,
  type Executors,
  executeCommand,
  type Fetch,
  type JsonResponse,
  keepRejection,
  PendingStepOfOther,
  storeResponse,
  type Writes,
  writeOnce,
} from '@carecover/commands';
import {
  type ApiError,
  type Caller,
  type Command,
  isRejection,
  notFound,
  requireVisible,
  type Tenant,
} from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Query, Sql, Tx } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import type { BenefitsForClaims, CareForClaims, PaymentsForClaims } from '@carecover/workflow-claim';
import { claimResource } from '../resources';
import { claimExists, clearPendingStep, type LockedClaim, lockClaim } from '../store/claims';
import { findClaimInFull } from '../store/claims-in-full';
import { type CurrentClaim, currentClaim } from './lapse-information-request';
import type { Recording } from './record-changes';

/** What the use cases of commands on claims call. */
export interface ClaimCommandDeps {
  readonly sql: Sql;
  readonly care: CareForClaims;
  readonly benefits: BenefitsForClaims;
  readonly payments: PaymentsForClaims;
  /** Executes the commands with several steps. A command that finds another command's pending step finishes that one first. */
  readonly executors: Executors;
  /** Called after a commit that enqueued a signal to a claim's workflow. */
  readonly notifySignals: () => void;
}

/** How a command of a set ended; null if it must be executed alone. `resourceId` is the claim. */
export type SetOutcome = { readonly resourceId: string } | ApiError | null;

/** The operations of commands on an existing claim. */
type OnClaim =
  | 'requestClaimInformation'
  | 'submitClaimEvidence'
  | 'adjudicateClaim'
  | 'cancelClaim'
  | 'reverseClaim';

/** What a decision knows of its command. */
export type DecidedCommand = Pick<Command, 'id' | 'caller' | 'body'>;

/** A decided change of a claim, which is not written yet. */
export interface DecidedChange {
  readonly recording: Pick<Recording, 'write'>;
  /** Returns what is written beside the recording, after it. */
  readonly beside?: (tx: Tx) => Query<unknown>;
}

/** @throws PendingStepOfOther if payments may already have executed another command on the claim */
function requireNoOtherStep(claim: LockedClaim | undefined, commandId: string): void {
  const step = claim?.row.pending_step ?? null;
  if (step !== null && step.command_id !== commandId) throw new PendingStepOfOther(step.command_id);
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

/**
 * Executes a command that changes a claim alone: one transaction inserts the command row, decides, and writes the claim with its facts, its
 * events and the response, which is the claim's new resource.
 *
 * @param status HTTP status of the response
 * @param decide decides the command
 * @throws the API errors of `decide`; resource_not_found, idempotency_conflict, service_unavailable
 */
export async function decideOnClaim<Operation extends OnClaim>(
  deps: ClaimCommandDeps,
  call: Call<Operation>,
  status: 200 | 201,
  decide: (claim: CurrentClaim, command: DecidedCommand, tx: Tx) => DecidedChange | Promise<DecidedChange>,
): Promise<JsonResponse> {
  const { caller, body } = call;
  const { claim_id: claimId } = call.params;
  requireVisible(caller, claimId);
  const write = () =>
    writeOnce(
      deps.sql,
      call,
      call.replayStatus,
      async (tx, claim: Awaited<ReturnType<typeof lockClaim>>, id) => {
        requireNoOtherStep(claim, id);
        const change = await decide(currentClaim(claim), { id, caller, body }, tx);
        return {
          status,
          body: await writeAndRead(tx, caller.tenant, claimId, change),
          resourceId: claimId,
        };
      },
      (tx) => lockClaim(tx, caller.tenant, claimId),
    );
  const reply = await keepRejection(deps.sql, call, claimId, () =>
    afterPendingSteps(deps.sql, deps.executors, caller.tenant, write, Date.now() + COMMAND_DEADLINE_MS),
  );
  deps.notifySignals();
  return reply;
}

/**
 * Executes a command with several steps on a claim that must exist.
 *
 * @throws ApiError resource_not_found, the API errors of the steps, idempotency_conflict, service_unavailable
 */
export async function executeOnClaim(
  deps: ClaimCommandDeps,
  call: Call<OnClaim>,
  execute: ExecuteSteps,
): Promise<JsonResponse> {
  const { claim_id } = call.params;
  const reply = await executeCommand(deps.sql, call, {
    resourceId: claim_id,
    body: call.body,
    replayStatus: call.replayStatus,
    precheck: () => requireClaim(deps.sql, call.caller, claim_id),
    execute,
  });
  deps.notifySignals();
  return reply;
}

/**
 * Decides a command that payments must execute before claims commits it. Executes the writes of the decision, which store the claim's
 * pending step: no other command on the claim is decided until this one has ended. Returns null, and writes nothing, if the command already
 * has a response. A rejection of a command that was interrupted after this step also clears its pending step.
 *
 * @throws the API errors of `decide`, resource_not_found; StartAgain if the command is deleted; service_unavailable if another command has
 *   a pending step that can't be finished
 */
export async function prepareOnClaim<T>(
  deps: ClaimCommandDeps,
  { id, operation, resourceId: claimId, caller: { tenant } }: Command,
  decide: (claim: CurrentClaim, command: Command) => Writes<T>,
): Promise<T | null> {
  const prepared = await afterPendingSteps(deps.sql, deps.executors, tenant, () =>
    decideThenWrite(
      deps.sql,
      tenant,
      id,
      async (tx, command, claim: Awaited<ReturnType<typeof lockClaim>>) => {
        requireNoOtherStep(claim, id);
        try {
          return decide(currentClaim(claim), command);
        } catch (error) {
          // The transaction that deletes the rejected command must not leave its pending step.
          if (claim?.row.pending_step != null) await clearPendingStep(tx, tenant, claimId, id);
          throw error;
        }
      },
      (tx) => lockClaim(tx, tenant, claimId),
    ),
  );
  if (prepared !== null) failpoint('command.prepared', operation);
  return prepared;
}

/**
 * Executes the step of a prepared command in payments. If payments rejects it, deletes the command and clears the claim's pending step.
 *
 * @throws the API error with which payments rejects the command; service_unavailable
 */
export async function executeInPayments(
  sql: Sql,
  { id, resourceId: claimId, caller: { tenant } }: Command,
  execute: () => Promise<void>,
): Promise<void> {
  try {
    await execute();
  } catch (error) {
    if (!isRejection(error)) throw error;
    await sql.begin(async (tx) => {
      // All steps lock the command's row before the claim's row, which prevents deadlocks.
      await dropCommand(tx, tenant, id, error);
      await clearPendingStep(tx, tenant, claimId, id);
    });
    throw error;
  }
}

/**
 * Decides a command with several steps in one transaction, and stores the claim's new resource as its response. This is the last step.
 *
 * @param decide decides the command
 * @param fetch returns the query of what `decide` needs
 * @returns the response; null if another executor has stored it
 * @throws the API errors of `decide`; StartAgain if the command is deleted
 */
export async function commitOnClaim<T>(
  sql: Sql,
  { id, operation, resourceId: claimId, caller: { tenant } }: Command,
  status: 200 | 201,
  decide: (command: Command, fetched: T) => DecidedChange,
  fetch: Fetch<T>,
): Promise<JsonResponse | null> {
  const reply = await decideThenWrite(
    sql,
    tenant,
    id,
    (_tx, command, fetched: T) => {
      failpoint('command.deciding', operation);
      const change = decide(command, fetched);
      return async (tx) => {
        const body = await writeAndRead(tx, tenant, claimId, change);
        const reply = await storeResponse(tx, tenant, id, { status, body });
        failpoint('command.before-commit', operation);
        return reply;
      };
    },
    fetch,
  );
  failpoint('command.after-commit', operation);
  return reply;
}

/** Does the same as {@link commitOnClaim}, for the command that has the claim's pending step. */
export function commitPendingStep(
  sql: Sql,
  command: Command,
  decide: (claim: CurrentClaim, command: Command) => DecidedChange,
): Promise<JsonResponse | null> {
  return commitOnClaim(
    sql,
    command,
    200,
    (locked, claim: Awaited<ReturnType<typeof lockClaim>>) => decide(currentClaim(claim), locked),
    (tx) => lockClaim(tx, command.caller.tenant, command.resourceId),
  );
}

/** Writes a decided change, and reads the claim after it. */
async function writeAndRead(tx: Tx, tenant: Tenant, claimId: string, { recording, beside }: DecidedChange) {
  const [, after] = await recording.write(tx, [beside?.(tx) ?? null, findClaimInFull(tx, tenant, claimId)]);
  if (after === null) throw new Error(`claim ${claimId} is not there after its commit`);
  return claimResource(after);
}
