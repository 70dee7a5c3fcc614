/** Files that an operator names. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { OperatorError } from '../operator/operator-error';

/** @throws OperatorError where the file is not there or may not be read */
export async function requireReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((cause: unknown) => {
    throw new OperatorError(`${file} can't be read: ${cause instanceof Error ? cause.message : cause}`);
  });
}
