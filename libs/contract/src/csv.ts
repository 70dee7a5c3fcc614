/** How texts and numbers are written as CSV (RFC 4180), so that no spreadsheet executes a text as a formula. */

const LINE_END = '\r\n';

/**
 * Matches each place of a text at which a formula could start: its start, and the places after a semicolon, tab or line end. A spreadsheet
 * that splits at semicolons, as in many languages, does not see the quotes around the text, so that a cell starts there. A quote there would
 * start a quoted cell, whose text could be a formula.
 */
const FORMULA_START = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠\t\r'])|(?<=[;\t\r\n])(?=")/g;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * Returns a text as a CSV field (RFC 4180). An apostrophe is added before each part of it that a spreadsheet could execute as a formula, and
 * before each part that already starts with an apostrophe. A part is the text itself, or what follows a semicolon, tab or line end. A reader
 * gets the original text if it removes one apostrophe from the start of each part.
 *
 * @example csvField('=1+1') // "'=1+1"
 * @example csvField('a;=1+1') // `"a;'=1+1"`
 */
export function csvField(text: string): string {
  const safe = text.replaceAll(FORMULA_START, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV record with its line end. @param fields numbers are written in decimal; null is an empty field */
export function csvRecord(fields: readonly (string | number | null)[]): string {
  return (
    fields.map((field) => (typeof field === 'string' ? csvField(field) : (field ?? ''))).join(',') + LINE_END
  );
}
