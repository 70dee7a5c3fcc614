/** Finds the parts of a text that differ between a row and its copies: identifiers, instants, and the numbers of payers. */

/** Matches a UUIDv7 without dashes, which identifiers contain, or a UUID with dashes, which references in the test data contain. */
const ID =
  /(?<![0-9a-f])(?:[0-9a-f]{12}7[0-9a-f]{19}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?![0-9a-f])/;
/** Matches an instant in ISO 8601, with a fraction of up to six digits. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|\+00:00)/;
/** Matches the two digits of a payer's number in a value of a template's row: `payer:07`, `contract:07` or `Plan 07`. */
const PAYER = /(?<=(?:payer:|contract:|Plan ))\d\d(?!\d)/;

const TOKEN = new RegExp(`(?<id>${ID.source})|(?<instant>${INSTANT.source})|(?<payer>${PAYER.source})`, 'g');

export interface Token {
  readonly kind: 'id' | 'instant' | 'payer' | 'constant';
  readonly text: string;
}

/** Splits the text of a column into the parts that copies replace and the constant parts between them. */
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

/** Returns whether values of a type are copied as a whole: bytes, such as hashes, contain no identifiers. */
export function isOpaque(type: string): boolean {
  return type === 'bytea';
}

/** Returns the identifiers in the values of a row. */
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
