/** How the lines of a set are ordered, and the formats of their results. */
import type { BulkJobResult } from '@carecover/contract';
import { csvRecord } from './claim-files';

/**
 * Returns the lines of a set in queues: those that depend on each other, because they have a key in common, are in one queue, in the order of
 * the file. Different queues can be executed at the same time.
 *
 * @param keysOf returns what a line creates or changes, at least one key
 * @example queuesOf(['ab', 'c', 'bd'], (line) => [...line]) // [['ab', 'bd'], ['c']]
 */
export function queuesOf<Line>(lines: readonly Line[], keysOf: (line: Line) => readonly string[]): Line[][] {
  const keys = lines.map(keysOf);
  /** The positions of the lines of a queue, by each key of its lines. */
  const queueOfKey = new Map<string, ReadonlySet<number>>();
  for (const [position, own] of keys.entries()) {
    const joined = new Set([...own.flatMap((key) => [...(queueOfKey.get(key) ?? [])]), position]);
    for (const each of joined) for (const key of keys[each] ?? []) queueOfKey.set(key, joined);
  }
  return [...new Set(queueOfKey.values())].map((queue) =>
    lines.filter((_line, position) => queue.has(position)),
  );
}

/** The header record of the CSV file of results. */
export const RESULT_CSV_HEADER = csvRecord([
  'line',
  'reference',
  'status',
  'resource_id',
  'error_code',
  'error_message',
]);

/** Returns the CSV record of a result. */
export function resultCsv({ line, reference, status, resource_id, error }: BulkJobResult): string {
  return csvRecord([line, reference, status, resource_id, error?.code ?? null, error?.message ?? null]);
}

/** Returns a result's line of newline-delimited JSON. */
export function resultLine(result: BulkJobResult): string {
  return `${JSON.stringify(result)}\n`;
}
