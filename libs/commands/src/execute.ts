/**
 * Commands with more than one step: the command row is inserted with a lease, and the serving process executes the steps. What a crash,
 * the deadline or another service interrupts is finished by the workflow of the resource, which executes the same function.
 *
 * Failure policy: closed. A failed step is repeated until the deadline of the request; then the response is 503, and the command is
 * finished later. A repeated request has one effect, because every step is idempotent by the command's ID.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { ApiError, type Command, isRejection, isUnavailable, unavailable } from '@carecover/domain';
import { isDatabaseUnavailable, isDeadlock, type Sql } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import { activeTraceparent, resumeTrace, SpanKind } from '@carecover/telemetry';
import {
  findCommand,
  insertCommand,
  type JsonResponse,
  MAX_ATTEMPTS,
  readCommand,
  replayOf,
  StartAgain,
  setAttempted,
  type WriteRequest,
} from './row';

/**
 * Executes all steps of a command, from its check to the commit of its response. It can be called several times for one command, also at
 * the same time.
 *
 * @returns the response, if this call has stored it; null if another executor has
 * @throws ApiError that rejects the command, whose row is then deleted, or service_unavailable; StartAgain
 */
export type ExecuteSteps = (command: Command) => Promise<JsonResponse | null>;

/** The functions that execute a service's commands with several steps, by operation. */
export type Executors = Partial<Readonly<Record<OperationId, ExecuteSteps>>>;

/** The input of {@link executeCommand}. */
export interface CommandWithSteps {
  /** The resource's ID, or a function that generates one. Retries keep the ID of the command row. */
  readonly resourceId: string | (() => string);
  /** The resource whose workflow finishes the command if it is interrupted. Default: the command's resource. */
  readonly workflowId?: string;
  /** The command's input. It never contains a member reference. */
  readonly body: unknown;
  readonly replayStatus: number;
  /** Throws the API errors that can be found before the command row is inserted, such as an unknown resource. */
  readonly precheck?: () => Promise<void>;
  readonly execute: ExecuteSteps;
}

/** How long in milliseconds a request executes a command. The gateway waits longer, so that the client gets this response. */
export const COMMAND_DEADLINE_MS = 12_000;

/** The first and the longest pause in milliseconds before a failed step is repeated. Each pause is twice as long as the previous one. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

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
  { precheck, replayStatus }: CommandWithSteps,
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

/** A pending command that a request executes, or the stored response of its idempotency key. */
type Accepted =
  | { readonly command: Command; readonly isNew: boolean }
  | { readonly stored: JsonResponse }
  | null;

/** Inserts the request's command, or finds the one of an earlier request; null if that one was deleted meanwhile. */
async function acceptCommand(
  sql: Sql,
  request: WriteRequest,
  key: string,
  commandWithSteps: CommandWithSteps,
): Promise<Accepted> {
  const { operation, caller } = request;
  const { resourceId: given, body, replayStatus } = commandWithSteps;
  const found = await findAndPrecheck(sql, request, key, commandWithSteps);
  if (found === undefined) {
    const resourceId = typeof given === 'string' ? given : given();
    const workflowId = commandWithSteps.workflowId ?? resourceId;
    const pending = { resourceId, workflowId, body, traceparent: activeTraceparent() };
    const [mine] = await insertCommand(sql, request, key, pending);
    if (mine !== undefined)
      return { command: { id: mine.id, operation, resourceId, caller, body }, isNew: true };
  }
  const row = found ?? (await findCommand(sql, request, key));
  if (row === undefined) return null;
  const stored = replayOf(row, replayStatus);
  if (stored !== null) return { stored };
  const command = await readCommand(sql, caller.tenant, row.id);
  return command === null || command.answered ? null : { command, isNew: false };
}

/**
 * Repeats work, with pauses, while a service or the database is unavailable, until the deadline of a request.
 *
 * @param work must be idempotent
 * @param deadlineMs epoch milliseconds; by default {@link COMMAND_DEADLINE_MS} from now
 * @throws the first error that has another reason; after the deadline, the last error of `work`
 */
