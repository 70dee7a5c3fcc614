// Text that no database and no UTF-8 encoder can hold: the NUL character and halves of surrogate pairs. It is refused once, here,
// for every string of a request, whatever field it stands in.

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Whether the text can be stored and sent on unchanged. */
export function isPlainText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

/** One step of a JSON pointer (RFC 6901): `~` and `/` in a name are escaped. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Lists the JSON pointers of all strings in the value that aren't plain text. The value's depth must be bounded. */
export function findUnplainText(value: unknown, pointer = ''): string[] {
  if (typeof value === 'string') return isPlainText(value) ? [] : [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findUnplainText(member, pointer + pointerStep(name)),
  );
}
