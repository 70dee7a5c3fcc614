import {
  type AccountDay,
  type DayStatement,
  describeRowless,
  findAccountDifferences,
  findPositionDifferences,
  type Position,
  type StateSum,
} from './bank-day';

const NONE: StateSum = { count: 0, credits: 0, debits: 0 };
const STATEMENT: DayStatement = {
  ...{ statement: 'S1', number: 7, opening: 100_000, closing: 130_000, isComplete: true },
  ...{ credits: 50_000, debits: 20_000, rejected: 0, differences: [], numberBeforeGap: null, broken: null },
};
const DAY: AccountDay = {
  account: '0001',
  currency: 'KES',
  statements: [STATEMENT],
  states: {
    matched: { count: 1, credits: 50_000, debits: 0 },
    expected: NONE,
    returned: NONE,
    not_ours: NONE,
    open: NONE,
  },
  unlisted: { count: 0, amount: 0 },
  misposted: [],
};
const withStatement = (changed: Partial<DayStatement>) =>
  findAccountDifferences({ ...DAY, statements: [{ ...STATEMENT, ...changed }] });

test('a day whose rows explain the closing balance has no difference', () => {
  expect(findAccountDifferences(DAY)).toEqual([]);
});

test('rows that are expected, returned or not ours are no difference, and an open one is', () => {
  const sum = { count: 2, credits: 300, debits: 100 };
  const states = { ...DAY.states, expected: sum, returned: sum, not_ours: sum };
  expect(findAccountDifferences({ ...DAY, states })).toEqual([]);
  expect(findAccountDifferences({ ...DAY, states: { ...states, open: sum } })).toEqual([
    { kind: 'open', says: '2 rows wait for a person', amount: 200 },
  ]);
});

test.each([
  [
    'stored rows that differ from the balances',
    { closing: 130_500 },
    {
      kind: 'statement',
      says: 'statement S1: it opens with 1,000.00 KES and closes with 1,305.00 KES, and its stored rows are 300.00 KES',
      amount: 500,
    },
  ],
  [
    'a total that the bank states otherwise',
    { differences: ['the statement says 3 entries, and the file lists 2'] },
    {
      kind: 'statement',
      says: 'statement S1: the statement says 3 entries, and the file lists 2',
      amount: null,
    },
  ],
  [
    'rejected rows',
    { rejected: 1 },
    { kind: 'rejected', says: 'statement S1: 1 row was rejected and not stored', amount: null },
  ],
  [
    'a missing page',
    { isComplete: false },
    { kind: 'statement', says: 'statement S1: its last page was not imported', amount: null },
  ],
  [
    'a missing number',
    { numberBeforeGap: 5 },
    {
      kind: 'gap',
      says: 'statement S1: its number 7 follows 5; those between them were not imported',
      amount: null,
    },
  ],
  [
    'an opening balance that is not the last closing balance',
    { broken: { statement: 'S0', closing: 90_000 } },
    {
      kind: 'gap',
      says: 'statement S1: it opens with 1,000.00 KES, and statement S0 before it closes with 900.00 KES',
      amount: 10_000,
    },
  ],
] as const)('%s are reported with the amount', (_, changed, difference) => {
  expect(withStatement(changed)).toEqual([difference]);
});

test('a statement without balances has nothing to compare', () => {
  expect(withStatement({ opening: null, closing: null, isComplete: false })).toEqual([]);
});

test('rows in no statement, and rows that the ledger posted otherwise, are reported', () => {
  const found = findAccountDifferences({
    ...DAY,
    unlisted: { count: 1, amount: 700 },
    misposted: [{ row: 12, settled: 500, posted: 400 }],
  });
  expect(found).toEqual([
    { kind: 'unlisted', says: '1 row is in no imported statement of the day', amount: 700 },
    { kind: 'ledger', says: 'row 12: settlements settle 5.00 KES, and the ledger has 4.00 KES', amount: 100 },
  ]);
});

describe('the position of a project', () => {
  const EQUAL: Position = {
    ...{ currency: 'KES', advised: 300, settled: 700, outstanding: 500 },
    ...{ advicesOpen: 300, advicesSettled: 700, settlements: 700, receivables: 500 },
  };

  test('without differences is equal, also while records wait for claims', () => {
    expect(findPositionDifferences(EQUAL, 0)).toEqual([]);
    expect(findPositionDifferences(EQUAL, 2)).toEqual([]);
  });

  test.each([
    ['settlements', { settlements: 600 }, 'ledger', 100],
    ['open advices', { advicesOpen: 200 }, 'advices', 100],
    ['settled advices', { advicesSettled: 800 }, 'advices', -100],
    ['receivables', { receivables: 501 }, 'receivables', -1],
  ] as const)('reports a difference from the %s', (_, changed, kind, amount) => {
    expect(findPositionDifferences({ ...EQUAL, ...changed }, 0)).toMatchObject([{ kind, amount }]);
  });

  test('names the records that claims lacks, and that claims did not respond', () => {
    expect(findPositionDifferences({ ...EQUAL, receivables: 499 }, 1)).toMatchObject([
      { says: expect.stringContaining('1 record waits for the claims service') },
    ]);
    expect(findPositionDifferences({ ...EQUAL, receivables: null }, 0)).toMatchObject([
      { kind: 'receivables', amount: null },
    ]);
  });

  test('a settlement that no row shows is described with its remittance', () => {
    const settlement = {
      id: 'stl_1',
      remittance_id: 'rem_1',
      source_reference: 'B-1',
      currency: 'KES',
      amount: 500,
    };
    expect(describeRowless(settlement)).toEqual({
      kind: 'without_row',
      says: 'stl_1 of rem_1 settles 5.00 KES with the reference B-1, and no imported row shows it',
      amount: -500,
    });
  });
});
