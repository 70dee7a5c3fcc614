/** Commands whose sender is gone, sent again by a sweep. */
import { CommandGone, staleCommands } from './commands';
import type { Log } from './log';
import type { Sql } from './postgres';
import { Refusal } from './refusal';

/** What its row says of it. */
export type StaleCommand = Awaited<ReturnType<typeof staleCommands>>[number];

/**
 * Sends the commands that wait longer than `seconds` again: all at once, so that one whose workflow waits for an absent service
 * holds up no other. A refusal is an end like any other; what is not answered in time is there at the next sweep.
 *
 * @throws whatever else `send` throws, when all have been sent
 */
export async function sendStaleCommands(
  sql: Sql,
  seconds: number,
  log: Log,
  send: (command: StaleCommand) => Promise<void>,
): Promise<void> {
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
  const outcomes = await Promise.allSettled((await staleCommands(sql, seconds)).map(sendOne));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
