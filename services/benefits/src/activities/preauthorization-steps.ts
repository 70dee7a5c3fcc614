/**
 * The steps of a pre-authorization's workflow, one transaction each. Every one reads the row under its lock and looks at the
 * clock itself. Failure policy: an ApiError is final and forgets its command; anything else is retried by the engine.
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
import { BY_THE_CLOCK, cancel, expire } from '../store/preauthorization-facts';
import {
  type LockedPreauthorization,
  lockPreauthorization,
  type PreauthorizationRow,
  preauthorizationResource,
  stateOf,
} from '../store/preauthorizations';
import { overdueHolders, releaseSession } from '../store/reservations';
import { beginDecision, recordDecision } from './decision';

async function lock(tx: Tx, which: PreauthorizationIdentity): Promise<LockedPreauthorization> {
  const row = await lockPreauthorization(tx, storedTenant(which.tenant), which.resourceId);
  if (row === null) throw notFound();
  return row;
}

/** Lets a pre-authorization expire where its deadline has passed. Any transaction may call it, as often as it likes. */
export async function expireWhereDue(tx: Tx, row: LockedPreauthorization): Promise<PreauthorizationRow> {
  const now = await databaseNow(tx);
  return isDue(stateOf(row), now) ? expire(tx, row, { at: now, authority: BY_THE_CLOCK }) : row;
}

/** The same in a transaction of its own. */
export async function expireIfDue(sql: Sql, which: PreauthorizationIdentity): Promise<void> {
  await sql.begin(async (tx) => expireWhereDue(tx, await lock(tx, which)));
}

/**
 * Lets expire what is past its deadline and still holds a session of these coverages, so that a late timer keeps it from
 * nobody. It goes by their locks and not by the clock alone: a claim's use and the expiry come one after the other.
 *
 * @param coverages a condition on `c`
 */
export async function expireOverdueHolders(tx: Tx, tenant: Tenant, coverages: Fragment): Promise<void> {
  for (const id of await overdueHolders(tx, tenant, coverages)) {
    const row = await lockPreauthorization(tx, tenant, id);
    if (row !== null) await expireWhereDue(tx, row);
  }
}

/** Those whose sessions are of the same coverage, in a transaction of its own: whoever decides one holds no other's lock. */
async function expireBeside(sql: Sql, which: PreauthorizationIdentity): Promise<void> {
  await sql.begin((tx) =>
    expireOverdueHolders(
      tx,
      storedTenant(which.tenant),
      tx`c.id = (select coverage_id from preauthorizations where id = ${which.resourceId})`,
    ),
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

/** Rolls a commit back without deleting its command: that is deleted once care has withdrawn the booking's confirmation. */
class RejectedAtCommit extends Error {
  override readonly name = 'RejectedAtCommit';

  constructor(readonly rejection: ApiError) {
    super(rejection.message);
  }
}

function keepCommand(error: unknown): never {
  throw error instanceof ApiError ? new RejectedAtCommit(error) : error;
}

/** The steps over a database. */
export function preauthorizationSteps(sql: Sql): PreauthorizationSteps {
  /** A command that is one transaction: deadline first, then the command's own effect. */
  async function executeInProcess(
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
      const known = await sql.begin(async (tx) => {
        const row = await lockPreauthorization(tx, storedTenant(which.tenant), which.resourceId);
        if (row === null) return false;
        await expireWhereDue(tx, row);
        return true;
      });
      return known ? report(sql, which) : null;
    },

    async beginDecision(step) {
      await expireIfDue(sql, step);
      await expireBeside(sql, step);
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
          ).catch(keepCommand);
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
          await releaseSession(tx, row.id);
          await tx`update preauthorizations set deciding_command_id = null where id = ${row.id}`;
        }
        return { decision: body as PreauthorizationDecisionInput, now: await databaseNow(tx) };
      });
      if (rejected?.decision.outcome === 'approved') checkValidity(rejected.decision, rejected.now);
    },

    cancel: (step) =>
      executeInProcess(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        checkCancellation(stateOf(row), now);
        const { reason_code } = command.body as { reason_code: string };
        return cancel(tx, row, reason_code, { at: now, authority: command.caller.authority });
      }),

    cancelForBooking: (step) =>
      executeInProcess(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        if (!isOpen(stateOf(row), now) || row.used_by_claim_id !== null) return row;
        return cancel(tx, row, 'booking_cancelled', { at: now, authority: command.caller.authority });
      }),

    expireNow: (step) =>
      executeInProcess(step, async (tx, row, command) => {
        const now = await databaseNow(tx);
        checkExpiry(stateOf(row), now);
        return expire(tx, row, { at: now, authority: command.caller.authority });
      }),
  };
}
