/**
 * Every function or class that docs/walk.md names is declared in the file to which its link leads. That they are called in this order is
 * tested in test/end-to-end/src/one-stack/walk.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readPage } from './pages';

const { text } = readPage('docs/walk.md');
const links = [...text.matchAll(/\[`(\w+)`\]\(\.\.\/([\w./-]+\.ts)\)/g)].map(
  ([, name = '', file = '']) => [name, file] as const,
);

test('the walk names functions', () => expect(links.length).toBeGreaterThan(40));

test.each(links)('%s is declared in %s', (name, file) => {
  const declaration = new RegExp(
    `^(export )?(async )?(function|class) ${name}\\b|^  (private )?(async )?${name}(<.*>)?\\(`,
    'm',
  );
  expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(declaration);
});

test('the walk has at most 900 words', () => {
  const words = text.replaceAll(/\]\([^)]*\)/g, '').match(/[\w'/{}-]+/g) ?? [];
  expect(words.length).toBeLessThanOrEqual(900);
});
