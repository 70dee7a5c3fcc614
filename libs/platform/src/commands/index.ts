/**
 * Commands: idempotent writes. The command row stores a write's key, hash, resource ID and response. A retry under the same key
 * finds the row, on any replica and at any later time, and gets the same response.
 *
 * - Accepted: the row is inserted. `writeOnce` executes the write in the same transaction; `executeCommand` leaves a pending row,
 *   which a workflow executes.
 * - Sent to the resource's workflow: by the request, or by the sweep `resendStaleCommands` if its process ended.
 * - Decided under the row's lock (`commitCommand`, `decideCommand`, `decideThenWrite`): the response is written with the facts. A rejection deletes
 *   the row in the transaction that decides it, so that the key can be used with a corrected body.
 */

export { commitCommand, decideCommand, decideThenWrite, type Writes } from './deciding';
export { executeCommand, type SentCommand, type WorkflowCommand } from './execute';
export { resendStaleCommands } from './resend';
export {
  type Answer,
  answerCommand,
  answerParts,
  type Command,
  CommandGone,
  dropCommand,
  insertCommand,
  lockCommand,
  pendingCommandsOf,
  type Reply,
  readCommand,
  type WriteRequest,
} from './row';
export { decodeAnswer, encodeAnswer } from './stored-answer';
export { writeOnce } from './write-once';
