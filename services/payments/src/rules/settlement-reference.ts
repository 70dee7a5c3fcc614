/** The references of settlements that record parts of one deposit or bank entry. Pure functions. */

/** The longest reference to which a suffix is added, so that both have at most 200 characters. */
const MAX_BASE = 195;

/**
 * Returns the source_reference of a part: that of the deposit for the first, otherwise with a suffix.
 *
 * @example referenceOfPart('bank:77120', 1) // 'bank:77120#2'
 */
export function referenceOfPart(reference: string, index: number): string {
  return index === 0 ? reference : `${reference.slice(0, MAX_BASE)}#${index + 1}`;
}
