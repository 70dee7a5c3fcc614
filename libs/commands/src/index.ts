/**
 * Commands: idempotent writes. The command row stores a write's key, hash, resource ID and response. A retry under the same key
 * finds the row, on any replica and at any later time, and gets the same response.
 *
 * - One transaction of one service: `writeOnce` inserts the row, executes the write and stores the response in one transaction.
 * - Several steps: `executeCommand` inserts a pending row with a lease and executes the steps. An interrupted command is finished by its
 *   resource's workflow (`signalInterrupted`, `finishCommand`).
 * - Decided under the row's lock (`commitCommand`, `decideCommand`, `decideThenWrite`): the response is written with the facts. A rejection
 *   deletes the row in the transaction that decides it, so that the key can be used with a corrected body, and keeps a row for operators.
 */

export { commitCommand, decideCommand, decideThenWrite, type Fetch, type Writes } from './deciding';
export {
  COMMAND_DEADLINE_MS,
  type CommandWithSteps,
  type ExecuteSteps,
  type Executors,
  executeCommand,
  type Finished,
  finishCommand,
  repeatUntilDeadline,
} from './execute';
export {
  finishInterrupted,
  type InterruptedCommand,
  interruptedCommandsOf,
  signalInterrupted,
} from './interrupted';
export { afterPendingSteps, PendingStepOfOther } from './pending-steps';
export {
  COMMAND_SETTINGS,
  type CommandSettings,
  deleteRejectedCommands,
  keepRejection,
  listRejectedCommands,
  type RejectedCommand,
} from './rejected';
export {
  dropCommand,
  insertAnswered,
  insertCommand,
  insertCommands,
  type JsonResponse,
  lockCommand,
  lockCommands,
  pendingCommandsOf,
  readCommand,
  requireOwnKey,
  requireTarget,
  responseParts,
  StartAgain,
  type StoredResponse,
  storeResponse,
  storeResponses,
  type WriteRequest,
} from './row';
export { decodeResponse, encodeResponse } from './stored-response';
export { type Written, writeOnce } from './write-once';
export { type DecidedWrite, type KeyedRequest, type WriteSet, writeAllOnce } from './write-set';
