import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages';
import { currencyList, errorPage, eventPage, scheduleSentence } from './render/catalogues';
import { claimLifecyclePicture, claimStatusTable } from './render/claim-lifecycle';
import { valuationPicture, valuationTable } from './render/valuation-timeline';

const GUIDES = join(ROOT, 'docs/guides');

/** The cells of a line of a table, without the bars around them. A bar within a cell is written with a backslash. */
const cellsOf = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Pads the cells of each table, so that its columns stand below each other. */
function alignTables(text: string): string {
  return text.replace(/(^\|.*\|\n)+/gm, (table) => {
    const rows = table.trimEnd().split('\n').map(cellsOf);
    const widths = (rows[0] ?? []).map((_, column) =>
      Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    const isRule = (cell: string) => /^-+$/.test(cell);
    const padded = (cell: string, column: number) =>
      isRule(cell) ? '-'.repeat(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
    return rows.map((row) => `| ${row.map(padded).join(' | ')} |\n`).join('');
  });
}

/** `UPDATE_DOCS=1` writes what is here compared. */
function expectFile(path: string, text: string): void {
  const file = join(GUIDES, path);
  const wanted = path.endsWith('.md') ? alignTables(text) : text;
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
