/** The check of references that people type, at every door that accepts them. */
import { referenceKey } from '@carecover/contract';
import { ApiError } from './api-error';

/**
 * Requires that a reference has a visible character, because references are compared without white space and invisible characters.
 *
 * @param pointer the JSON pointer of the field
 * @throws ApiError validation_failed
 * @example requireVisibleReference('/source_reference', body.source_reference)
 */
export function requireVisibleReference(pointer: string, reference: string): void {
  if (referenceKey(reference) === '')
    throw new ApiError('validation_failed', `${pointer} must have at least one visible character.`);
}
