/** The colours of the stylesheet in both schemes: contrast of texts at least 4.5, of graphics at least 3 (WCAG 2.2, 1.4.3 and 1.4.11). */
import { readFileSync } from 'node:fs';
import { STYLESHEET } from './assets';

const CSS = readFileSync(STYLESHEET, 'utf8');
const COLOURS = new Map(
  [...CSS.matchAll(/--tt-([a-z]+): (?:var\([^,]+, )?light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(name: string, ground: string, scheme: 'light' | 'dark'): number {
  const [a, b] = [name, ground].map((each) => luminance(COLOURS.get(each)?.[scheme] ?? ''));
  const [high, low] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)];
  return (high + 0.05) / (low + 0.05);
}

const TEXTS = ['ink', 'quiet', 'ring'];
/** Dots, lines, rings, and the outlines of the parts of the band. */
const GRAPHICS = ['mark', 'quiet', 'ring', 'ink'];

test.each(['light', 'dark'] as const)(
  'texts and graphics have enough contrast to the ground and the veil (%s)',
  (scheme) => {
    for (const ground of ['ground', 'veil']) {
      for (const name of TEXTS)
        expect([name, ground, contrast(name, ground, scheme) >= 4.5]).toEqual([name, ground, true]);
      for (const name of GRAPHICS)
        expect([name, ground, contrast(name, ground, scheme) >= 3]).toEqual([name, ground, true]);
    }
  },
);

test('no text of the picture is smaller than 11 pixels before it is scaled up', () => {
  const sizes = [...CSS.matchAll(/font-size: ([\d.]+)px/g)].map(([, size]) => Number(size));
  expect(sizes).toEqual([11]);
  expect(COLOURS.size).toBeGreaterThan(12);
});
