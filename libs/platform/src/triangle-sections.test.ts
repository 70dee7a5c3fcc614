import { triangleSections } from './triangle-sections';

type Measure = 'outstanding' | 'claim_count';

/** Returns the labels of the vertical axis of a triangle with one cell. */
function labelsOf(measure: Measure, value: number): string[] {
  const html = triangleSections({
    origins: ['2027-01-01'],
    valuation_dates: ['2027-01-31'],
    currencies: [{ currency: 'KES', measures: [{ measure, rows: [[value]] }] }],
  });
  return [...html.matchAll(/<line[^>]*\/><text[^>]*>([^<]*)<\/text>/g)].map(([, label = '']) => label);
}

test.each<[Measure, number, string[]]>([
  ['outstanding', 0, ['0', '1']],
  ['outstanding', 1, ['0', '1']],
  ['outstanding', 300, ['0', '1', '2', '3']],
  ['outstanding', 123_456, ['0', '500', '1k', '1.5k']],
  ['claim_count', 0, ['0', '1']],
  ['claim_count', 1, ['0', '1']],
  ['claim_count', 7, ['0', '2', '4', '6', '8']],
])('the axis of %s up to %d has the labels %j, each once', (measure, value, labels) => {
  expect(labelsOf(measure, value)).toEqual(labels);
});
