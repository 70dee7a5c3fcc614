/** The command row: how it is inserted, found, locked, answered and deleted. */
import type { OperationId } from '@carecover/contract';
import { ApiError } from '../api-error';
import { newId } from '../ids';
import { type Db, jsonb, type Tx } from '../postgres';
import type { Caller } from '../tenant';

/** A write request: the values by which a repeated request is distinguished from a new one. */
export interface WriteRequest {
  readonly operation: OperationId;
  readonly caller: Caller;
  /** Null if the client sent no key and the operation requires none: then there is no command row. */
  readonly idempotencyKey: string | null;
  readonly requestHash: Buffer;
}

/** The response of a command, which its row stores. A repeated request gets the same bytes. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A response as it is sent to the gateway. `text` is the JSON of its body. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** A command, as the transaction that decides it reads it. */
export interface Command {
  readonly id: string;
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly caller: Caller;
  readonly body: unknown;
}

/** A command as read from its row. `answered` is true if the row has a response. */
export type KnownCommand = Command & { readonly answered: boolean };

export interface CommandRow {
  id: string;
  operation: OperationId;
  request_hash: Buffer;
  resource_id: string;
  update_name: string | null;
  caller: Caller;
  body: unknown;
  answer_status: number | null;
  answer_body: string | null;
}

/** The values of a new command row that its {@link WriteRequest} does not contain. */
export interface PendingCommand {
  readonly resourceId: string;
  /** The name of the Update that executes the command; null for a command that no workflow executes. */
  readonly update: string | null;
  readonly body: unknown;
  /** The trace context with which a sweep sends the command again; null if the request was not traced. */
  readonly traceparent: string | null;
}

/** Thrown if a command's row does not exist any more: the command was rejected, and its client received the rejection. */
export class CommandGone extends Error {
  override readonly name = 'CommandGone';
}

/** Inserts a pending command. The statement returns no row if a command with the same key exists. */
export function insertCommand(db: Db, request: WriteRequest, key: string, pending: PendingCommand) {
  const { caller, operation, requestHash } = request;
  const { resourceId, update, body, traceparent } = pending;
  return db<{ id: string }[]>`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, update_name, caller, body,
                          traceparent)
    values (${newId('cmd_')}, ${caller.tenant}, ${operation}, ${key}, ${requestHash}, ${resourceId}, ${update},
            ${jsonb(caller)}, ${body === null ? null : jsonb(body)}, ${traceparent})
    on conflict (project_id, operation, idempotency_key) do nothing
    returning id`;
}

/** Finds the command with the request's key. @throws ApiError idempotency_conflict if the key was used for another request */
export async function findCommand(
  db: Db,
  request: WriteRequest,
  key: string,
): Promise<CommandRow | undefined> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, update_name, caller, body, answer_status, answer_body
    from commands
    where project_id = ${request.caller.tenant} and operation = ${request.operation} and idempotency_key = ${key}`;
  if (row !== undefined && !row.request_hash.equals(request.requestHash)) {
    throw new ApiError(
      'idempotency_conflict',
      '/headers/Idempotency-Key was used for another request: send a new key',
    );
  }
  return row;
}

/** Returns the stored response, for a repeated request; null for a pending command. */
export function replayOf(row: CommandRow, replayStatus: number): Reply | null {
  if (row.answer_status === null || row.answer_body === null) return null;
  return { status: replayStatus, text: row.answer_body, replayed: true };
}

/** Returns whether the command has neither a response nor a rejection. */
export async function isPending(db: Db, commandId: string): Promise<boolean> {
  const rows = await db`select 1 from commands where id = ${commandId} and answer_status is null`;
  return rows.length > 0;
}

/** Reads a command without a lock, for steps before the deciding transaction. Returns null if the command was rejected. */
export async function readCommand(db: Db, commandId: string): Promise<KnownCommand | null> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, update_name, caller, body, answer_status, answer_body
    from commands where id = ${commandId}`;
  return row === undefined ? null : toCommand(row);
}

/**
 * Reads a command and locks its row until the transaction ends.
 *
 * @throws CommandGone if the command was rejected
 */
export async function lockCommand(tx: Tx, commandId: string): Promise<KnownCommand> {
  const [row] = await tx<CommandRow[]>`
    select id, operation, request_hash, resource_id, update_name, caller, body, answer_status, answer_body
    from commands where id = ${commandId} for update`;
  if (row === undefined) throw new CommandGone(`command ${commandId} was rejected before`);
  return toCommand(row);
}

function toCommand(row: CommandRow): KnownCommand {
  return {
    id: row.id,
    operation: row.operation,
    resourceId: row.resource_id,
    caller: row.caller,
    body: row.body,
    answered: row.answer_status !== null,
  };
}

/**
 * Returns SQL that stores a command's response and deletes the command's body and trace context. Await the result to send it as a
 * statement, or make it a part of another statement.
 *
 * @example await tx`with answered as (${answerCommand(tx, command.id, answer)}) insert …`
 */
export function answerCommand(db: Db, commandId: string, answer: Answer) {
  return db`
    update commands set answer_status = ${answer.status}, answer_body = ${JSON.stringify(answer.body)},
      body = null, traceparent = null
    where id = ${commandId} and answer_status is null`;
}

/** Deletes a pending command: a part of every rejection. */
export async function dropCommand(db: Db, commandId: string): Promise<void> {
  await db`delete from commands where id = ${commandId} and answer_status is null`;
}
