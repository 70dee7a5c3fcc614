/** Tests of the drawings: the labels of their axes, and the contrast of their colours, which the app's stylesheet has too. */
import { readFileSync } from 'node:fs';
import { APP_STYLESHEET } from './assets';
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

test.each<[number, string[]]>([
  [-123_456, ['-1.5k', '-1k', '-500', '0', '500']],
  [-100, ['-1', '0', '1']],
])('an axis down to %d has labels below zero', (lowest, labels) => {
  const html = triangleSections({
    origins: ['2027-01-01'],
    valuation_dates: ['2027-01-31', '2027-02-28'],
    currencies: [{ currency: 'KES', measures: [{ measure: 'outstanding', rows: [[lowest, 100]] }] }],
  });
  const shown = [...html.matchAll(/<line[^>]*y1="([^"]*)"[^>]*\/><text[^>]*>([^<]*)<\/text>/g)];
  expect(shown.map(([, , label]) => label)).toEqual(labels);
  const heights = shown.map(([, y]) => Number(y));
  expect(heights).toEqual([...heights].sort((a, b) => b - a));
  for (const [, y] of html.matchAll(/<circle[^>]*cy="([^"]*)"/g))
    expect(Number(y)).toBeLessThanOrEqual(heights[0] ?? 0);
});

/** The colours of the pages that show triangles, in the light and the dark scheme: of the text, the cells and the text on dark cells. */
const SCHEMES = [
  { ink: '#17212b', low: '#e8f1fb', highInk: '#ffffff', fills: ['#0b4f8a', '#a83232'] },
  { ink: '#e8edf0', low: '#1d2733', highInk: '#0b1118', fills: ['#6db3f2', '#f08a8a'] },
];

test('the app has the colours whose contrast is tested', () => {
  const css = readFileSync(APP_STYLESHEET, 'utf8');
  const [light, dark] = SCHEMES;
  for (const [name, of] of [
    ['high', ({ fills }) => fills[0]],
    ['negative', ({ fills }) => fills[1]],
    ['low', ({ low }) => low],
    ['high-ink', ({ highInk }) => highInk],
  ] satisfies [string, (scheme: (typeof SCHEMES)[number]) => string | undefined][])
    expect(css).toContain(`--${name}: light-dark(${light && of(light)}, ${dark && of(dark)});`);
});

const channels = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

test('the text of every cell of a heat map has a contrast of 4.5 in both colour schemes', () => {
  const values = Array.from({ length: 201 }, (_, index) => index - 100);
  const html = triangleSections({
    origins: ['2027-01-01'],
    valuation_dates: values.map(() => '2027-01-31'),
    currencies: [{ currency: 'KES', measures: [{ measure: 'outstanding', rows: [values] }] }],
  });
  const cells = [
    ...html.matchAll(/fill="color-mix\(in srgb, var\(--(\w+)\) (\d+)%.*?<text[^>]*?( class="dark")?>/g),
  ];
  expect(cells).toHaveLength(values.length);
  for (const { ink, low, highInk, fills } of SCHEMES)
    for (const [, name, percent, dark] of cells) {
      const fill = channels(fills[name === 'negative' ? 1 : 0] ?? '');
      const ground = channels(low).map(
        (value, index) => value + (((fill[index] ?? 0) - value) * Number(percent)) / 100,
      );
      const text = luminance(channels(dark === undefined ? ink : highInk));
      const [light, other] = [luminance(ground), text].sort((a, b) => b - a);
      const contrast = ((light ?? 0) + 0.05) / ((other ?? 0) + 0.05);
      expect([name, percent, contrast >= 4.5]).toEqual([name, percent, true]);
    }
});
