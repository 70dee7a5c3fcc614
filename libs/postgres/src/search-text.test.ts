// The range of the texts that begin with a typed one.
import { searchRange } from './search-text';

test.each([
  ['INV-2026 0042', 'inv20260042'],
  [' inv_2026/00:42 ', 'inv20260042'],
  ['É1', 'É1'],
])('%j is searched as %j', (typed, from) => {
  expect(searchRange(typed)).toEqual({ from, to: `${from}\u{10ffff}` });
});

test.each(['', ' ', 'a', '-', '- /'])('%j is too short to be searched', (typed) => {
  expect(searchRange(typed)).toBeNull();
});
