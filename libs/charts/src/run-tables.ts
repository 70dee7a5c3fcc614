/**
 * The tables of a valuation run as HTML: a triangle with exact values, which a screen reader can read, and totals and groups. All texts are
 * escaped. Amounts are those of the run, in minor units; nothing is added up here.
 */
import type { ValuationRun } from '@carecover/contract';
import { formatMajorUnits } from '@carecover/contract/amounts';
import { valuationAmounts } from '@carecover/contract/valuation-amounts';
import { escapeHtml, exactValue, type Measure, type Triangle, wordsOf } from './triangle-sections';

type Sums = Pick<ValuationRun['totals'][number], 'currency' | 'claim_count' | 'amount'>;

/** A group, which has the dimensions by which the run is grouped. */
type Group = Sums & Readonly<Record<string, unknown>>;

/** Returns a table whose first columns are texts, and whose last `numbers` columns are numbers. */
function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: number,
): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const firstNumber = columns.length - numbers;
  const body = rows.map((cells) => {
    const [first = '', ...others] = cells;
    const data = others.map(
      (cell, index) => `<td${index + 1 >= firstNumber ? ' class="number"' : ''}>${escapeHtml(cell)}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(first)}</th>${data.join('')}</tr>`;
  });
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(caption)}"><table><caption>${escapeHtml(caption)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

/** Returns one measure of a triangle as a table of exact values. */
export function triangleTable(
  { origins, valuation_dates }: Triangle,
  { measure, rows }: Measure,
  currency: string,
): string {
  const lines = origins.map((origin, row) => {
    const values = valuation_dates.map((_date, column) => rows[row]?.[column] ?? null);
    return [origin, ...values.map((value) => (value === null ? '' : exactValue(value, measure, currency)))];
  });
  const caption = `${wordsOf(measure)}, ${currency}`;
  return table(caption, ['origin', ...valuation_dates], lines, valuation_dates.length);
}

const SUM_COLUMNS = ['currency', 'claims', ...valuationAmounts.map(wordsOf)];

function sumCells({ currency, claim_count, amount }: Sums): string[] {
  return [
    currency,
    String(claim_count),
    ...valuationAmounts.map((name) => formatMajorUnits(amount[name], currency)),
  ];
}

/** Returns the totals of a run as a table, one row per currency. */
export function totalsTable(totals: readonly Sums[]): string {
  return table('Totals', SUM_COLUMNS, totals.map(sumCells), valuationAmounts.length + 1);
}

/**
 * Returns groups of a run as a table.
 *
 * @param count how many groups the run has
 */
export function groupTable(groups: readonly Group[], dimensions: readonly string[], count: number): string {
  const caption = groups.length < count ? `${groups.length} of ${count} groups` : `${count} groups`;
  const rows = groups.map((group) => [
    ...dimensions.map((name) => String(group[name] ?? '')),
    ...sumCells(group),
  ]);
  return table(caption, [...dimensions.map(wordsOf), ...SUM_COLUMNS], rows, valuationAmounts.length + 1);
}
