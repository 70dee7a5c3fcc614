/**
 * The normal forms in which references that people type are compared. A reference is stored and returned as it was given. Two references are the
 * same if their keys are equal: uniqueness does not ignore case. Matching and search compare search keys, which ignore case.
 */

/**
 * White space, controls, and characters that have no glyph of their own: those of format, and those that Unicode says to ignore, such as fillers and
 * variation selectors.
 */
const UNSEEN = /[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the form in which a reference is compared for uniqueness: Unicode NFKC, without white space and invisible characters. The printed
 * form of a creditor reference (ISO 11649: `RF18 5390 0754 7034`) so equals its electronic form. Empty if the reference has no visible character.
 *
 * @example referenceKey('BANK-100\u00a0') // 'BANK-100'
 */
export function referenceKey(reference: string): string {
  // NFKC can produce a space, such as from a diacritic of its own, so the characters are removed after it; removing them can in turn let
  // marks compose.
  return reference.normalize('NFKC').replace(UNSEEN, '').normalize('NFKC');
}

/**
 * Returns the form in which references are matched and searched: the key without a difference of case. Upper case is used because it unites more
 * letters than lower case, such as `ß` and `SS`.
 *
 * @example referenceSearchKey('era 2026/7') // 'ERA2026/7'
 */
export function referenceSearchKey(reference: string): string {
  return referenceKey(referenceKey(reference).toUpperCase());
}
