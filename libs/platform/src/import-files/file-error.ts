/** Thrown for a file that can't be read: none of its rows is imported. The message says what was found and expected, without values. */
export class FileError extends Error {
  override readonly name = 'FileError';

  /** Creates the error. @param line the line of the file at which reading failed, counted from 1; null if the message needs none */
  constructor(
    message: string,
    readonly line: number | null = null,
  ) {
    super(message);
  }
}
