/** Commands whose sender is gone, sent again by a sweep. */
import type { OperationId } from '@carecover/contract';
import { ApiError } from '../api-error';
import type { Log } from '../log';
import type { Db, Sql } from '../postgres';
import type { Caller } from '../tenant';
import { resumeTrace, SpanKind } from '../tracing/spans';
import { MAX_ATTEMPTS, updateIdOf } from './execute';
import { CommandGone, isPending } from './row';

/** A command that nobody has answered, and since when it waits. */
export interface StaleCommand {
  readonly id: string;
  readonly operation: OperationId;
  readonly resource_id: string;
  readonly caller: Caller;
  readonly traceparent: string | null;
  readonly created_at: Date;
}

/** Of one round. */
const BATCH = 100;

/**
 * A sweep that sends the commands that wait longer than `seconds` again, a page of them a round and round and round, so that
 * those which nobody can answer keep no other from its turn. A page goes all at once: one whose workflow waits for an absent
 * service holds up none beside it. A rejection is an end like any other; what is not answered in time comes again.
 *
 * A round throws whatever else `send` throws, when all have been sent.
 */
export function resendStaleCommands(
  sql: Sql,
  seconds: number,
  log: Log,
  send: (command: StaleCommand, updateId: string) => Promise<void>,
): () => Promise<void> {
  let last: StaleCommand | null = null;

  /** False where the outcome is unknown. */
  const sendOnce = async (command: StaleCommand, sending: number): Promise<boolean> => {
    try {
      await send(command, updateIdOf(command.id, sending));
    } catch (error) {
      if (error instanceof CommandGone) return true;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'service_unavailable') return false;
      log.info({ command: command.id, code: error.code }, 'a command sent again was refused');
    }
    return true;
  };

  const sendOne = async (command: StaleCommand) => {
    for (let sending = 1; sending <= MAX_ATTEMPTS; sending++) {
      if (!(await sendOnce(command, sending)) || !(await isPending(sql, command.id))) return;
    }
  };

  return async () => {
    const page = await staleCommands(sql, seconds, last);
    last = page.length < BATCH ? null : (page.at(-1) ?? null);
    const outcomes = await Promise.allSettled(
      page.map((command) =>
        resumeTrace(command.traceparent, 'command sent again', SpanKind.INTERNAL, () => sendOne(command)),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
}

/** A page of the commands that have waited longer than `seconds`, the oldest first, of those that came after `after`. */
async function staleCommands(db: Db, seconds: number, after: StaleCommand | null): Promise<StaleCommand[]> {
  const beyond = after === null ? db`` : db`and (created_at, id) > (${after.created_at}, ${after.id})`;
  return db<StaleCommand[]>`
    select id, operation, resource_id, caller, traceparent, created_at from commands
    where answer_status is null and created_at < (select platform.now()) - ${seconds} * interval '1 second' ${beyond}
    order by created_at, id limit ${BATCH}`.then((rows) => [...rows]);
}
