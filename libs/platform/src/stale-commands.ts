/** Commands whose sender is gone, sent again by a sweep. */
import { CommandGone, type StaleCommand, staleCommands } from './commands';
import type { Log } from './log';
import type { Sql } from './postgres';
import { Refusal } from './refusal';

/** Of one round. */
const BATCH = 100;

/**
 * A sweep that sends the commands that wait longer than `seconds` again, a page of them a round and round and round, so that
 * those which nobody can answer keep no other from its turn. A page goes all at once: one whose workflow waits for an absent
 * service holds up none beside it. A refusal is an end like any other; what is not answered in time comes again.
 *
 * A round throws whatever else `send` throws, when all have been sent.
 */
export function resendStaleCommands(
  sql: Sql,
  seconds: number,
  log: Log,
  send: (command: StaleCommand) => Promise<void>,
): () => Promise<void> {
  let last: StaleCommand | null = null;

  const sendOne = async (command: StaleCommand) => {
    try {
      await send(command);
    } catch (error) {
      if (error instanceof CommandGone) return;
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'service_unavailable') return;
      log.info({ command: command.id, code: error.code }, 'a command sent again was refused');
    }
  };

  return async () => {
    const page = await staleCommands(sql, seconds, last, BATCH);
    last = page.length < BATCH ? null : (page.at(-1) ?? null);
    const outcomes = await Promise.allSettled(page.map(sendOne));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
}
