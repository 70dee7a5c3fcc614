/**
 * Returns a code of the API as people read it.
 *
 * @example wordsOf('partially_approved') // 'partially approved'
 */
export function wordsOf(code: string): string {
  return code.replaceAll('_', ' ');
}

/** Returns values with their words, as the options of a choice. */
export function choicesOf(values: readonly string[]): (readonly [value: string, words: string])[] {
  return values.map((value) => [value, wordsOf(value)]);
}
