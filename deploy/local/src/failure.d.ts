/** What stops the stack from starting and the user can mend: its message is the sentence they read, with no stack trace. */
export declare class StartFailure extends Error {
  constructor(sentence: string, options?: ErrorOptions);
}
