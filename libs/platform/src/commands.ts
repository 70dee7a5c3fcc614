/**
 * Command rows: why no accepted write is done twice. A write and its idempotency key are one row; whoever comes second,
 * at once or a year later, on this replica or another, finds the first one's answer or waits for it.
 *
 * Only successes are remembered: a refusal deletes the row in the transaction that decides it, so the same key may carry
 * a corrected body. Rows live as long as what they made.
 */
import type { OperationId } from '@carecover/contract';
import { failpoint } from './failpoints';
import { newId } from './ids';
import type { Db, Sql, Tx } from './postgres';
import { Refusal, unavailable } from './refusal';
import type { Caller } from './tenant';
import { activeTraceparent } from './tracing/spans';

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

interface CommandRow {
  id: string;
  operation: OperationId;
  request_hash: Buffer;
  resource_id: string;
  caller: Caller;
  body: unknown;
  answer_status: number | null;
  answer_body: string | null;
}

/** Thrown where a command's row is gone: it was refused, and its caller has been told. */
export class CommandGone extends Error {
  override readonly name = 'CommandGone';
}

/** @param waits whether it outlives this transaction without an answer, and so keeps its trace */
function insertCommand(
  db: Db,
  request: WriteRequest,
  key: string,
  resourceId: string,
  body: unknown,
  waits: boolean,
) {
  const { caller, operation, requestHash } = request;
  const traceparent = waits ? activeTraceparent() : null;
  return db<{ id: string }[]>`
    insert into commands (id, project_id, operation, idempotency_key, request_hash, resource_id, caller, body, traceparent)
    values (${newId('cmd_')}, ${caller.tenant}, ${operation}, ${key}, ${requestHash}, ${resourceId},
            ${db.json(JSON.parse(JSON.stringify(caller)))}, ${body === null ? null : db.json(JSON.parse(JSON.stringify(body)))}, ${traceparent})
    on conflict (project_id, operation, idempotency_key) do nothing
    returning id`;
}

