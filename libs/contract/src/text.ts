// Finds text that PostgreSQL or UTF-8 can't represent: the NUL character and halves of surrogate pairs. Every string of a
// request is checked here, so that stores need no further check.

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Returns whether the text has neither NUL nor half a surrogate pair, so that it can be stored and sent unchanged. */
export function isPlainText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

/**
 * Formats one step of a JSON pointer (RFC 6901), with `~` and `/` escaped.
 *
 * @example pointerStep('a/b') // '/a~1b'
 */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Returns the JSON pointers of all strings in the value that aren't plain text. The function is recursive, so the calling code must limit
 * the value's depth first.
 */
export function findUnplainText(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isPlainText(value) ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findUnplainText(member, pointer + pointerStep(name)),
  );
}

/**
 * Parses an absolute URL; returns undefined if the text is none. `URL.canParse` of Node 20 rejects hosts with letters such as "ü" after some
 * thousands of calls, so no code may use it.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
