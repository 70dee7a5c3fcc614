/** How the lines of a set are ordered, and the formats of their results. */
import type { BulkJobResult } from '@carecover/contract';
import { csvRecord } from './claim-files';

/**
 * Returns the lines of a set in queues: those of the same claim are in one queue, in the order of the file. Different queues can be executed
 * at the same time.
 */
export function queuesOf<Line>(lines: readonly Line[], claimOf: (line: Line) => string): Line[][] {
  const queues = new Map<string, Line[]>();
  for (const line of lines) {
    const claim = claimOf(line);
    const queue = queues.get(claim);
    if (queue === undefined) queues.set(claim, [line]);
    else queue.push(line);
  }
  return [...queues.values()];
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
