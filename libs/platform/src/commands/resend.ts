/** The sweep that sends commands again whose process ended before they got a response. */
import type { OperationId } from '@carecover/contract';
import { ApiError } from '../api-error';
import type { Log } from '../log';
import type { Db, Sql } from '../postgres';
import type { Caller } from '../tenant';
import { resumeTrace, SpanKind } from '../tracing/spans';
import { MAX_ATTEMPTS, updateIdOf } from './execute';
import { CommandGone, isPending } from './row';

/** A command that is pending for long. */
export interface StaleCommand {
  readonly id: string;
  readonly operation: OperationId;
  readonly resource_id: string;
  readonly caller: Caller;
  readonly traceparent: string | null;
  readonly created_at: Date;
}

/** Number of commands per pass. */
const BATCH = 100;

/**
 * Makes a sweep that sends commands again which are pending for more than `seconds`: one page per pass, cyclically, so that commands
 * which can't get a response do not block the others. The commands of a page are sent concurrently.
 *
 * @param send must send the command with this Update ID to its workflow
 * @returns the pass; it throws the first error of `send` that is not an ApiError, after all commands were sent
 */
export function resendStaleCommands(
  sql: Sql,
  seconds: number,
  log: Log,
  send: (command: StaleCommand, updateId: string) => Promise<void>,
): () => Promise<void> {
  let last: StaleCommand | null = null;

  /** Returns false if the outcome is unknown. */
  const sendOnce = async (command: StaleCommand, attempt: number): Promise<boolean> => {
    try {
      await send(command, updateIdOf(command.id, attempt));
    } catch (error) {
      if (error instanceof CommandGone) return true;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'service_unavailable') return false;
      log.info({ command: command.id, code: error.code }, 'a command that was sent again was rejected');
    }
    return true;
  };

  const sendOne = async (command: StaleCommand) => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!(await sendOnce(command, attempt)) || !(await isPending(sql, command.id))) return;
    }
  };

  return async () => {
    const page = await staleCommands(sql, seconds, last);
    last = page.length < BATCH ? null : (page.at(-1) ?? null);
    const outcomes = await Promise.allSettled(
      page.map((command) =>
        resumeTrace(command.traceparent, 'resend command', SpanKind.INTERNAL, () => sendOne(command)),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
}

/** Reads one page of the commands that are pending for more than `seconds`, oldest first, starting after `after`. */
async function staleCommands(db: Db, seconds: number, after: StaleCommand | null): Promise<StaleCommand[]> {
  const beyond = after === null ? db`` : db`and (created_at, id) > (${after.created_at}, ${after.id})`;
  return db<StaleCommand[]>`
    select id, operation, resource_id, caller, traceparent, created_at from commands
    where answer_status is null and created_at < (select platform.now()) - ${seconds} * interval '1 second' ${beyond}
    order by created_at, id limit ${BATCH}`.then((rows) => [...rows]);
}
