/** The row of a command: how it is written, found, locked, answered and forgotten. */
import type { OperationId } from '@carecover/contract';
import { ApiError } from '../api-error';
import { newId } from '../ids';
import { type Db, jsonb, type Tx } from '../postgres';
import type { Caller } from '../tenant';

/** What a write is known by, before anything is decided about it. */
export interface WriteRequest {
  readonly operation: OperationId;
  readonly caller: Caller;
  /** Null where the operation does not require a key and none was sent: then nothing is remembered. */
  readonly idempotencyKey: string | null;
  readonly requestHash: Buffer;
}

/** An answer to be remembered: replays give the same bytes again. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** What goes back to the gateway: `text` is the JSON to send. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/** A command as a committing transaction sees it. */
export interface Command {
  readonly id: string;
  readonly operation: OperationId;
  readonly resourceId: string;
  readonly caller: Caller;
  readonly body: unknown;
}

/** A command as read from its row, which may have been answered meanwhile. */
export type KnownCommand = Command & { readonly answered: boolean };

export interface CommandRow {
  id: string;
  operation: OperationId;
  request_hash: Buffer;
  resource_id: string;
  caller: Caller;
  body: unknown;
  answer_status: number | null;
  answer_body: string | null;
}

/** What a new row begins with, beside the request that it is of. */
export interface PendingCommand {
  readonly resourceId: string;
  readonly body: unknown;
  /** Of the trace in which it goes on, if it is sent again: null for one that never waits. */
  readonly traceparent: string | null;
}

/** Thrown where a command's row is gone: it was refused, and its caller has been told. */
export class CommandGone extends Error {
  override readonly name = 'CommandGone';
}

/** Takes the key for a new command; gives no row where the key is taken already. */
export function insertCommand(db: Db, request: WriteRequest, key: string, pending: PendingCommand) {
  const { caller, operation, requestHash } = request;
  const { resourceId, body, traceparent } = pending;
  return db<{ id: string }[]>`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, body, traceparent)
    values (${newId('cmd_')}, ${caller.tenant}, ${operation}, ${key}, ${requestHash}, ${resourceId},
            ${jsonb(db, caller)}, ${body === null ? null : jsonb(db, body)}, ${traceparent})
    on conflict (project_id, operation, idempotency_key) do nothing
    returning id`;
}

/** The command under the request's key. @throws ApiError idempotency_conflict where that is another request's */
export async function findCommand(
  db: Db,
  request: WriteRequest,
  key: string,
): Promise<CommandRow | undefined> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body
    from commands
    where project_id = ${request.caller.tenant} and operation = ${request.operation} and idempotency_key = ${key}`;
  if (row !== undefined && !row.request_hash.equals(request.requestHash)) {
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request: /headers/Idempotency-Key',
    );
  }
  return row;
}

/** What the row remembers to be answered; null while it waits. */
export function replayOf(row: CommandRow, replayStatus: number): Reply | null {
  if (row.answer_status === null || row.answer_body === null) return null;
  return { status: replayStatus, text: row.answer_body, replayed: true };
}

/** Whether the command waits for its answer: neither answered nor refused. */
export async function isPending(db: Db, commandId: string): Promise<boolean> {
  const rows = await db`select 1 from commands where id = ${commandId} and answer_status is null`;
  return rows.length > 0;
}

/** The command's row, unlocked; null where it was refused. For the steps before the commit. */
export async function readCommand(db: Db, commandId: string): Promise<KnownCommand | null> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body
    from commands where id = ${commandId}`;
  return row === undefined ? null : toCommand(row);
}

/**
 * The command's row, locked: nobody answers or forgets it before the transaction ends.
 *
 * @throws CommandGone where it was refused
 */
export async function lockCommand(tx: Tx, commandId: string): Promise<KnownCommand> {
  const [row] = await tx<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body
    from commands where id = ${commandId} for update`;
  if (row === undefined) throw new CommandGone(`command ${commandId} is gone`);
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
 * Writes a command's answer; from then on every retry gets these bytes, and body and trace are no longer kept. A statement by
 * itself, or a part of another one (`with answered as (…)`) that commits more with it.
 */
export function answerCommand(db: Db, commandId: string, answer: Answer) {
  return db`
    update commands set answer_status = ${answer.status}, answer_body = ${JSON.stringify(answer.body)},
      body = null, traceparent = null
    where id = ${commandId} and answer_status is null`;
}

/** Forgets a pending command: part of every rejection. */
export async function dropCommand(db: Db, commandId: string): Promise<void> {
  await db`delete from commands where id = ${commandId} and answer_status is null`;
}
