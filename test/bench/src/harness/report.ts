/** Prints the results of a benchmark, as a table for people and as one line of JSON for programs. */
import type { Cell } from './contest';
import type { RunLagFigures } from './run-lag';

export interface Report {
  readonly benchmark: string;
  /** A short description of the measured operation. */
  readonly title: string;
  readonly cells: readonly Cell[];
  /** How far the workflows are behind the measured commands; null or undefined if this was not measured. */
  readonly runs?: RunLagFigures | null;
}

const COLUMNS = [
  'connections',
  'contestant',
  'per second',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'ours to it',
  'by CPU',
];

/** Formats a number with about three significant digits. */
export function formatFigure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/**
 * Returns a contestant's processor time divided by Carecover's. Other work on the machine affects this ratio less than it affects the ratio
 * of the operations per second.
 */
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
    formatFigure(cell.perSecond),
    formatFigure(cell.p50Ms),
    formatFigure(cell.p99Ms),
    cell.processorMs === null ? '' : formatFigure(cell.processorMs),
    ratio(cell.ratio),
    ratio(processorRatio(cell, cells)),
  ];
}

/** Formats rows as a table with right-aligned columns. Only the column with the index `naming` is left-aligned. */
export function formatTable(rows: readonly (readonly string[])[], naming = 1): string {
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
      const parts = Object.entries(processorShares).map(([name, ms]) => `${name} ${formatFigure(ms)}`);
      return parts.length === 0 ? '' : `\nCPU ms of ours at ${connections}: ${parts.join(', ')}`;
    });
  const ofRateAtEight = ratesBeyondEight(cells.filter(({ name }) => name === ours));
  const ratios = ofRateAtEight.map(
    ({ connections, share }) => `\nours at ${connections} connections: ${share.toFixed(2)} of its rate at 8`,
  );
  process.stdout.write(
    `\n${title}\n${formatTable([COLUMNS, ...cells.map((cell) => row(cell, cells))])}${ratios.join('')}${shares.join('')}${runsLine(report.runs ?? null)}\n`,
  );
  printJson({ ...report, ofRateAtEight });
}

function runsLine(runs: RunLagFigures | null): string {
  if (runs === null) return '';
  const { oldestSeconds, pending, drainSeconds, signalsPerSecond } = runs;
  const rate = signalsPerSecond === null ? '' : `, ${formatFigure(signalsPerSecond)} per second`;
  return `\nruns of ours: oldest pending signal ${formatFigure(oldestSeconds)} s during the load; at its end ${pending} pending, all sent after ${formatFigure(drainSeconds)} s${rate}`;
}

/** Returns, for each number of connections above 8, Carecover's operations per second divided by those at 8 connections. */
function ratesBeyondEight(cells: readonly Cell[]) {
  const eight = cells.find(({ connections }) => connections === 8);
  return cells
    .filter(({ connections }) => eight !== undefined && connections > 8)
    .map(({ connections, perSecond }) => ({ connections, share: perSecond / (eight?.perSecond ?? 0) }));
}

/** Prints a value as one line of JSON. */
export function printJson(value: object): void {
  const round = (_: string, each: unknown) =>
    typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(4)) : each;
  process.stdout.write(`${JSON.stringify(value, round)}\n`);
}
