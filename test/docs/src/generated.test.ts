import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages';
import { currencyList, errorPage, eventPage, scheduleSentence } from './render/catalogues';
import { claimLifecyclePicture, claimStatusTable } from './render/claim-lifecycle';
import { valuationPicture, valuationTable } from './render/valuation-timeline';

const GUIDES = join(ROOT, 'docs/guides');

/** As the formatter would have it. */
function formatted(path: string, text: string): string {
  if (!path.endsWith('.md')) return text;
  const args = ['format', `--stdin-file-path=${path}`, `--config-path=${ROOT}`];
  return execFileSync(join(ROOT, 'node_modules/.bin/biome'), args, { input: text, encoding: 'utf8' });
}

/** `UPDATE_DOCS=1` writes what is here compared. */
function expectFile(path: string, text: string): void {
  const file = join(GUIDES, path);
  const wanted = formatted(path, text);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, wanted);
  expect(readFileSync(file, 'utf8')).toBe(wanted);
}

function withPart(path: string, name: string, part: string): string {
  const page = readFileSync(join(GUIDES, path), 'utf8');
  const marked = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
  expect(page).toMatch(marked);
  return page.replace(marked, (_, start, end) => `${start}\n${part}\n\n${end}`);
}

test.each([
  ['events.md', eventPage],
  ['errors.md', errorPage],
  ['pictures/claim-lifecycle.svg', claimLifecyclePicture],
  ['pictures/valuation-timeline.svg', valuationPicture],
])('%s says what the code says today', (path, render) => expectFile(path, render()));

test.each([
  ['claims.md', 'statuses', claimStatusTable],
  ['valuation.md', 'timeline', valuationTable],
  ['money.md', 'currencies', currencyList],
  ['webhooks.md', 'schedule', scheduleSentence],
])('the part of %s on %s says what the code says today', (path, name, render) =>
  expectFile(path, withPart(path, name, render())),
);
