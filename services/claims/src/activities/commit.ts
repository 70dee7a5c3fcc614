/** The transaction of every step that changes a claim: locks the row, applies a lapse that is due, then the step's effect. */
import {
  ApiError,
  allInOrder,
  type Command,
  CommandGone,
  commitCommand,
  dropCommand,
  failpoint,
  lockCommand,
  notFound,
  readCommand,
  type Sql,
  storedTenant,
  type Tx,
} from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import type { Change } from '../rules/recording';
import type { From } from '../rules/transitions';
import { type LockedClaim, lockClaim } from '../store/claims';
import { type ClaimInFull, findClaimInFull, toClaim } from '../store/claims-in-full';
import { resolveOpenRequest } from '../store/information-requests';
import { viewOf } from './view';

/** Identifies a step's claim. */
export interface OfClaim {
  readonly tenant: string;
  readonly claimId: string;
}
export interface OfCommand extends OfClaim {
  readonly commandId: string;
}

/** A locked claim at the current time: a request without a response at its due_at has lapsed, whether or not its timer fired. */
export interface ClaimInTime {
  readonly claim: LockedClaim;
  /** The change to record first in this transaction; null if no request lapsed. */
  readonly lapse: Change | null;
  /** Status after the lapse. */
  readonly status: From;
  /** ID of the request that is open after the lapse. */
  readonly openRequestId: string | null;
}

type Fetched = Awaited<ReturnType<typeof fetchClaim>>;

/** Locks the claim and reads its open request; input of {@link inTime}. */
export function fetchClaim(tx: Tx, { tenant, claimId }: OfClaim) {
  return lockClaim(tx, storedTenant(tenant), claimId);
}

/** Cancels the locked claim's open request if it is due. @throws ApiError resource_not_found */
export async function inTime(tx: Tx, claim: Fetched): Promise<ClaimInTime> {
  if (claim === undefined) throw notFound();
  const { openRequest: request, state } = claim;
  const { status } = state;
  const dueAt = status === 'queried' ? request?.due_at : null;
  if (request === null || dueAt == null || dueAt.getTime() > claim.now) {
    return { claim, lapse: null, status, openRequestId: request?.id ?? null };
  }
  await resolveOpenRequest(tx, claim.row.id, 'cancelled', dueAt);
  const lapse: Change = {
    move: 'lapse',
    cause: request.id,
    authority: 'service:claims',
    effectiveAt: dueAt.getTime(),
    reasonCode: 'information_request_lapsed',
  };
  return { claim, lapse, status: 'submitted', openRequestId: null };
}

/** Statements that were sent and not awaited, so that the next read shares their round trip. */
export type Writes = readonly Promise<unknown>[];

/**
 * Commits a command in one transaction and stores the claim's new resource as its response.
 *
 * @param status HTTP status of the response
 * @throws ApiError as `effect` rejects, resource_not_found; CommandGone
 */
export async function commitOnClaim(
  sql: Sql,
  of: OfCommand,
  status: 200 | 201,
  effect: (tx: Tx, claim: ClaimInTime, command: Command) => Writes | Promise<Writes>,
): Promise<ClaimView> {
  return commitWithAnswer(
    sql,
    of,
    status,
    async (tx, command, claim: Fetched) => effect(tx, await inTime(tx, claim), command),
    (tx) => fetchClaim(tx, of),
  );
}

/** Like {@link commitOnClaim}, for an effect that creates the claim. */
export async function commitWithAnswer<T>(
  sql: Sql,
  of: OfCommand,
  status: 200 | 201,
  effect: (tx: Tx, command: Command, fetched: T) => Promise<Writes>,
  fetch: (tx: Tx) => Promise<T>,
): Promise<ClaimView> {
  const tenant = storedTenant(of.tenant);
  let after: ClaimInFull | null = null;
  const answer = async (tx: Tx, command: Command, fetched: T) => {
    const writes = await effect(tx, command, fetched);
    const reading = findClaimInFull(tx, tenant, of.claimId);
    await allInOrder([...writes, reading]);
    after = await reading;
    if (after === null) throw new Error(`claim ${of.claimId} is not there after its commit`);
    return { status, body: toClaim(after) };
  };
  await commitCommand(sql, of.commandId, answer, fetch);
  return viewOf(after ?? (await findClaimInFull(sql, tenant, of.claimId)));
}

/** Reads a pending command; null if it already has a response. @throws CommandGone */
export async function waitingCommand(sql: Sql, { commandId }: OfCommand): Promise<Command | null> {
  const command = await readCommand(sql, commandId);
  if (command === null) throw new CommandGone(`command ${commandId} is gone`);
  return command.answered ? null : command;
}

/**
 * Runs a step before the commit. Locks the command and the claim, and deletes the command if `step` rejects. Returns null if the command
 * already has a response, so that a delayed worker has no effect.
 *
 * @throws ApiError as `step` rejects; CommandGone
 */
export async function prepare<T>(
  sql: Sql,
  of: OfCommand,
  step: (tx: Tx, claim: ClaimInTime, command: Command) => Promise<T>,
): Promise<T | null> {
  try {
    const prepared = await sql.begin(async (tx) => {
      const [{ answered, ...command }, claim] = await allInOrder([
        lockCommand(tx, of.commandId),
        fetchClaim(tx, of),
      ]);
      if (answered) return null;
      return { result: await step(tx, await inTime(tx, claim), command), operation: command.operation };
    });
    if (prepared === null) return null;
    failpoint('command.prepared', prepared.operation);
    return prepared.result as T;
  } catch (error) {
    if (error instanceof ApiError) await dropCommand(sql, of.commandId);
    throw error;
  }
}
