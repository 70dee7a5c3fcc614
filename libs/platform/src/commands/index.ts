/**
 * Commands: why no accepted write is done twice. A write and its idempotency key are one row; whoever comes second,
 * at once or a year later, on this replica or another, finds the first one's answer or waits for it.
 *
 * The life of one:
 * - accepted: its row takes the key. What is one transaction of one service (`writeOnce`) is over with that transaction;
 *   what a workflow carries out (`executeCommand`) now waits as a row without an answer, and every retry joins it;
 * - sent: to its resource's workflow, by its caller or, if that is gone, by the sweep (`resendStaleCommands`);
 * - decided: under the row's lock (`commitCommand`, `decideCommand`), which writes the answer together with the facts, or
 *   rejects. Only successes are remembered: a rejection deletes the row in the transaction that decides it, so the same key
 *   may carry a corrected body;
 * - answered: every retry gets the same bytes. The row lives as long as what it made.
 */

export { commitCommand, decideCommand } from './deciding';
export { executeCommand, type SentCommand, type WorkflowCommand } from './execute';
export { resendStaleCommands, type StaleCommand } from './resend';
export {
  type Answer,
  answerCommand,
  type Command,
  CommandGone,
  dropCommand,
  lockCommand,
  type Reply,
  readCommand,
  type WriteRequest,
} from './row';
export { writeOnce } from './write-once';
