/** Compares what an operation costs in data sets of several sizes. */
import { formatTable, printJson } from '../harness/report';
import type { PlanCost } from './plans';

export interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Pages of 8 kB that the operation's statements read, from memory or from disk. */
  readonly pages: number;
  /** The costs of the plans of the operation's statements; null for writes, whose statements are counted but not run with EXPLAIN. */
  readonly plan: PlanCost | null;
}

/** The measured costs of each operation in a data set of one size. */
export interface Sized {
  readonly claims: number;
  readonly figures: ReadonlyMap<string, Figures>;
}

/**
 * The factor by which the pages or discarded rows of an operation may grow from the smallest to the largest data set. As many times more
 * pages as rows are returned, and one more page per descent of an index, are also allowed: in a small data set, the page of a list that few
 * rows meet is not full.
 */
const MOST_GROWTH = 1.5;
/**
 * The check of discarded rows ignores an operation that discards at most this number of rows, which is the number of items on one page of a
 * list.
 */
const FEW_ROWS = 100;

/** Returns a message that names the cost of an operation that grows with the number of claims; an empty text if no cost grows. */
function faultOf(first: Figures, last: Figures): string {
  const discarded = last.plan?.discarded ?? 0;
  if (discarded > FEW_ROWS && discarded > MOST_GROWTH * (first.plan?.discarded ?? 0))
    return 'FAILS: discarded rows';
  const descents = Math.max(first.plan?.descents ?? 0, last.plan?.descents ?? 0);
  // Writes are not run with EXPLAIN, so the number of their index descents is not known. One descent per four pages that a write reads is
  // assumed.
  const levels = last.plan === null ? first.pages / 4 : descents;
  const items = Math.max(1, (last.plan?.rows ?? 0) / Math.max(1, first.plan?.rows ?? 0));
  return last.pages > MOST_GROWTH * items * first.pages + levels ? 'FAILS: pages' : '';
}

/** Prints a row per operation, with the ratios of the largest data set to the smallest. */
export function printComparison(title: string, sizes: readonly Sized[]): void {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined) return;
  const head = sizes.flatMap(({ claims }) => [`${claims}: p50 ms`, 'p99 ms', 'pages', 'discarded']);
  const faults: string[] = [];
  const rows = [...last.figures].map(([name, largest]) => {
    const smallest = first.figures.get(name) ?? largest;
    const fault = faultOf(smallest, largest);
    if (fault !== '') faults.push(name);
    const cells = sizes.flatMap(({ figures }) => {
      const own = figures.get(name);
      if (own === undefined) return ['', '', '', ''];
      return [
        own.p50Ms.toFixed(1),
        own.p99Ms.toFixed(1),
        own.pages.toFixed(0),
        own.plan?.discarded.toFixed(0) ?? '',
      ];
    });
    const ratios = [largest.p50Ms / smallest.p50Ms, largest.pages / Math.max(1, smallest.pages)];
    return [name, ...cells, ...ratios.map((ratio) => ratio.toFixed(2)), fault];
  });
  const header = ['operation', ...head, 'ratio p50', 'ratio pages', ''];
  process.stdout.write(
    `\n${title}\n${formatTable([header, ...rows], 0)}\n${faults.length} of ${rows.length} rows fail\n`,
  );
  const asJson = sizes.map(({ claims, figures }) => ({ claims, figures: Object.fromEntries(figures) }));
  printJson({ benchmark: 'growth: costs', title, sizes: asJson, faults });
}
