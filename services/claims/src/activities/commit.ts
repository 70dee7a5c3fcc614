/** The frame of every step that changes a claim: its row locked, a lapse that is due counted first, and one transaction for all. */
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

/** Which claim a step is for, and for which command. */
export interface OfClaim {
  readonly tenant: string;
  readonly claimId: string;
}
export interface OfCommand extends OfClaim {
  readonly commandId: string;
}

/** A locked claim as it stands now: a request that nobody answered by its due_at has lapsed, whether or not its timer fired. */
export interface ClaimInTime {
  readonly claim: LockedClaim;
  /** To be recorded first in this transaction. */
  readonly lapse: Change | null;
  /** After the lapse. */
  readonly status: From;
  /** The id of the request that is open after the lapse. */
  readonly openRequestId: string | null;
}

type Fetched = Awaited<ReturnType<typeof fetchClaim>>;

/** Locks the claim; for {@link inTime}. */
export function fetchClaim(tx: Tx, { tenant, claimId }: OfClaim) {
  return lockClaim(tx, storedTenant(tenant), claimId);
}

/** Ends the locked claim's open request if that is due. @throws ApiError resource_not_found */
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

/** Statements that were sent and are not waited for yet, so that what reads behind them shares their round trip. */
export type Writes = readonly Promise<unknown>[];

/**
 * Carries a command out in its one committing transaction and answers it with the claim as it then is.
 *
 * @param status the answer's HTTP status
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

/** As {@link commitOnClaim}, for an effect that makes the claim itself. */
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

/** The command, if it still waits; null where it was answered before. @throws CommandGone */
export async function waitingCommand(sql: Sql, { commandId }: OfCommand): Promise<Command | null> {
  const command = await readCommand(sql, commandId);
  if (command === null) throw new CommandGone(`command ${commandId} is gone`);
  return command.answered ? null : command;
}

/**
 * A step before the commit: reads the command under its lock, so that a worker which wakes up late does nothing about one that was
 * answered meanwhile, locks the claim, and drops the command where `step` rejects. Null where it was answered before.
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
