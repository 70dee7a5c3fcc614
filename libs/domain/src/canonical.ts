/** Writes JSON values in one canonical form, so that equal values have equal text. */

/** Yields the canonical JSON of a value in pieces of at most one name or scalar. */
export function* canonicalPieces(value: unknown): Generator<string, void, undefined> {
  if (Array.isArray(value)) {
    let separator = '[';
    for (const item of value) {
      yield separator;
      yield* canonicalPieces(item);
      separator = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    let separator = '{';
    for (const [name, member] of members) {
      yield `${separator}${JSON.stringify(name)}:`;
      yield* canonicalPieces(member);
      separator = ',';
    }
    yield members.length === 0 ? '{}' : '}';
  } else yield JSON.stringify(value) ?? 'null';
}

/** Returns JSON text with the members of every object in code-unit order, equal for equal JSON values (as RFC 8785 does). */
export function canonicalJson(value: unknown): string {
  return [...canonicalPieces(value)].join('');
}
