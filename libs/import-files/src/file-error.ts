/** Maximum length of a message in characters. A message can have names of the file, such as those of its columns. */
const MAX_MESSAGE = 1_000;

/** Thrown for a file that can't be read: none of its rows is imported. The message says what was found and expected, without values. */
export class FileError extends Error {
  override readonly name = 'FileError';

  /** Creates the error. @param line the line of the file at which reading failed, counted from 1; null if the message needs none */
  constructor(
    message: string,
    readonly line: number | null = null,
  ) {
    super(message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message);
  }
}
