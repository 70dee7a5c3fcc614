/** The references of settlements: of parts of one deposit or bank entry, and without a transfer. Pure functions. */
import { referenceKey } from '@carecover/contract';

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

/** Returns the source_references that the first `count` parts have, in their order. */
export function referencesOfParts(reference: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => referenceOfPart(reference, index));
}

/**
 * Returns the reference of the deposit of which a reference names a part; otherwise the reference itself.
 *
 * @example depositOf('bank:77120#2') // 'bank:77120'
 */
export function depositOf(reference: string): string {
  return reference.replace(/#\d+$/, '');
}

const NETTING = 'net:';

/** Returns the source_reference of the settlement of an advice whose net needs no transfer. */
export function nettingReference(adviceId: string): string {
  return `${NETTING}${adviceId}`;
}

/** Returns whether a reference is one of {@link nettingReference}, which no request can use. */
export function isNettingReference(reference: string): boolean {
  return referenceKey(reference).startsWith(nettingReference('adv_'));
}
