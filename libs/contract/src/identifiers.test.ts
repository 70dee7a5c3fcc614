// Tests that the prefix of an identifier determines its kind, and that no identifier is valid for two kinds.
import { exampleIdentifier, type IdentifierKind, identifierPrefixes, isIdentifier } from './identifiers';

const kinds = Object.keys(identifierPrefixes) as IdentifierKind[];

test('an identifier is well formed for its own kind only', () => {
  for (const kind of kinds) {
    for (const other of kinds) expect(isIdentifier(other, exampleIdentifier(kind))).toBe(kind === other);
  }
});

test('identifiers have at most 100 characters, at least one after the prefix, and no others than A-Z a-z 0-9 _ -', () => {
  expect(isIdentifier('claim', `clm_${'a'.repeat(96)}`)).toBe(true);
  for (const text of [`clm_${'a'.repeat(97)}`, 'clm_', 'clm_a b', 'clm_a\n', 'clm_é', 'CLM_a', ' clm_a']) {
    expect(isIdentifier('claim', text)).toBe(false);
  }
});
