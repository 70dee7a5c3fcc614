/** An operator's command can't be executed; the message states the reason. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
