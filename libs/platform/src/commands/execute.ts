/** Writes that a workflow executes: the command row is inserted, sent to the workflow, and read again with its response. */
import { ApiError, unavailable } from '../api-error';
import { failpoint } from '../failpoints';
import type { Sql } from '../postgres';
import { activeTraceparent } from '../tracing/spans';
import {
  CommandGone,
  findCommand,
  insertCommand,
  isPending,
  type Reply,
  replayOf,
  type WriteRequest,
} from './row';

/** A command together with the workflow and the Update that execute it; see {@link executeCommand}. */
export interface WorkflowCommand {
  /** The resource's ID, or a function that generates one. Retries keep the ID of the command row. */
  readonly resourceId: string | (() => string);
  /** Input of the deciding transaction. It never contains a member reference. */
  readonly body: unknown;
  readonly replayStatus: number;
  /** Throws the rejections that need no workflow, such as an unknown resource, before the row is inserted. */
  readonly precheck?: () => Promise<void>;
  /** Sends the command to the resource's workflow and waits for it. @throws ApiError, CommandGone */
  readonly send: (command: SentCommand) => Promise<void>;
}

/** A command that is sent to its workflow. */
export interface SentCommand {
  readonly id: string;
  readonly resourceId: string;
  /** The ID of the Update that executes it. */
  readonly updateId: string;
}

/** How often a command is sent if its row is still pending after its Update. */
export const MAX_ATTEMPTS = 3;

/**
 * Returns the ID of a command's Update, the same for every client, so that concurrent requests join one Update. Temporal stores its
 * result. After a restore of PostgreSQL the row can be pending nevertheless; the command is then sent with another Update ID.
 *
 * @param attempt from 1
 */
export function updateIdOf(commandId: string, attempt: number): string {
  return attempt === 1 ? commandId : `${commandId}:${attempt}`;
}

/** Returns whether the command must be sent again: its row was deleted, or is pending although the workflow rejected it. */
async function mustSendAgain(sql: Sql, commandId: string, error: unknown): Promise<boolean> {
  if (error instanceof CommandGone) return true;
  const isFinal = error instanceof ApiError && error.code !== 'service_unavailable';
  return isFinal && (await isPending(sql, commandId));
}

function isValidationError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'validation_failed';
}

/**
 * Finds the command with this key, and runs the precheck concurrently. A replay has priority over a rejection. So has a pending
 * command over a validation error: only its own transaction can reject it, because here it would stay pending.
 *
 * @throws the error of the precheck
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
 * Executes a write that needs a workflow. After a crash at any point the command is pending, and a retry joins it. The row is
 * inserted after the precheck, so that a crash before that leaves the key unused.
 *
 * @returns the response, or the replay of an earlier one
 * @throws ApiError of the precheck or the workflow; idempotency_conflict; service_unavailable if there is no response in time
 */
export async function executeCommand(
  sql: Sql,
  request: WriteRequest,
  workflowCommand: WorkflowCommand,
): Promise<Reply> {
  const key = request.idempotencyKey;
  if (key === null) throw new Error(`${request.operation} requires an idempotency key`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let row = await findAndPrecheck(sql, request, key, workflowCommand);
    const resourceId =
      typeof workflowCommand.resourceId === 'string'
        ? workflowCommand.resourceId
        : workflowCommand.resourceId();
    const pending = { resourceId, body: workflowCommand.body, traceparent: activeTraceparent() };
    const [mine] = row === undefined ? await insertCommand(sql, request, key, pending) : [];
    let command = mine && { id: mine.id, resourceId };
    if (command === undefined) {
      row ??= await findCommand(sql, request, key);
      if (row === undefined) continue;
      const remembered = replayOf(row, workflowCommand.replayStatus);
      if (remembered !== null) return remembered;
      command = { id: row.id, resourceId: row.resource_id };
    }
    failpoint('command.accepted', request.operation);
    try {
      await workflowCommand.send({ ...command, updateId: updateIdOf(command.id, attempt) });
    } catch (error) {
      if (await mustSendAgain(sql, command.id, error)) continue;
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