async function findCommand(db: Db, request: WriteRequest, key: string): Promise<CommandRow | undefined> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body
    from commands
    where project_id = ${request.caller.tenant} and operation = ${request.operation} and idempotency_key = ${key}`;
  if (row !== undefined && !row.request_hash.equals(request.requestHash)) {
    throw new Refusal(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request: /headers/Idempotency-Key',
    );
  }
  return row;
}

function replayOf(row: CommandRow, replayStatus: number): Reply | null {
  if (row.answer_status === null || row.answer_body === null) return null;
  return { status: replayStatus, text: row.answer_body, replayed: true };
}

/**
 * A write that is one transaction of one service: `effect` runs at most once for a key, in the transaction that
 * remembers its answer. The twin of a racing pair waits for the first and gets its answer.
 *
 * @param replayStatus what a replay answers: 200 where the contract says so, else the first status
 * @throws Refusal idempotency_conflict, or whatever `effect` refuses with (then nothing is remembered)
 */
export async function writeOnce(
  sql: Sql,
  request: WriteRequest,
  replayStatus: number,
  effect: (tx: Tx) => Promise<Answer & { readonly resourceId: string }>,
): Promise<Reply> {
  const key = request.idempotencyKey;
  for (;;) {
    const reply = await sql.begin(async (tx) => {
      const [mine] = key === null ? [] : await insertCommand(tx, request, key, 'pending', null, false);
      if (key !== null && mine === undefined) {
        const row = await findCommand(tx, request, key);
        return row === undefined ? null : replayOf(row, replayStatus);
      }
      const { status, body, resourceId } = await effect(tx);
      const text = JSON.stringify(body);
      if (mine !== undefined) {
        await tx`
          update commands set answer_status = ${status}, answer_body = ${text}, resource_id = ${resourceId}
          where id = ${mine.id}`;
      }
      failpoint('write.before-commit', request.operation);
      return { status, text, replayed: false };
    });
    failpoint('write.after-commit', request.operation);
    // Null: the first of the pair was refused between our two statements, so the key is free again.
    if (reply !== null) return reply;
  }
}

/** A write that a workflow carries out; see {@link carryOut}. */
export interface Errand {
  /**
   * The resource's id: the one of the path, or how a new one is chosen. A command keeps it through every retry; one that begins anew,
   * since the first was given up, gets another.
   */
  readonly resourceId: string | (() => string);
  /** What the committing transaction will need. Never a member reference. */
  readonly body: unknown;
  readonly replayStatus: number;
  /** Refuses what can be refused for ever, such as an unknown resource, before anything is written. */
  readonly precheck?: () => Promise<void>;
  /** Hands the command to the resource's workflow and waits for it. @throws Refusal, CommandGone */
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
export const SENDINGS = 3;

/**
 * The id of a command's Update, the same for every caller, so that they join. The engine remembers what became of it. Where the
 * row knows nothing of that, it was in a future which a restore took back, and the command is sent under another id.
 *
 * @param sending from 1
 */
export function updateIdOf(commandId: string, sending: number): string {
  return sending === 1 ? commandId : `${commandId}:${sending}`;
}

/** Whether the command waits for its answer: neither answered nor refused. */
export async function isPending(db: Db, commandId: string): Promise<boolean> {
  const rows = await db`select 1 from commands where id = ${commandId} and answer_status is null`;
  return rows.length > 0;
}

/** Whether what the workflow says is not the last word: the command is gone, or its row knows of no refusal. */
async function isOverruled(sql: Sql, commandId: string, error: unknown): Promise<boolean> {
  if (error instanceof CommandGone) return true;
  const isFinal = error instanceof Refusal && error.code !== 'service_unavailable';
  return isFinal && (await isPending(sql, commandId));
}

function isOfBody(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'validation_failed';
}

/**
 * What the key already stands for, told before what the check refuses; both are asked at once. The body of a command that waits was
 * let pass once, and only time has passed since: its own commit judges that, and forgets it where it refuses. Refused here, it would
 * still wait, and could take effect for a caller who sends a corrected body.
 *
 * @throws what the check throws
 */
async function beforehand(sql: Sql, request: WriteRequest, key: string, { precheck, replayStatus }: Errand) {
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
export async function carryOut(sql: Sql, request: WriteRequest, errand: Errand): Promise<Reply> {
  const key = request.idempotencyKey;
  if (key === null) throw new Error(`${request.operation} needs an idempotency key`);
  for (let attempt = 1; attempt <= SENDINGS; attempt++) {
    let row = await beforehand(sql, request, key, errand);
    const resourceId = typeof errand.resourceId === 'string' ? errand.resourceId : errand.resourceId();
    const [mine] =
      row === undefined ? await insertCommand(sql, request, key, resourceId, errand.body, true) : [];
    let command = mine && { id: mine.id, resourceId };
    if (command === undefined) {
      row ??= await findCommand(sql, request, key);
      if (row === undefined) continue;
      const remembered = replayOf(row, errand.replayStatus);
      if (remembered !== null) return remembered;
      command = { id: row.id, resourceId: row.resource_id };
    }
    failpoint('command.accepted', request.operation);
    try {
      await errand.send({ ...command, updateId: updateIdOf(command.id, attempt) });
    } catch (error) {
      if (await isOverruled(sql, command.id, error)) continue;
      throw error;
    }
    failpoint('command.before-answer', request.operation);
    const answered = await findCommand(sql, request, key);
    const reply = answered === undefined ? null : replayOf(answered, errand.replayStatus);
    if (reply === null) continue;
    const firstStatus = answered?.answer_status ?? reply.status;
    return mine === undefined ? reply : { ...reply, status: firstStatus, replayed: false };
  }
  throw unavailable('The answer to this request');
}

/** Forgets a pending command: part of every refusal. */
export async function dropCommand(db: Db, commandId: string): Promise<void> {
  await db`delete from commands where id = ${commandId} and answer_status is null`;
}

/** The command's row, unlocked; null where it was refused. For the steps before the commit. */
export async function readCommand(
  db: Db,
  commandId: string,
): Promise<(Command & { readonly answered: boolean }) | null> {
  const [row] = await db<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body from commands where id = ${commandId}`;
  return row === undefined ? null : { ...toCommand(row), answered: row.answer_status !== null };
}

