/** The tables of pages as CSV: what a person reads in a cell, as a plain value. */
import { formatAmount } from '@carecover/contract';
import { type ComponentChildren, Fragment, type FunctionComponent, isValidElement } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { CsvTable, CsvValue } from './csv';
import { type Column, SoughtTable } from './page-place';
import { Amount, Day, Id, Instant, Status } from './parts';

type Money = Exclude<CsvValue, string | number | null>;

/** The plain values of the components that format a value, by component. */
const VALUES = new Map<unknown, (props: never) => CsvValue>([
  [
    Amount,
    ({ value, currency }: { value: number | null; currency: string }) =>
      value === null ? null : { amount: value, currency },
  ],
  [Instant, ({ at }: { at: string | null }) => at],
  [Day, ({ at }: { at: string }) => at],
  [Id, ({ id }: { id: string }) => id],
  [Status, ({ value }: { value: string }) => value],
]);

/** A value of several parts is a text. */
function textOf(value: CsvValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? formatAmount(value.amount, value.currency) : String(value);
}

/**
 * Returns what is in a cell: an amount, an instant (RFC 3339), a whole ID, a number or a text. A part that says that there is nothing is empty.
 *
 * @example plainValue(<a href="/claims/clm_1">INV-1</a>) // 'INV-1'
 */
export function plainValue(node: ComponentChildren): CsvValue {
  if (typeof node === 'string' || typeof node === 'number') return node;
  if (Array.isArray(node)) {
    const values = node.map(plainValue);
    const filled = values.filter((value) => textOf(value).trim() !== '');
    return filled.length <= 1 ? (filled[0] ?? null) : values.map(textOf).join('').trim();
  }
  if (!isValidElement(node)) return null;
  const { type, props } = node as { type: unknown; props: { class?: string; children?: ComponentChildren } };
  const read = VALUES.get(type);
  if (read !== undefined) return read(props as never);
  if (typeof type === 'function' && type !== Fragment)
    return plainValue((type as FunctionComponent)(props) as ComponentChildren);
  return props.class === 'none' ? null : plainValue(props.children);
}

/** Returns a table with plain values. The currency of its amounts is in a column before the first of them. */
function csvOf(all: readonly Column<never>[], rows: readonly unknown[]): CsvTable {
  const columns = all.filter(({ isControl }) => isControl !== true);
  const values = rows.map((row) => columns.map(({ cell }) => plainValue(cell(row as never))));
  const isMoney = (value: CsvValue | undefined): value is Money =>
    typeof value === 'object' && value !== null;
  const first = columns.findIndex((_, index) => values.some((row) => isMoney(row[index])));
  const header = columns.map(({ label }) => label);
  if (first < 0) return { header, rows: values };
  return {
    header: header.toSpliced(first, 0, 'Currency'),
    rows: values.map((row) => row.toSpliced(first, 0, row.find(isMoney)?.currency ?? null)),
  };
}

/** Returns the table of a page with this name as CSV; undefined if the page has none. */
export function findTable(body: ComponentChildren, name: string): CsvTable | undefined {
  let found: CsvTable | undefined;
  const take = (columns: readonly Column<never>[], rows: readonly unknown[]) => {
    found = csvOf(columns, rows);
  };
  renderToString(<SoughtTable.Provider value={{ name, take }}>{body}</SoughtTable.Provider>);
  return found;
}
