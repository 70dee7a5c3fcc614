/** A directory file that can't be read at all, so that its rows can't be evaluated. */
export class DirectoryFileError extends Error {
  override readonly name = 'DirectoryFileError';

  /** @param line where reading ended, from 1; null where that can't be told */
  constructor(
    readonly line: number | null,
    reason: string,
  ) {
    super(reason);
  }
}
