/** What stops the stack from starting and the user can mend: its message is the sentence they read, with no stack trace. */
export class StartFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartFailure';
  }
}
