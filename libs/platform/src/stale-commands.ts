/** Commands whose sender is gone, sent again by a sweep. */
import { CommandGone, isPending, SENDINGS, type StaleCommand, staleCommands, updateIdOf } from './commands';
import type { Log } from './log';
import type { Sql } from './postgres';
import { Refusal } from './refusal';
import { continued, SpanKind } from './tracing/spans';

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
  send: (command: StaleCommand, updateId: string) => Promise<void>,
): () => Promise<void> {
  let last: StaleCommand | null = null;

  /** False where the outcome is unknown. */
  const sendOnce = async (command: StaleCommand, sending: number): Promise<boolean> => {
    try {
      await send(command, updateIdOf(command.id, sending));
    } catch (error) {
      if (error instanceof CommandGone) return true;
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'service_unavailable') return false;
      log.info({ command: command.id, code: error.code }, 'a command sent again was refused');
    }
    return true;
  };

  const sendOne = async (command: StaleCommand) => {
    for (let sending = 1; sending <= SENDINGS; sending++) {
      if (!(await sendOnce(command, sending)) || !(await isPending(sql, command.id))) return;
    }
  };

  return async () => {
    const page = await staleCommands(sql, seconds, last, BATCH);
    last = page.length < BATCH ? null : (page.at(-1) ?? null);
    const outcomes = await Promise.allSettled(
      page.map((command) =>
        continued(command.traceparent, 'command sent again', SpanKind.INTERNAL, () => sendOne(command)),
      ),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  };
}
