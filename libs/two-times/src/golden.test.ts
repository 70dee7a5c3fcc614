/**
 * The pictures of a few stories, as files that a person can look at. `WRITE_GOLDEN=1` writes them again: look at each that changed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Layout, renderStandalone, type View } from '.';
import { STYLESHEET } from './assets';
import { nairobi, STORIES } from './testing/stories';

const FOLDER = join(__dirname, '../golden');
const AT = nairobi('2026-11-07 23:59') + 59_999;
const OTHER = nairobi('2026-10-31 23:59') + 59_999;

const CASES: readonly (readonly [string, Layout, Partial<View>])[] = [
  ['late-money', 'wide', { at: AT, other: OTHER }],
  ['late-money', 'turned', { at: AT, other: OTHER }],
  ['late-money', 'medium', { at: OTHER, axis: 'known_now' }],
  ['reversed-after-payment', 'wide', {}],
  ['taken-back', 'wide', { at: nairobi('2026-11-22 12:00') }],
  ['submitted-minutes-ago', 'medium', {}],
  ['question-then-denied', 'wide', { other: nairobi('2026-11-05 12:00') }],
];

test.each(CASES)('%s, %s, %j', (name, layout, part) => {
  const story = STORIES[name];
  if (story === undefined) throw new Error(`there is a story ${name}`);
  const view: View = { at: Date.parse(story.now), other: null, axis: 'known_then', ...part };
  const svg = renderStandalone(story, layout, view, readFileSync(STYLESHEET, 'utf8'));
  const axis = view.axis === 'known_now' ? '-known-now' : '';
  const file = join(FOLDER, `${name}-${layout}${axis}.svg`);
  if (process.env.WRITE_GOLDEN === '1') writeFileSync(file, svg);
  expect(svg).toBe(readFileSync(file, 'utf8'));
});
