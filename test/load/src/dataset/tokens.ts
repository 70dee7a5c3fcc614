/** What differs between a row and its copies: identifiers, instants, and the numbers of payers in references. */

/** A UUIDv7 without dashes, as identifiers have it, or a UUID with dashes, as references of the test data have it. */
const ID =
  /(?<![0-9a-f])(?:[0-9a-f]{12}7[0-9a-f]{19}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/;
/** An instant in JSON, with zero, three or six digits of its fraction after it was parsed. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|\+00:00)/;
/** The number of a payer in the references that the templates use. */
const PAYER = /(?<=(?:payer:|contract:|Plan ))\d\d(?!\d)/;

const TOKEN = new RegExp(`(?<id>${ID.source})|(?<instant>${INSTANT.source})|(?<payer>${PAYER.source})`, 'g');

export interface Token {
  readonly kind: 'id' | 'instant' | 'payer' | 'constant';
  readonly text: string;
}

/** Splits the text of a column into what copies replace and the constant parts between. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) tokens.push({ kind: 'constant', text: text.slice(end, match.index) });
    const [kind = 'constant'] =
      Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined) ?? [];
    tokens.push({ kind: kind as Token['kind'], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length || tokens.length === 0) tokens.push({ kind: 'constant', text: text.slice(end) });
  return tokens;
}

/** Whether the column's text has no tokens: hashes are random bytes. */
export function isOpaque(type: string): boolean {
  return type === 'bytea';
}

/** Returns the identifiers in the texts of a row. */
export function idsIn(
  cells: readonly (string | null)[],
  types: readonly { readonly type: string }[],
): string[] {
  return cells.flatMap((cell, index) =>
    cell === null || isOpaque(types[index]?.type ?? '')
      ? []
      : tokensOf(cell)
          .filter(({ kind }) => kind === 'id')
          .map(({ text }) => text),
  );
}
