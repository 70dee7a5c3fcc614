/** Thrown for a problem that the user can fix. The message is shown without a stack trace. */
export class StartFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartFailure';
  }
}
