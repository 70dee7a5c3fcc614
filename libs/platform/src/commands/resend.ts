/** The sweep that sends a command again if the process that accepted it ended before the command had a response. */
import { ApiError } from '../api-error';
import type { Log } from '../log';
import type { Db, Sql } from '../postgres';
import { resumeTrace, SpanKind } from '../tracing/spans';
import { MAX_ATTEMPTS, type SentCommand, updateIdOf } from './execute';
import { CommandGone, isPending } from './row';

/** A command that has been pending for longer than the `seconds` of the sweep. */
interface StaleCommand extends Omit<SentCommand, 'updateId'> {
  readonly traceparent: string | null;
  readonly createdAt: Date;
}

/** Maximum number of commands that one pass sends again. */
const BATCH = 100;

/**
 * Makes a sweep that sends commands again if they have been pending for more than `seconds`: one page per pass, cyclically, so that
 * commands which can't get a response do not block other commands. The commands of a page are sent concurrently.
 *
 * @param send sends the command to its workflow, which executes the Update that the command row names
 * @returns the function that executes one pass; after all commands were sent, it throws the first error of `send` that is neither an
 *   ApiError nor CommandGone
 */
export function resendStaleCommands(
  sql: Sql,
  seconds: number,
  log: Log,
  send: (command: SentCommand) => Promise<void>,
): () => Promise<void> {
  let last: StaleCommand | null = null;

  /** Sends the command. Returns false if it is unknown whether the command was executed. */
  const sendOnce = async (command: SentCommand): Promise<boolean> => {
    try {
      await send(command);
    } catch (error) {
      if (error instanceof CommandGone) return true;
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'service_unavailable') return false;
      log.info({ command: command.id, code: error.code }, 'a command that was sent again was rejected');
    }
    return true;
  };

  const sendOne = async (command: StaleCommand) => {
    for (let outdatedResults = 0; outdatedResults < MAX_ATTEMPTS; outdatedResults++) {
      const updateId = updateIdOf(command.id, outdatedResults);
      if (
        !(await sendOnce({ ...command, updateId })) ||
        !(await isPending(sql, command.caller.tenant, command.id))
      )
        return;
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

/**
 * Reads one page of the commands that have been pending for more than `seconds`, oldest first: the commands that follow `after`, or the
 * first page if `after` is null.
 */
async function staleCommands(db: Db, seconds: number, after: StaleCommand | null): Promise<StaleCommand[]> {
  const beyond = after === null ? db`` : db`and (created_at, id) > (${after.createdAt}, ${after.id})`;
  return db<StaleCommand[]>`
    select id, operation, resource_id as "resourceId", update_name as update, caller, traceparent,
      created_at as "createdAt"
    from pending_commands join commands using (id)
    where created_at < (select platform.now()) - ${seconds} * interval '1 second' ${beyond}
    order by created_at, id limit ${BATCH}`.then((rows) => [...rows]);
}
