/** Writes that a workflow executes: the command row is inserted, the command is sent to the workflow, and the row is read
 * again with its response. */
import type { OperationId } from '@carecover/contract';
import { ApiError, unavailable } from '../api-error';
import { failpoint } from '../failpoints';
import type { Sql } from '../postgres';
import type { Caller, Tenant } from '../tenant';
import { activeTraceparent } from '../tracing/spans';
import {
  CommandGone,
  findCommand,
  insertCommand,
  type Reply,
  readCommand,
  replayOf,
  type WriteRequest,
} from './row';

/** The input of {@link executeCommand}: a command, and how it is sent to its workflow. */
export interface WorkflowCommand {
  /** The resource's ID, or a function that generates one. Retries keep the ID of the command row. */
  readonly resourceId: string | (() => string);
  /** The name of the Update that executes the command; absent if `send` executes the command without a workflow. */
  readonly update?: string;
  /** The command's input, read by the transaction that decides the command. It never contains a member reference. */
  readonly body: unknown;
  readonly replayStatus: number;
  /**
   * A function that is called before the command row is inserted. It throws the API errors that can be found without the workflow, such
   * as an unknown resource.
   */
  readonly precheck?: () => Promise<void>;
  /**
   * Sends the command to the resource's workflow and waits until it was executed.
   *
   * @throws ApiError if the command is rejected or its outcome is unknown; CommandGone if the command was rejected in an earlier request
   */
  readonly send: (command: SentCommand) => Promise<void>;
}

/** A command with the values that are sent to its workflow. */
export interface SentCommand {
  readonly id: string;
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly caller: Caller;
  /** The name of the Update that executes the command; null for a command that no workflow executes. */
  readonly update: string | null;
  readonly updateId: string;
}

/**
 * The maximum number of attempts of one request. An attempt is repeated if the command row is still pending after the Update, or if another
 * attempt has deleted it.
 */
export const MAX_ATTEMPTS = 3;

/**
 * Returns the ID of a command's Update. It depends only on the command row, so concurrent requests with one idempotency key join one
 * Update. Temporal stores the Update's result. After a restore of PostgreSQL the row can be pending although Temporal has a result; the
 * command is then sent with another Update ID.
 *
 * @param outdatedResults the number of this command's Updates that have a result in Temporal although the command row is pending
 */
export function updateIdOf(commandId: string, outdatedResults: number): string {
  return outdatedResults === 0 ? commandId : `${commandId}:${outdatedResults + 1}`;
}

/**
 * Returns whether the request must start again: another attempt has deleted the command row, or the row exists although this attempt was
 * rejected. A rejection deletes the row, so an existing row is pending, or has the response of another attempt.
 */
async function mustStartAgain(sql: Sql, tenant: Tenant, commandId: string, error: unknown): Promise<boolean> {
  if (error instanceof CommandGone) return true;
  const isFinal = error instanceof ApiError && error.code !== 'service_unavailable';
  return isFinal && (await readCommand(sql, tenant, commandId)) !== null;
}

function isValidationError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'validation_failed';
}

/**
 * Finds the command with the idempotency key, and runs the precheck concurrently. A stored response has priority over an error of the
 * precheck. A pending command has priority over a validation error: only the transaction that decides the command can reject it.
 *
 * @throws the error of the precheck, unless the command has priority
 */
async function findAndPrecheck(
  sql: Sql,
  request: WriteRequest,
  key: string,
  { precheck, replayStatus }: WorkflowCommand,
) {
  if (precheck === undefined) return undefined;
  const [row, failed] = await Promise.all([
    findCommand(sql, request, key),
    precheck().then(
      () => null,
      (error: unknown) => ({ error }),
    ),
  ]);
  if (failed === null) return row;
  const hasPriority =
    row !== undefined && (replayOf(row, replayStatus) !== null || isValidationError(failed.error));
  if (!hasPriority) throw failed.error;
  return row;
}

/**
 * Executes a write that needs a workflow. The command row is inserted after the precheck, so a crash during the precheck leaves the key
 * unused. After a later crash the command is pending, and a retry with the same key joins it.
 *
 * @returns the response, or the stored response of an earlier request with the same key
 * @throws ApiError of the precheck or the workflow; idempotency_conflict if the key was used for another request; service_unavailable if
 *   there is no response in time
 */
export async function executeCommand(
  sql: Sql,
  request: WriteRequest,
  workflowCommand: WorkflowCommand,
): Promise<Reply> {
  const key = request.idempotencyKey;
  if (key === null) throw new Error(`${request.operation} requires an idempotency key`);
  // IDs of the commands that this request has sent. If a command is rejected and its row deleted, the next attempt inserts a command with
  // another ID.
  const sent: string[] = [];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let row = await findAndPrecheck(sql, request, key, workflowCommand);
    const resourceId =
      typeof workflowCommand.resourceId === 'string'
        ? workflowCommand.resourceId
        : workflowCommand.resourceId();
    const { update = null, body } = workflowCommand;
    const pending = { resourceId, update, body, traceparent: activeTraceparent() };
    const [mine] = row === undefined ? await insertCommand(sql, request, key, pending) : [];
    let command = mine && { id: mine.id, resourceId, update };
    if (command === undefined) {
      row ??= await findCommand(sql, request, key);
      if (row === undefined) continue;
      const remembered = replayOf(row, workflowCommand.replayStatus);
      if (remembered !== null) return remembered;
      command = { id: row.id, resourceId: row.resource_id, update: row.update_name };
    }
    const { id } = command;
    const updateId = updateIdOf(id, sent.filter((earlier) => earlier === id).length);
    sent.push(id);
    failpoint('command.accepted', request.operation);
    try {
      const { operation, caller } = request;
      await workflowCommand.send({ ...command, operation, caller, updateId });
    } catch (error) {
      if (await mustStartAgain(sql, request.caller.tenant, id, error)) continue;
      throw error;
    }
    failpoint('command.before-answer', request.operation);
    const answered = await findCommand(sql, request, key);
    const reply = answered === undefined ? null : replayOf(answered, workflowCommand.replayStatus);
    if (reply === null) continue;
    const firstStatus = answered?.answer_status ?? reply.status;
    return mine === undefined ? reply : { ...reply, status: firstStatus, replayed: false };
  }
  throw unavailable('The response to this request');
}
