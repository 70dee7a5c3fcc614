/** Writes that a workflow carries out: the row first, then the workflow, then the answer that it left in the row. */

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

/** A write that a workflow carries out; see {@link executeCommand}. */
export interface WorkflowCommand {
  /**
   * The resource's id: the one of the path, or how a new one is chosen. A command keeps it through every retry; one that
   * begins again, since the first was given up, gets another.
   */
  readonly resourceId: string | (() => string);
  /** What the committing transaction will need. Never a member reference. */
  readonly body: unknown;
  readonly replayStatus: number;
  /** Rejects what can be refused for ever, such as an unknown resource, before anything is written. */
  readonly precheck?: () => Promise<void>;
  /** Hands the command to the resource's workflow and waits for it. @throws ApiError, CommandGone */
  readonly send: (command: SentCommand) => Promise<void>;
}

/** A command on its way to its workflow. */
export interface SentCommand {
  readonly id: string;
  readonly resourceId: string;
  /** Of the Update that carries it out. */
  readonly updateId: string;
}

/** How often a command is sent that the row calls pending when the workflow is done with it. */
export const MAX_ATTEMPTS = 3;

/**
 * The id of a command's Update, the same for every caller, so that they join. The engine remembers what became of it.
 * Where the row knows nothing of that, it was in a future which a restore took back, and the command is sent under another
 * id.
 *
 * @param sending from 1
 */
export function updateIdOf(commandId: string, sending: number): string {
  return sending === 1 ? commandId : `${commandId}:${sending}`;
}

/** Whether what the workflow says is not the last word: the command is gone, or its row knows of no rejection. */
async function isOverruled(sql: Sql, commandId: string, error: unknown): Promise<boolean> {
  if (error instanceof CommandGone) return true;
  const isFinal = error instanceof ApiError && error.code !== 'service_unavailable';
  return isFinal && (await isPending(sql, commandId));
}

function isOfBody(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'validation_failed';
}

/**
 * What the key already stands for, told before what the check rejects; both are asked at once. The body of a command that
 * waits was let pass once, and only time has passed since: its own commit judges that, and forgets it where it rejects.
 * Rejected here, it would still wait, and could take effect for a caller who sends a corrected body.
 *
 * @throws what the check throws
 */
async function beforehand(
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
  const isSettled = row !== undefined && (replayOf(row, replayStatus) !== null || isOfBody(failed.error));
  if (!isSettled) throw failed.error;
  return row;
}

/**
 * A write that waits, orchestrates or may be interrupted: the command row first, then the workflow, then the answer that the
 * committing transaction left in the row. A crash anywhere leaves a pending row, and the retry joins it. There is no row
 * before the check has passed, so that a crash until then leaves the key free for a corrected body.
 */
export async function executeCommand(
  sql: Sql,
  request: WriteRequest,
  workflowCommand: WorkflowCommand,
): Promise<Reply> {
  const key = request.idempotencyKey;
  if (key === null) throw new Error(`${request.operation} needs an idempotency key`);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    let row = await beforehand(sql, request, key, workflowCommand);
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
      if (await isOverruled(sql, command.id, error)) continue;
      throw error;
    }
    failpoint('command.before-answer', request.operation);
    const answered = await findCommand(sql, request, key);
    const reply = answered === undefined ? null : replayOf(answered, workflowCommand.replayStatus);
    if (reply === null) continue;
    const firstStatus = answered?.answer_status ?? reply.status;
    return mine === undefined ? reply : { ...reply, status: firstStatus, replayed: false };
  }
  throw unavailable('The answer to this request');
}
