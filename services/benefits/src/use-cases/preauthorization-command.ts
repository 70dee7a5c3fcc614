/**
 * Commands on pre-authorizations. A command that changes the pre-authorization alone is one database transaction. An approval has several
 * steps, because it confirms the booking in care.
 *
 * Failure policy: closed. While care is unavailable, an approval responds 503 and the pre-authorization's workflow finishes it. Temporal is
 * not needed: the workflow is signalled after the commit.
 */
import {
  afterPendingSteps,
  COMMAND_DEADLINE_MS,
  type Executors,
  type JsonResponse,
  keepRejection,
  PendingStepOfOther,
  writeOnce,
} from '@carecover/commands';
import { type Caller, notFound, requireVisible } from '@carecover/domain';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import type { CareForPreauthorizations } from '@carecover/workflow-preauthorization';
import { preauthorizationResource } from '../resources';
import { isDue } from '../rules/preauthorization-expiry';
import {
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
  stateOf,
} from '../store/preauthorizations';
import { expireIfDue } from './expire-overdue';
import type { ChangeContext } from './record-changes';

/** What the use cases of commands on pre-authorizations call. */
export interface PreauthorizationCommandDeps {
  readonly sql: Sql;
  readonly care: CareForPreauthorizations;
  /** Executes approvals. A command that finds an approval in progress finishes it first. */
  readonly executors: Executors;
  /** Called after a commit that enqueued a signal to a pre-authorization's workflow. */
  readonly notifySignals: () => void;
}

/** Thrown by a command on a pre-authorization that is overdue: its expiry is recorded first. */
class IsOverdue extends Error {
  override readonly name = 'IsOverdue';
}

/**
 * Checks that a command can be decided on a locked pre-authorization.
 *
 * @param commandId the command; an approval in progress by another command is finished first
 * @throws ApiError resource_not_found; PendingStepOfOther; IsOverdue
 */
export function requireDecidable(
  row: LockedPreauthorization | null,
  commandId: string,
): LockedPreauthorization {
  if (row === null) throw notFound();
  const { pending_command_id: deciding, is_being_approved } = row;
  if (is_being_approved && deciding !== null && deciding !== commandId)
    throw new PendingStepOfOther(deciding);
  if (isDue(stateOf(row), row.locked_at)) throw new IsOverdue();
  return row;
}

/**
 * Runs an attempt that calls {@link requireDecidable}, after the approval in progress was finished and an overdue expiry recorded.
 *
 * @param untilMs as in {@link afterPendingSteps}
 */
export function whenDecidable<T>(
  { sql, executors }: PreauthorizationCommandDeps,
  { tenant }: Pick<Caller, 'tenant'>,
  id: string,
  attempt: () => Promise<T>,
  untilMs?: number,
): Promise<T> {
  const attemptAfterExpiry = async () => {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof IsOverdue)) throw error;
        await expireIfDue(sql, tenant, id);
      }
    }
  };
  return afterPendingSteps(sql, executors, tenant, attemptAfterExpiry, untilMs);
}

/** The effect of a command on a locked pre-authorization. @returns the changed row */
export type CommandEffect = (
  tx: Tx,
  row: LockedPreauthorization,
  context: ChangeContext,
) => Promise<PreauthorizationRow>;

/**
 * Executes a command that changes a pre-authorization alone: one transaction inserts the command row and writes the change with its event
 * and the response, which is the pre-authorization's new resource.
 *
 * @throws the API errors of `effect`; resource_not_found, idempotency_conflict, service_unavailable
 */
export async function changePreauthorization(
  deps: PreauthorizationCommandDeps,
  call: Call<'cancelPreauthorization' | 'expirePreauthorization' | 'decidePreauthorization'>,
  effect: CommandEffect,
): Promise<JsonResponse> {
  const { caller } = call;
  const { preauthorization_id: id } = call.params;
  requireVisible(caller, id);
  const { tenant, authority, requestId } = caller;
  const effectOn = async (tx: Tx, locked: LockedPreauthorization | null, commandId: string) => {
    const row = requireDecidable(locked, commandId);
    const changed = await effect(tx, row, { at: row.locked_at, authority, requestId });
    return { status: 200, body: preauthorizationResource(changed), resourceId: id };
  };
  const lock = (tx: Tx) => lockPreauthorization(tx, tenant, id);
  const write = () => writeOnce(deps.sql, call, call.replayStatus, effectOn, lock);
  const reply = await keepRejection(deps.sql, call, id, () =>
    whenDecidable(deps, caller, id, write, Date.now() + COMMAND_DEADLINE_MS),
  );
  deps.notifySignals();
  return reply;
}
