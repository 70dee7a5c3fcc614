import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { OperatorError } from '@carecover/gateway';
import type { FileError } from '@carecover/import-files';

/**
 * Checks that an operator's input is a file that can be read more than once, because imports read it to check or identify it before they
 * import it.
 *
 * @throws OperatorError if it does not exist, is not readable, or is not a regular file, such as a pipe or a folder
 */
export async function requireReadable(file: string): Promise<void> {
  const status = await access(file, constants.R_OK)
    .then(() => stat(file))
    .catch((cause: unknown) => {
      throw new OperatorError(`${file} can't be read: ${cause instanceof Error ? cause.message : cause}`);
    });
  if (!status.isFile())
    throw new OperatorError(
      `${file} is not a regular file. The import reads its input more than once: write the rows to a file, and pass the file's path.`,
    );
}

/** Returns the error for an operator: the message with the file and the line. */
export function describeFileError(file: string, { line, message }: FileError): OperatorError {
  return new OperatorError(`${file}: ${line === null ? '' : `line ${line}: `}${message}`);
}
