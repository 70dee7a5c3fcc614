import { h } from 'preact';
import { Amount, Day, Id, Instant, Status, Table } from './parts';
import { findTable, plainValue } from './table-csv';

const AT = '2026-02-10T12:00:00.000Z';
const project = { id: 'prj_1' } as Parameters<typeof Id>[0]['project'];
const Note = ({ text }: { text: string }) => h('em', null, text, ', noted');
const link = h('a', { href: '/claims/clm_1' }, 'INV-1');

test.each([
  ['an amount', h(Amount, { value: 123_450, currency: 'KES' }), { amount: 123_450, currency: 'KES' }],
  ['an amount that does not exist', h(Amount, { value: null, currency: 'KES' }), null],
  ['an instant', h(Instant, { at: AT }), AT],
  ['a day', h(Day, { at: AT }), AT],
  ['an ID', h(Id, { project, id: 'clm_0123456789abcdef' }), 'clm_0123456789abcdef'],
  ['a status', h(Status, { value: 'partially_approved' }), 'partially_approved'],
  ['a link', link, 'INV-1'],
  ['a link among blanks', [' ', link, false], 'INV-1'],
  ['a number', 7, 7],
  ['nothing', h('span', { class: 'none' }, 'none'), null],
  ['a component', h(Note, { text: 'a' }), 'a, noted'],
  ['several parts', ['would lack ', h(Amount, { value: 5, currency: 'KES' })], 'would lack 0.05 KES'],
])('%s has its plain value', (_name, cell, expected) => {
  expect(plainValue(cell)).toEqual(expected);
});

test('a table is found by its name, with the currency of its amounts once', () => {
  const rows = [
    { name: 'A', paid: 100, owed: 200 },
    { name: 'B', paid: null, owed: 1 },
  ];
  type Row = (typeof rows)[number];
  const amount = (value: number | null) => h(Amount, { value, currency: 'USD' });
  const sums = h(Table<Row>, {
    name: 'sums',
    caption: 'Sums',
    columns: [
      { label: 'Name', cell: ({ name }) => name },
      { label: 'Paid', cell: ({ paid }) => amount(paid) },
      { label: 'Owed', cell: ({ owed }) => amount(owed) },
    ],
    rows,
  });
  const empty = h(Table<Row>, {
    ...{ name: 'empty', caption: 'Empty' },
    columns: [{ label: 'Name', cell: ({ name }) => name }],
    rows: [],
  });
  const Page = () => h('section', null, sums, empty);
  expect(findTable(h(Page, null), 'sums')).toEqual({
    header: ['Name', 'Currency', 'Paid', 'Owed'],
    rows: [
      ['A', 'USD', { amount: 100, currency: 'USD' }, { amount: 200, currency: 'USD' }],
      ['B', 'USD', null, { amount: 1, currency: 'USD' }],
    ],
  });
  expect(findTable(h(Page, null), 'empty')).toEqual({ header: ['Name'], rows: [] });
  expect(findTable(h(Page, null), 'unknown')).toBeUndefined();
});
