import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './pages';
import {
  renderCurrencyList,
  renderErrorPage,
  renderEventPage,
  renderSchedule,
  renderToolTable,
} from './render/catalogues';
import { renderClaimHistoryPage } from './render/claim-history';
import { renderClaimLifecycle, renderClaimStatusTable } from './render/claim-lifecycle';
import {
  renderAuthorities,
  renderCommandRow,
  renderFactsAndState,
  renderOutbox,
  renderThreatModel,
  renderTwoTimes,
} from './render/concepts';
import { renderValuationTable, renderValuationTimeline } from './render/valuation-timeline';

const DOCS = join(ROOT, 'docs');

/** Splits a line of a Markdown table into cells. A bar inside a cell is escaped with a backslash. */
const splitCells = (line: string) =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Pads the cells of every Markdown table in a text to the width of their columns. */
function alignTables(text: string): string {
  return text.replace(/(^\|.*\|\n)+/gm, (table) => {
    const rows = table.trimEnd().split('\n').map(splitCells);
    const widths = (rows[0] ?? []).map((_, column) =>
      Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    const isRule = (cell: string) => /^-+$/.test(cell);
    const padded = (cell: string, column: number) =>
      isRule(cell) ? '-'.repeat(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
    return rows.map((row) => `| ${row.map(padded).join(' | ')} |\n`).join('');
  });
}

/** Expects that a file in docs/ has this content. With `UPDATE_DOCS=1`, first writes the content to the file. */
function expectFile(path: string, text: string): void {
  const file = join(DOCS, path);
  const expected = path.endsWith('.md') ? alignTables(text) : text;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, expected);
  expect(readFileSync(file, 'utf8')).toBe(expected);
}

/** Returns a page in docs/, in which the content between the markers of the generated part `name` is replaced. */
function replaceGeneratedPart(path: string, name: string, part: string): string {
  const page = readFileSync(join(DOCS, path), 'utf8');
  const marked = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
  expect(page).toMatch(marked);
  return page.replace(marked, (_, start, end) => `${start}\n${part}\n\n${end}`);
}

test.each([
  ['guides/events.md', renderEventPage],
  ['guides/errors.md', renderErrorPage],
  ['guides/pictures/claim-lifecycle.svg', renderClaimLifecycle],
  ['guides/pictures/valuation-timeline.svg', renderValuationTimeline],
  ['guides/pictures/two-times.svg', renderTwoTimes],
  ['guides/pictures/facts-and-state.svg', renderFactsAndState],
  ['guides/pictures/authorities.svg', renderAuthorities],
  ['guides/pictures/command-row.svg', renderCommandRow],
  ['guides/pictures/outbox.svg', renderOutbox],
  ['guides/pictures/threat-model.svg', renderThreatModel],
  ['operators/a-claims-history.md', () => renderClaimHistoryPage('0.1.0')],
])('%s is up to date with the code', (path, render) => expectFile(path, render()));

test.each([
  ['guides/claims.md', 'statuses', renderClaimStatusTable],
  ['guides/valuation.md', 'timeline', renderValuationTable],
  ['guides/money.md', 'currencies', renderCurrencyList],
  ['guides/webhooks.md', 'schedule', renderSchedule],
  ['guides/agents.md', 'tools', () => renderToolTable(false)],
  ['guides/agents.md', 'write tools', () => renderToolTable(true)],
])('in %s, the part "%s" is up to date with the code', (path, name, render) =>
  expectFile(path, replaceGeneratedPart(path, name, render())),
);
