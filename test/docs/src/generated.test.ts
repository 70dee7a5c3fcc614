import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages';
import { currencyList, errorPage, eventPage, scheduleSentence } from './render/catalogues';
import { claimHistoryPage } from './render/claim-history';
import { claimLifecyclePicture, claimStatusTable } from './render/claim-lifecycle';
import { valuationPicture, valuationTable } from './render/valuation-timeline';

const DOCS = join(ROOT, 'docs');

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
  const file = join(DOCS, path);
  const wanted = path.endsWith('.md') ? alignTables(text) : text;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, wanted);
  expect(readFileSync(file, 'utf8')).toBe(wanted);
}

function withPart(path: string, name: string, part: string): string {
  const page = readFileSync(join(DOCS, path), 'utf8');
  const marked = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
  expect(page).toMatch(marked);
  return page.replace(marked, (_, start, end) => `${start}\n${part}\n\n${end}`);
}

test.each([
  ['guides/events.md', eventPage],
  ['guides/errors.md', errorPage],
  ['guides/pictures/claim-lifecycle.svg', claimLifecyclePicture],
  ['guides/pictures/valuation-timeline.svg', valuationPicture],
  ['operators/a-claims-history.md', () => claimHistoryPage('0.1.0')],
])('%s says what the code says today', (path, render) => expectFile(path, render()));

test.each([
  ['guides/claims.md', 'statuses', claimStatusTable],
  ['guides/valuation.md', 'timeline', valuationTable],
  ['guides/money.md', 'currencies', currencyList],
  ['guides/webhooks.md', 'schedule', scheduleSentence],
])('the part of %s on %s says what the code says today', (path, name, render) =>
  expectFile(path, withPart(path, name, render())),
);
