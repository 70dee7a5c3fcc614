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

/**
 * Returns the caption of a page of a list: how many rows the page has, whether there are more, and their order.
 *
 * @param noun what a row is
 * @example captionOf({ data: [claim], has_more: true }, 'claim') // '1 claim and more, newest first'
 */
export function captionOf(
  { data, has_more }: { readonly data: readonly unknown[]; readonly has_more: boolean },
  noun: string,
  { plural = `${noun}s`, order = 'newest first' } = {},
): string {
  return `${data.length} ${data.length === 1 ? noun : plural}${has_more ? ' and more' : ''}, ${order}`;
}