export async function repeatUntilDeadline<T>(
  work: () => Promise<T>,
  deadlineMs = Date.now() + COMMAND_DEADLINE_MS,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) && !isDatabaseUnavailable(error) && !isDeadlock(error)) throw error;
      // Half of the pause is random, so that the commands of one resource are not all repeated at the same time.
      const restMs = pauseMs * (0.5 + Math.random() / 2);
      if (Date.now() + restMs >= deadlineMs) throw error;
      await sleep(restMs);
    }
  }
}

/**
 * Executes a command with several steps. The command row is inserted after the precheck, so a crash during the precheck leaves the key
 * unused.
 *
 * @returns the response, or the stored response of an earlier request with the same key
 * @throws ApiError of the precheck or the steps; idempotency_conflict if the key was used for another request; service_unavailable if
 *   there is no response in time
 */
export async function executeCommand(
  sql: Sql,
  request: WriteRequest,
  commandWithSteps: CommandWithSteps,
): Promise<JsonResponse> {
  const key = request.idempotencyKey;
  if (key === null) throw new Error(`${request.operation} requires an idempotency key`);
  const { execute, replayStatus } = commandWithSteps;
  const deadlineMs = Date.now() + COMMAND_DEADLINE_MS;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const accepted = await acceptCommand(sql, request, key, commandWithSteps);
    if (accepted === null) continue;
    if ('stored' in accepted) return accepted.stored;
    const { command, isNew } = accepted;
    failpoint('command.accepted', request.operation);
    let sent: JsonResponse | null;
    try {
      sent = await repeatUntilDeadline(() => execute(command), deadlineMs);
    } catch (error) {
      // A rejection deletes the row, so a row that exists although this attempt was rejected has the response of another attempt.
      if (!(error instanceof StartAgain) && !(isRejection(error) && (await hasRow(sql, command))))
        throw error;
      continue;
    }
    failpoint('command.before-response', request.operation);
    if (sent !== null) return isNew ? sent : { ...sent, status: replayStatus, replayed: true };
    const answered = await findCommand(sql, request, key);
    const stored = answered === undefined ? null : replayOf(answered, replayStatus);
    if (stored === null) continue;
    return isNew
      ? { ...stored, status: answered?.response_status ?? stored.status, replayed: false }
      : stored;
  }
  throw unavailable('The response to this request');
}

async function hasRow(sql: Sql, { id, caller }: Command): Promise<boolean> {
  return (await readCommand(sql, caller.tenant, id)) !== null;
}

/** How the execution of an interrupted command ended, for operators. */
export type Finished =
  | { readonly outcome: 'executed' }
  | { readonly outcome: 'rejected'; readonly code: string; readonly message: string }
  /** The command was rejected before, or must start again with a further request. */
  | { readonly outcome: 'deleted' };

/**
 * Executes an interrupted command once more, for the workflow of its resource.
 *
 * @throws the error that prevents the command's end, such as service_unavailable: the workflow then repeats the call
 */
export async function finishCommand(
  sql: Sql,
  executors: Executors,
  tenant: Tenant,
  commandId: string,
): Promise<Finished> {
  const command = await readCommand(sql, tenant, commandId);
  if (command === null) return { outcome: 'deleted' };
  if (command.answered) return { outcome: 'executed' };
  const execute = executors[command.operation];
  if (execute === undefined) throw new Error(`this release can't execute ${command.operation}`);
  const traceparent = await setAttempted(sql, tenant, commandId);
  try {
    await resumeTrace(traceparent, 'finish command', SpanKind.INTERNAL, () => execute(command));
    return { outcome: 'executed' };
  } catch (error) {
    if (error instanceof StartAgain) return { outcome: 'deleted' };
    if (!isRejection(error)) throw error;
    return { outcome: 'rejected', code: error.code, message: error.message };
  }
}
