/** Tests of the tables of a run: every value is that of the run, and no text of the run becomes markup. */
import { groupTable, totalsTable, triangleTable } from './run-tables';

const textOf = (html: string) =>
  html
    .replace(/<\/(t[hd]|caption)>/g, '|')
    .replace(/<\/tr>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.replace(/\|$/, ''));

const AMOUNT = {
  billed: 650_000,
  payer_liability: 300_000,
  patient_responsibility: 0,
  adjustment: 50_000,
  remitted: 0,
  settled: 100_000,
  outstanding: -200_000,
};

test('a triangle as a table has an exact value per origin and valuation date, and none before the period', () => {
  const html = triangleTable(
    { origins: ['2026-03-01', '2026-04-01'], valuation_dates: ['2026-03-31', '2026-04-30'], currencies: [] },
    {
      measure: 'outstanding',
      rows: [
        [100_000, -190_001],
        [null, 0],
      ],
    },
    'KES',
  );
  expect(textOf(html)).toEqual([
    'outstanding, KES|origin|2026-03-31|2026-04-30',
    '2026-03-01|KES 1,000.00|KES -1,900.01',
    '2026-04-01||KES 0.00',
    '',
  ]);
  expect(html).toContain('<th scope="col">2026-03-31</th>');
  expect(html).toContain('<th scope="row">2026-03-01</th>');
});

test('a number of claims has no currency', () => {
  const html = triangleTable(
    { origins: ['2026-03-01'], valuation_dates: ['2026-03-31'], currencies: [] },
    { measure: 'claim_count', rows: [[1_234]] },
    'KES',
  );
  expect(textOf(html)).toContain('2026-03-01|1,234');
});

test('totals have every amount in the decimals of their currency', () => {
  const html = totalsTable([
    { currency: 'JPY', claim_count: 1, amount: { ...AMOUNT, billed: 5 } },
    { currency: 'KES', claim_count: 2, amount: AMOUNT },
  ]);
  expect(textOf(html)).toEqual([
    'Totals|currency|claims|billed|payer liability|patient responsibility|adjustment|remitted|settled|outstanding',
    'JPY|1|5|300,000|0|50,000|0|100,000|-200,000',
    'KES|2|6,500.00|3,000.00|0.00|500.00|0.00|1,000.00|-2,000.00',
    '',
  ]);
});

test('groups have the dimensions of the run, and say how many are not shown', () => {
  const group = { currency: 'KES', claim_count: 2, amount: AMOUNT };
  const groups = [
    { ...group, status: 'approved', payer_reference: '<img src=x>' },
    { ...group, status: 'queried', payer_reference: null },
  ];
  const html = groupTable(groups, ['status', 'payer_reference'], 50);
  expect(textOf(html)[0]).toMatch(/^2 of 50 groups\|status\|payer reference\|currency\|claims\|billed/);
  expect(html).toContain('<td>&lt;img src=x&gt;</td>');
  expect(html).not.toContain('<img');
  expect(html).not.toContain('null');
  expect(groupTable(groups, ['status'], 2)).toContain('<caption>2 groups</caption>');
});
