/** The frame of every step that changes a claim: its row locked, a lapse that is due counted first, and one transaction for all. */
import {
  type Command,
  CommandGone,
  commitCommand,
  dropCommand,
  failpoint,
  lockCommand,
  Refusal,
  readCommand,
  type Sql,
  storedTenant,
  type Tx,
} from '@carecover/platform';
import type { ClaimView } from '@carecover/workflow-claim';
import type { Happening } from '../rules/recording';
import type { From } from '../rules/transitions';
import { type LockedClaim, lockClaim } from '../store/claims';
import { type ClaimInFull, findClaimInFull, toClaim } from '../store/claims-in-full';
import { openRequest, resolveOpenRequest } from '../store/information-requests';
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
  readonly lapse: Happening | null;
  /** After the lapse. */
  readonly status: From;
}

/** Locks the claim and ends its open request if that is due. @throws Refusal resource_not_found */
export async function lockInTime(tx: Tx, { tenant, claimId }: OfClaim): Promise<ClaimInTime> {
  const claim = await lockClaim(tx, storedTenant(tenant), claimId);
  const { status } = claim.standing;
  const request = status === 'queried' ? await openRequest(tx, claimId) : undefined;
  const dueAt = request?.due_at;
  if (request === undefined || dueAt == null || dueAt.getTime() > claim.now) {
    return { claim, lapse: null, status };
  }
  await resolveOpenRequest(tx, claimId, 'cancelled', dueAt);
  const lapse: Happening = {
    move: 'lapse',
    cause: request.id,
    authority: 'service:claims',
    effectiveAt: dueAt.getTime(),
    reasonCode: 'information_request_lapsed',
  };
  return { claim, lapse, status: 'submitted' };
}

/**
 * Carries a command out in its one committing transaction and answers it with the claim as it then is.
 *
 * @param status the answer's HTTP status
 * @throws Refusal as `effect` refuses, resource_not_found; CommandGone
 */
export async function commitOnClaim(
  sql: Sql,
  of: OfCommand,
  status: 200 | 201,
  effect: (tx: Tx, inTime: ClaimInTime, command: Command) => Promise<void>,
): Promise<ClaimView> {
  return commitWithAnswer(sql, of, status, async (tx, command) =>
    effect(tx, await lockInTime(tx, of), command),
  );
}

/** As {@link commitOnClaim}, for an effect that locks, or makes, the claim itself. */
export async function commitWithAnswer(
  sql: Sql,
  of: OfCommand,
  status: 200 | 201,
  effect: (tx: Tx, command: Command) => Promise<void>,
): Promise<ClaimView> {
  const tenant = storedTenant(of.tenant);
  let after: ClaimInFull | null = null;
  await commitCommand(sql, of.commandId, async (tx, command) => {
    await effect(tx, command);
    after = await findClaimInFull(tx, tenant, of.claimId);
    if (after === null) throw new Error(`claim ${of.claimId} is not there after its commit`);
    return { status, body: toClaim(after) };
  });
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
 * answered meanwhile, and drops it where `step` refuses. Null where it was answered before.
 *
 * @throws Refusal as `step` refuses; CommandGone
 */
export async function prepare<T>(
  sql: Sql,
  of: OfCommand,
  step: (tx: Tx, command: Command) => Promise<T>,
): Promise<T | null> {
  try {
    const prepared = await sql.begin(async (tx) => {
      const { answered, ...command } = await lockCommand(tx, of.commandId);
      return answered ? null : { result: await step(tx, command), operation: command.operation };
    });
    if (prepared === null) return null;
    failpoint('command.prepared', prepared.operation);
    return prepared.result as T;
  } catch (error) {
    if (error instanceof Refusal) await dropCommand(sql, of.commandId);
    throw error;
  }
}
