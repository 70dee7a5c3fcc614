/**
 * Steps of a pre-authorization's workflow. Every step reads the row and the clock under the row's lock. Failure policy: an API error is
 * final and deletes its command; other errors are retried by Temporal.
 */
import type { PreauthorizationDecisionInput } from '@carecover/contract';
import {
  ApiError,
  type Command,
  commitCommand,
  databaseNow,
  dropCommand,
  type Fragment,
  lockCommand,
  notFound,
  type Sql,
  storedTenant,
  type Tenant,
  type Tx,
} from '@carecover/platform';
import type {
  CommandStep,
  PreauthorizationIdentity,
  PreauthorizationReport,
  PreauthorizationSteps,
} from '@carecover/workflow-preauthorization';
import {
  checkCancellation,
  checkExpiry,
  checkValidity,
  deadlineOf,
  isDue,
  isOpen,
} from '../rules/benefit-state';
import {
  cancelPreauthorization,
  expirePreauthorization,
  SERVICE_AUTHORITY,
} from '../store/preauthorization-facts';
import {
  coverageOfPreauthorization,
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
  preauthorizationResource,
  setDecidingCommand,
  stateOf,
} from '../store/preauthorizations';
import { findOverdueReservations, releaseSession } from '../store/reservations';
import { beginDecision, recordDecision } from './decision';

async function lock(tx: Tx, which: PreauthorizationIdentity): Promise<LockedPreauthorization> {
  const row = await lockPreauthorization(tx, storedTenant(which.tenant), which.resourceId);
  if (row === null) throw notFound();
  return row;
}

/** Expires a locked pre-authorization if its deadline has passed; otherwise returns it unchanged. */
export async function expireLockedIfDue(tx: Tx, row: LockedPreauthorization): Promise<PreauthorizationRow> {
  const now = await databaseNow(tx);
  return isDue(stateOf(row), now)
    ? expirePreauthorization(tx, row, { at: now, authority: SERVICE_AUTHORITY })
    : row;
}

/** Expires a pre-authorization if its deadline has passed, in its own transaction. */
export async function expireIfDue(sql: Sql, which: PreauthorizationIdentity): Promise<void> {
  await sql.begin(async (tx) => expireLockedIfDue(tx, await lock(tx, which)));
}

/**
 * Expires the pre-authorizations that are past their deadline and still reserve a session of these coverages, so that a late timer
 * does not block a session. Locks each one: a concurrent use by a claim happens before or after the expiry.
 *
 * @param coverages a condition on `c`
 */
export async function expireOverdueReservations(tx: Tx, tenant: Tenant, coverages: Fragment): Promise<void> {
  for (const id of await findOverdueReservations(tx, tenant, coverages)) {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row !== null) await expireLockedIfDue(tx, row);
  }
}

/** Expires overdue pre-authorizations of the same coverage. Its own transaction, because a decision must lock only its own row. */
async function expireOverdueOfCoverage(sql: Sql, which: PreauthorizationIdentity): Promise<void> {
  const tenant = storedTenant(which.tenant);
  await sql.begin((tx) =>
    expireOverdueReservations(tx, tenant, coverageOfPreauthorization(tx, tenant, which.resourceId)),
  );
}

async function report(sql: Sql, which: PreauthorizationIdentity): Promise<PreauthorizationReport> {
  return sql.begin(async (tx) => {
    const row = await lock(tx, which);
    const now = await databaseNow(tx);
    const deadline = deadlineOf(stateOf(row));
    return {
      status: row.status,
      deadline: deadline?.toISOString() ?? null,
      dueInMs: deadline === null ? null : Math.max(0, deadline.getTime() - now.getTime()),
      usedByClaimId: row.used_by_claim_id,
    };
  });
}

/** Rolls back a commit but keeps its command, which is deleted after care has withdrawn the booking's confirmation. */
class RejectedAtCommit extends Error {
  override readonly name = 'RejectedAtCommit';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

function throwRejectedAtCommit(error: unknown): never {
  throw error instanceof ApiError ? new RejectedAtCommit(error) : error;
}

/** Creates the steps. */
export function preauthorizationSteps(sql: Sql): PreauthorizationSteps {
  /** Executes a command in one transaction, after an expiry that is due. */
  async function executeInTransaction(
    step: CommandStep,
    effect: (tx: Tx, row: LockedPreauthorization, command: Command) => Promise<PreauthorizationRow>,
  ): Promise<PreauthorizationReport> {
    await expireIfDue(sql, step);
    await commitCommand(sql, step.commandId, async (tx, command) => {
      const after = await effect(tx, await lock(tx, step), command);
      return { status: 200, body: preauthorizationResource(after) };
    });
    return report(sql, step);
  }

  return {
    async review(which) {
      const exists = await sql.begin(async (tx) => {
        const row = await lockPreauthorization(tx, storedTenant(which.tenant), which.resourceId);
        if (row === null) return false;
        await expireLockedIfDue(tx, row);
        return true;
      });
      return exists ? report(sql, which) : null;
    },

    async beginDecision(step) {
      await expireIfDue(sql, step);
      await expireOverdueOfCoverage(sql, step);
      return beginDecision(sql, step.commandId, (tx) => lock(tx, step));
    },

    async commitDecision(step) {
      try {
        await commitCommand(sql, step.commandId, async (tx, command) => {
          const decision = command.body as PreauthorizationDecisionInput;
          const after = await recordDecision(
            tx,
            await lock(tx, step),
            decision,
            command.caller.authority,
          ).catch(throwRejectedAtCommit);
          return { status: 200, body: preauthorizationResource(after) };
        });
      } catch (error) {
        throw error instanceof RejectedAtCommit ? error.rejection : error;
      }
      return report(sql, step);
    },

    async abandonDecision(step) {
      const rejected = await sql.begin(async (tx) => {
        const { answered, body } = await lockCommand(tx, step.commandId);
        if (answered) return null;
        await dropCommand(tx, step.commandId);
        const row = await lock(tx, step);
        if (row.deciding_command_id === step.commandId) {
          await releaseSession(tx, row.project_id, row.id);
          await setDecidingCommand(tx, row.project_id, row.id, null);
        }
        return { decision: body as PreauthorizationDecisionInput, now: await databaseNow(tx) };
      });
      if (rejected?.decision.outcome === 'approved') checkValidity(rejected.decision, rejected.now);
    },

    cancel: (step) =>
      executeInTransaction(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        checkCancellation(stateOf(row), now);
        const { reason_code } = command.body as { reason_code: string };
        return cancelPreauthorization(tx, row, reason_code, { at: now, authority: command.caller.authority });
      }),

    cancelForBooking: (step) =>
      executeInTransaction(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        if (!isOpen(stateOf(row), now) || row.used_by_claim_id !== null) return row;
        return cancelPreauthorization(tx, row, 'booking_cancelled', {
          at: now,
          authority: command.caller.authority,
        });
      }),

    expireNow: (step) =>
      executeInTransaction(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        checkExpiry(stateOf(row), now);
        return expirePreauthorization(tx, row, { at: now, authority: command.caller.authority });
      }),
  };
}