/** The command's row, locked: nobody answers or forgets it before the transaction ends. @throws CommandGone where it was refused */
export async function lockCommand(
  tx: Tx,
  commandId: string,
): Promise<Command & { readonly answered: boolean }> {
  const [row] = await tx<CommandRow[]>`
    select id, operation, request_hash, resource_id, caller, body, answer_status, answer_body
    from commands where id = ${commandId} for update`;
  if (row === undefined) throw new CommandGone(`command ${commandId} is gone`);
  return { ...toCommand(row), answered: row.answer_status !== null };
}

function toCommand(row: CommandRow): Command {
  return {
    id: row.id,
    operation: row.operation,
    resourceId: row.resource_id,
    caller: row.caller,
    body: row.body,
  };
}

/**
 * A deciding step of a command: one transaction that commits what `effect` does, without an answer yet (a later step asks
 * another service to record it first). What `effect` throws as a Refusal rolls its work back and forgets the command, in
 * one commit. Where the command was answered already, `effect` does not run and the result is null.
 *
 * @throws CommandGone where the row is no longer there; Refusal as `effect` throws it
 */
export async function decideCommand<T>(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command) => Promise<T>,
): Promise<T | null> {
  const decided = await sql.begin(async (tx) => {
    const { answered, ...command } = await lockCommand(tx, commandId);
    const { operation } = command;
    if (answered) return { result: null, operation };
    failpoint('command.deciding', operation);
    try {
      const result = await tx.savepoint((inner) => effect(inner, command));
      failpoint('command.before-commit', operation);
      return { result, operation };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await dropCommand(tx, commandId);
      return error;
    }
  });
  if (decided instanceof Refusal) throw decided;
  failpoint('command.after-commit', decided.operation);
  return decided.result as T | null;
}

/**
 * The committing transaction of a command: facts, new state, answer and events in one. Repeated after a crash, it finds
 * its answer and does nothing; refusals as in {@link decideCommand}.
 *
 * @throws CommandGone where the row is no longer there; Refusal as `effect` throws it
 */
export async function commitCommand(
  sql: Sql,
  commandId: string,
  effect: (tx: Tx, command: Command) => Promise<Answer>,
): Promise<void> {
  await decideCommand(sql, commandId, async (tx, command) => {
    await answerCommand(tx, commandId, await effect(tx, command));
  });
}

/** Writes a command's answer; from then on every retry gets these bytes, and body and trace are no longer kept. */
export async function answerCommand(tx: Tx, commandId: string, answer: Answer): Promise<void> {
  await tx`
    update commands set answer_status = ${answer.status}, answer_body = ${JSON.stringify(answer.body)}, body = null, traceparent = null
    where id = ${commandId} and answer_status is null`;
}

/** A command that nobody has answered, and since when it waits. */
export interface StaleCommand {
  readonly id: string;
  readonly operation: OperationId;
  readonly resource_id: string;
  readonly caller: Caller;
  readonly traceparent: string | null;
  readonly created_at: Date;
}

/**
 * Commands that have waited longer than `seconds`: whoever sent them is gone, so the sweeper sends them again. The oldest
 * first, at most `limit`, of those that came after `after`.
 */
export async function staleCommands(
  db: Db,
  seconds: number,
  after: Pick<StaleCommand, 'id' | 'created_at'> | null = null,
  limit = 100,
): Promise<StaleCommand[]> {
  const beyond = after === null ? db`` : db`and (created_at, id) > (${after.created_at}, ${after.id})`;
  return db<StaleCommand[]>`
    select id, operation, resource_id, caller, traceparent, created_at from commands
    where answer_status is null and created_at < (select platform.now()) - ${seconds} * interval '1 second' ${beyond}
    order by created_at, id limit ${limit}`.then((rows) => [...rows]);
}
