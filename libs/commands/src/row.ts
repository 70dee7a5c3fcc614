/**
 * The command row: how it is inserted, found, locked, answered and deleted. Values that only a command without a response needs are in
 * the table pending_commands.
 */

import type { OperationId } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import {
  type ApiError,
  type Command,
  digest128,
  newId,
  requireResource,
  requireSameRequest,
} from '@carecover/domain';
import { type Db, type Fragment, jsonb, type Query, type Tx } from '@carecover/postgres';
import { decodeResponse, encodeResponse } from './stored-response';

/** A write request: the values by which a repeated request is distinguished from a new one. */
export interface WriteRequest {
  readonly operation: OperationId;
  readonly caller: Caller;
  /** The client's idempotency key. Null if the operation requires no key and the client sent none: then the write has no command row. */
  readonly idempotencyKey: string | null;
  readonly requestHash: Buffer;
}

/** The response of a command, stored in the command row. A repeated request gets a body with the same bytes. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
}

/** A response in the form in which it is sent to the gateway. `text` is the JSON of its body. */
export interface JsonResponse {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

/**
 * A command as read from its row. A command with a response has neither caller nor body, because both are deleted when the response is
 * stored.
 */
export type KnownCommand =
  | (Command & { readonly answered: false })
  | (Pick<Command, 'id' | 'operation' | 'resourceId'> & { readonly answered: true });

/** The values of a command that are read for a request with the same idempotency key. */
export interface FoundCommand {
  readonly id: string;
  readonly request_hash: Buffer;
  readonly resource_id: string;
  readonly response_status: number | null;
  readonly response: Buffer | null;
}

/** The values of a new command row that its {@link WriteRequest} does not contain. */
export interface PendingCommand {
  readonly resourceId: string;
  /** The resource whose workflow finishes the command if its execution is interrupted. */
  readonly workflowId: string;
  readonly body: unknown;
  /** The trace context with which an interrupted command continues; null if the request was not traced. */
  readonly traceparent: string | null;
}

/**
 * How long in seconds a command belongs to the process that executes it: a little longer than the deadline of its request. After it, a
 * sweep asks the resource's workflow to finish the command. Two executors of a command do no harm; the lease makes them rare.
 */
const LEASE_S = 15;

/** The maximum number of times that a request starts from the command row, because another attempt has deleted or answered the command. */
export const MAX_ATTEMPTS = 3;

/**
 * Thrown if an attempt can't complete its command, and the request must start again from the command row: another attempt has deleted the
 * row, or the resource that the command was to create can't be used any more.
 */
export class StartAgain extends Error {
  override readonly name = 'StartAgain';
}

/** Returns a hash of project, operation and idempotency key, because keys are unique per project and operation. */
function keyDigest({ caller, operation }: WriteRequest, key: string): string {
  return digest128(`${caller.tenant}\n${operation}\n${key}`);
}

/** Returns SQL that inserts the command row of a key and returns the row's ID; no row if the key has a command row already. */
function insertKey(db: Db, request: WriteRequest, key: string, resourceId: string) {
  const { caller, operation, requestHash } = request;
  return db<{ id: string }[]>`
    insert into commands (id, project_id, operation, key_digest, request_hash, resource_id)
    values (${newId('cmd_')}, ${caller.tenant}, ${operation}, ${keyDigest(request, key)}, ${requestHash}, ${resourceId})
    on conflict (key_digest) do nothing
    returning id`;
}

/** Inserts a pending command with a lease. The statement returns no row if a command with the same key exists. */
export function insertCommand(
  db: Db,
  request: WriteRequest,
  key: string,
  { resourceId, workflowId, body, traceparent }: PendingCommand,
) {
  return db<{ id: string }[]>`
    with command as (${insertKey(db, request, key, resourceId)})
    insert into pending_commands (id, workflow_id, caller, body, traceparent, leased_until)
    select id, ${workflowId}, ${jsonb(request.caller)}, ${body === null ? null : jsonb(body)}, ${traceparent},
      clock_timestamp() + ${LEASE_S} * interval '1 second'
    from command
    returning id`;
}

/**
 * Stores that an interrupted command is tried now, so that no sweep asks for its completion soon. The command stays interrupted.
 *
 * @returns the trace context with which the command continues; null if it has none
 */
export async function setAttempted(db: Db, tenant: Tenant, commandId: string): Promise<string | null> {
  const [row] = await db<{ traceparent: string | null }[]>`
    update pending_commands set attempted_at = clock_timestamp() from commands
    where pending_commands.id = ${commandId} and commands.id = pending_commands.id and commands.project_id = ${tenant}
    returning traceparent`;
  return row?.traceparent ?? null;
}

/**
 * Inserts the row of a command whose response {@link storeResponseOfInserted} stores in the same transaction. The statement returns no row if a
 * command with the same key exists.
 */
export function insertUnanswered(tx: Tx, request: WriteRequest, key: string) {
  return insertKey(tx, request, key, 'unknown');
}

/** Returns SQL that stores the response and the resource ID of a command that the same transaction inserted. */
export function storeResponseOfInserted(
  tx: Tx,
  tenant: Tenant,
  commandId: string,
  {
    status,
    text,
    resourceId,
  }: { readonly status: number; readonly text: string; readonly resourceId: string },
): Fragment {
  return tx`
    update commands set response_status = ${status}, response = ${encodeResponse(text)}, resource_id = ${resourceId}
    where id = ${commandId} and project_id = ${tenant}`;
}

/**
 * Finds the command with the request's idempotency key; undefined if there is none.
 *
 * @throws ApiError idempotency_conflict if the key was used for another request
 */
export async function findCommand(
  db: Db,
  request: WriteRequest,
  key: string,
): Promise<FoundCommand | undefined> {
  const [row] = await db<FoundCommand[]>`
    select id, request_hash, resource_id, response_status, response
    from commands where key_digest = ${keyDigest(request, key)}`;
  if (row !== undefined) requireSameRequest(row.request_hash, request.requestHash);
  return row;
}

/** Checks that the request's key was not used for another request. @throws ApiError idempotency_conflict */
export async function requireOwnKey(db: Db, request: WriteRequest): Promise<void> {
  if (request.idempotencyKey !== null) await findCommand(db, request, request.idempotencyKey);
}

/**
 * Returns the resource of a request whose command row is not inserted yet.
 *
 * @param found undefined if it does not exist: then the key is checked first
 * @throws ApiError idempotency_conflict; resource_not_found
 */
export async function requireTarget<Row>(
  db: Db,
  request: WriteRequest,
  id: string,
  found: Row | undefined,
): Promise<Row> {
  if (found === undefined) await requireOwnKey(db, request);
  return requireResource(request.caller, id, found);
}

/** Returns the stored response, for a repeated request; null for a pending command. */
export function replayOf({ response }: FoundCommand, replayStatus: number): JsonResponse | null {
  return response === null ? null : { status: replayStatus, text: decodeResponse(response), replayed: true };
}

/** A command that has neither a response nor a rejection, as operators see it. */
interface UnansweredCommand {
  readonly operation: string;
  readonly created_at: Date;
  /** Whether no process is expected to execute it any more, so that the workflow finishes it. */
  readonly is_interrupted: boolean;
}

/** Returns the commands of a resource that have neither a response nor a rejection, oldest first. */
export async function pendingCommandsOf(
  db: Db,
  tenant: Tenant,
  resourceId: string,
): Promise<UnansweredCommand[]> {
  return db<UnansweredCommand[]>`
    select operation, created_at, leased_until < clock_timestamp() as is_interrupted
    from pending_commands join commands using (id)
    where project_id = ${tenant} and resource_id = ${resourceId} order by created_at`;
}

/**
 * A command row, joined with its row in pending_commands. If the query waited for the lock of the command row, the values from
 * pending_commands can be older than the column `answered`.
 */
interface CommandRow {
  readonly id: string;
  readonly operation: OperationId;
  readonly resource_id: string;
  readonly answered: boolean;
  readonly caller: Caller;
  readonly body: unknown;
}

function selectCommand(db: Db, tenant: Tenant, commandId: string) {
  return db<CommandRow[]>`
    select commands.id, operation, resource_id, response_status is not null as answered, caller, body
    from commands left join pending_commands using (id)
    where commands.id = ${commandId} and project_id = ${tenant}`;
}

/** Reads a command without a lock, for steps before the deciding transaction. Returns null if the command was rejected. */
export async function readCommand(db: Db, tenant: Tenant, commandId: string): Promise<KnownCommand | null> {
  const [row] = await selectCommand(db, tenant, commandId);
  return row === undefined ? null : toCommand(row);
}

/**
 * Reads a command and locks its row until the transaction ends.
 *
 * @throws StartAgain if the command was rejected
 */
export function lockCommand(tx: Tx, tenant: Tenant, commandId: string): Query<KnownCommand> {
  const locked = tx<CommandRow[]>`${selectCommand(tx, tenant, commandId)} for update of commands`;
  return locked.withResult(([row]) => {
    if (row === undefined) throw new StartAgain(`command ${commandId} was rejected before`);
    return toCommand(row);
  });
}

function toCommand({ id, operation, resource_id, answered, caller, body }: CommandRow): KnownCommand {
  const command = { id, operation, resourceId: resource_id };
  return answered ? { ...command, answered } : { ...command, answered, caller, body };
}

/**
 * Returns SQL that stores a command's response unless the command has one, and deletes its row in pending_commands: two parts of a `with`
 * clause.
 */
export function responseParts(
  db: Db,
  tenant: Tenant,
  commandId: string,
  { status, text }: Pick<JsonResponse, 'status' | 'text'>,
): Fragment {
  return db`
    answered as (
      update commands set response_status = ${status}, response = ${encodeResponse(text)}
      where id = ${commandId} and project_id = ${tenant} and response_status is null returning id
    ), completed as (
      delete from pending_commands using answered where pending_commands.id = answered.id
    )`;
}

/** Stores a command's response, and deletes its row in pending_commands. Returns the response in the form in which it is sent. */
export async function storeResponse(
  db: Db,
  tenant: Tenant,
  commandId: string,
  response: StoredResponse,
): Promise<JsonResponse> {
  const sent = { status: response.status, text: JSON.stringify(response.body), replayed: false };
  await db`with ${responseParts(db, tenant, commandId, sent)} select`;
  return sent;
}

/**
 * Deletes a pending command, so that its idempotency key can be used again. The transaction that rejects a command with a row calls this
 * function.
 *
 * @param rejection the error that the client receives, which is kept for operators; null if the request starts again
 */
export function dropCommand(
  db: Db,
  tenant: Tenant,
  commandId: string,
  rejection: ApiError | null,
): Query<unknown> {
  const dropped = db`
    delete from commands where id = ${commandId} and project_id = ${tenant} and response_status is null
    returning id, project_id, resource_id, operation`;
  if (rejection === null) return db`with dropped as (${dropped}) select`;
  const { code, message } = rejection;
  return db`
    with dropped as (${dropped})
    insert into rejected_commands (id, project_id, resource_id, operation, actor, request_id, code, message)
    select id, project_id, resource_id, operation, caller ->> 'authority', caller ->> 'requestId', ${code}, ${message}
    from dropped join pending_commands using (id)`;
}

/** A command of a set: its write request with its key, and the values of its row. */
export interface NewCommand extends PendingCommand {
  readonly request: WriteRequest;
  readonly key: string;
}

/** Inserts pending commands, each with a lease. Returns the IDs by the index of the command; undefined for a key that has a command row. */
export function insertCommands(db: Db, commands: readonly NewCommand[]): Query<(string | undefined)[]> {
  const rows = commands.map(({ request, key, resourceId, workflowId, body, traceparent }) => ({
    id: newId('cmd_'),
    project_id: request.caller.tenant,
    operation: request.operation,
    key_digest: keyDigest(request, key),
    request_hash: request.requestHash.toString('hex'),
    resource_id: resourceId,
    workflow_id: workflowId,
    caller: request.caller,
    body,
    traceparent,
  }));
  const inserted = db<{ id: string }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}) as given (id text, project_id text, operation text, key_digest uuid, request_hash text,
        resource_id text, workflow_id text, caller jsonb, body jsonb, traceparent text)
    ), command as (
      insert into commands (id, project_id, operation, key_digest, request_hash, resource_id)
      select id, project_id, operation, key_digest, decode(request_hash, 'hex'), resource_id from given order by key_digest
      on conflict (key_digest) do nothing
      returning id
    )
    insert into pending_commands (id, workflow_id, caller, body, traceparent, leased_until)
    select id, workflow_id, caller, body, traceparent, clock_timestamp() + ${LEASE_S} * interval '1 second'
    from given join command using (id)
    returning id`;
  return inserted.withResult((found) => {
    const ids = new Set(found.map(({ id }) => id));
    return rows.map(({ id }) => (ids.has(id) ? id : undefined));
  });
}

/** A command of a set with its response, which the transaction that inserts it has decided. */
export interface AnsweredCommand extends Pick<JsonResponse, 'status' | 'text'> {
  readonly request: WriteRequest;
  readonly key: string;
  readonly resourceId: string;
}

/** Returns SQL that inserts commands with their responses, and returns one row per inserted one: none for a key that has a command row. */
export function answeredInsert(tx: Tx, commands: readonly AnsweredCommand[]): Fragment {
  const rows = commands.map(({ request, key, status, text, resourceId }) => ({
    id: newId('cmd_'),
    project_id: request.caller.tenant,
    operation: request.operation,
    key_digest: keyDigest(request, key),
    request_hash: request.requestHash.toString('hex'),
    resource_id: resourceId,
    status,
    response: encodeResponse(text).toString('hex'),
  }));
  return tx`
    insert into commands (id, project_id, operation, key_digest, request_hash, resource_id, response_status, response)
    select id, project_id, operation, key_digest, decode(request_hash, 'hex'), resource_id, status, decode(response, 'hex')
    from jsonb_to_recordset(${jsonb(rows)}) as given (id text, project_id text, operation text, key_digest uuid, request_hash text,
      resource_id text, status smallint, response text)
    order by key_digest
    on conflict (key_digest) do nothing
    returning 1`;
}

/** Returns the query that inserts commands with their responses, whose keys are new. */
export function insertAnswered(tx: Tx, commands: readonly AnsweredCommand[]): Query<unknown> {
  return tx`${answeredInsert(tx, commands)}`;
}

/** Returns the indexes of the requests whose keys have a command row, and of those with the key of an earlier request of the list. */
export function findKnownKeys(
  db: Db,
  requests: readonly (WriteRequest & { readonly idempotencyKey: string })[],
): Query<ReadonlySet<number>> {
  const digests = requests.map((request) => keyDigest(request, request.idempotencyKey));
  const found = db<{ index: number }[]>`
    select (ordinal - 1)::integer as index from unnest(${digests}::uuid[]) with ordinality as asked (key_digest, ordinal)
    join commands using (key_digest)`;
  return found.withResult((rows) => {
    const repeated = digests.flatMap((digest, index) => (digests.indexOf(digest) < index ? [index] : []));
    return new Set([...rows.map(({ index }) => index), ...repeated]);
  });
}

/** Locks the rows of commands in the order of their IDs. Returns whether each has a response, by its ID; a rejected command is missing. */
export function lockCommands(
  tx: Tx,
  tenant: Tenant,
  commandIds: readonly string[],
): Query<ReadonlyMap<string, boolean>> {
  const locked = tx<{ id: string; answered: boolean }[]>`
    select id, response_status is not null as answered from commands
    where project_id = ${tenant} and id = any(${[...commandIds]}) order by id for update`;
  return locked.withResult((rows) => new Map(rows.map(({ id, answered }) => [id, answered])));
}

/** Stores the responses of locked commands, and deletes their rows in pending_commands. */
export function storeResponses(
  tx: Tx,
  tenant: Tenant,
  responses: readonly (StoredResponse & { readonly id: string })[],
): Query<unknown> {
  const rows = responses.map(({ id, status, body }) => ({
    id,
    status,
    response: encodeResponse(JSON.stringify(body)).toString('hex'),
  }));
  return tx`
    with answered as (
      update commands set response_status = sent.status, response = decode(sent.response, 'hex')
      from jsonb_to_recordset(${jsonb(rows)}) as sent (id text, status smallint, response text)
      where commands.id = sent.id and project_id = ${tenant} and response_status is null returning commands.id
    )
    delete from pending_commands using answered where pending_commands.id = answered.id`;
}
