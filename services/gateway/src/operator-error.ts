/** Thrown if an operator's CLI command can't be executed. The message states the reason, and the CLI prints it. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
