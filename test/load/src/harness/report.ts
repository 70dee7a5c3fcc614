/** What a benchmark prints: a short table for people, and one line of JSON for whoever keeps the figures. */
import type { Cell } from './contest';

export interface Report {
  readonly benchmark: string;
  /** What was measured, in a few words. */
  readonly title: string;
  readonly cells: readonly Cell[];
}

const COLUMNS = [
  'connections',
  'contestant',
  'a second',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'ours to it',
  'by CPU',
];

/** Three figures that count. */
export function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** What the ratio is by processor time, which other work on the machine changes less. */
function processorRatio(cell: Cell, cells: readonly Cell[]): number | null {
  const ours = cells.find(({ connections }) => connections === cell.connections);
  if (ours === cell || ours?.processorMs == null || cell.processorMs === null) return null;
  return cell.processorMs / ours.processorMs;
}

const ratio = (value: number | null) => (value === null ? '' : value.toFixed(2));

function row(cell: Cell, cells: readonly Cell[]): string[] {
  return [
    String(cell.connections),
    cell.name,
    figure(cell.perSecond),
    figure(cell.p50Ms),
    figure(cell.p99Ms),
    cell.processorMs === null ? '' : figure(cell.processorMs),
    ratio(cell.ratio),
    ratio(processorRatio(cell, cells)),
  ];
}

/** Columns as wide as their widest value, to the right but for the one that names the row. */
export function table(rows: readonly (readonly string[])[], naming = 1): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const pad = (text: string, column: number) =>
    column === naming ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n');
}

export function printReport(report: Report): void {
  const { title, cells } = report;
  const ours = cells.at(0)?.name;
  const shares = cells
    .filter(({ name }) => name === ours)
    .map(({ connections, processorShares }) => {
      const parts = Object.entries(processorShares).map(([name, ms]) => `${name} ${figure(ms)}`);
      return parts.length === 0 ? '' : `\nCPU ms of ours at ${connections}: ${parts.join(', ')}`;
    });
  process.stdout.write(
    `\n${title}\n${table([COLUMNS, ...cells.map((cell) => row(cell, cells))])}${shares.join('')}\n`,
  );
  printJson(report);
}

/** One line. */
export function printJson(value: object): void {
  const round = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(4)) : each;
  process.stdout.write(`${JSON.stringify(value, round)}\n`);
}
