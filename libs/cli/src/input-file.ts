import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { OperatorError } from '@carecover/gateway';

/** Checks that an operator's input file can be read. @throws OperatorError if it does not exist or is not readable */
export async function requireReadable(file: string): Promise<void> {
  await access(file, constants.R_OK).catch((cause: unknown) => {
    throw new OperatorError(`${file} can't be read: ${cause instanceof Error ? cause.message : cause}`);
  });
}
