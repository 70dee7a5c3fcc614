/** How the lines of a set are ordered, and the formats of their results. */
import {
  type BulkJobKind,
  type BulkJobResult,
  type BulkLine,
  type BulkLines,
  csvRecord,
  referenceKey,
  referenceOfBulkLine,
} from '@carecover/contract';

/**
 * Returns the lines of a set in queues: those that depend on each other, because they have a key in common, are in one queue, in the order of
 * the file. Different queues can be executed at the same time.
 *
 * @param keysOf returns what a line creates or changes, at least one key
 * @example queuesOf(['ab', 'c', 'bd'], (line) => [...line]) // [['ab', 'bd'], ['c']]
 */
export function queuesOf<Line>(lines: readonly Line[], keysOf: (line: Line) => readonly string[]): Line[][] {
  /** Per line, a line of its queue; of a queue's first line, itself. */
  const earlierOf = lines.map((_line, position) => position);
  const firstOf = (position: number): number => {
    const earlier = earlierOf[position] ?? position;
    if (earlier === position) return position;
    const first = firstOf(earlier);
    earlierOf[position] = first;
    return first;
  };
  const lineOfKey = new Map<string, number>();
  for (const [position, line] of lines.entries()) {
    for (const key of keysOf(line)) {
      const [a, b] = [firstOf(lineOfKey.get(key) ?? position), firstOf(position)];
      earlierOf[Math.max(a, b)] = Math.min(a, b);
      lineOfKey.set(key, position);
    }
  }
  const queues = new Map<number, Line[]>();
  for (const [position, line] of lines.entries()) {
    const queue = queues.get(firstOf(position)) ?? [];
    queue.push(line);
    queues.set(firstOf(position), queue);
  }
  return [...queues.values()];
}

/** Return the IDs of what the operation of a line of each kind locks or uses up: claims, sessions and advices. */
const resourcesOfKinds: { readonly [Kind in BulkJobKind]: (body: BulkLines[Kind]) => string[] } = {
  claims: (body) => ('session_id' in body ? [body.session_id] : []),
  adjudications: ({ claim_id }) => (claim_id === undefined ? [] : [claim_id]),
  remittances: ({ allocations }) => allocations.map(({ claim_id }) => claim_id),
  settlements: ({ remittance_id, shares = [] }) => [
    ...(remittance_id === undefined ? [] : [adviceKey(remittance_id)]),
    ...shares.map(({ payment_advice_id }) => adviceKey(payment_advice_id)),
  ],
  sessions: () => [],
  eligibility_checks: () => [],
};

/** Returns the same text for an advice and its remittance: the part of their IDs that is equal. */
function adviceKey(id: string): string {
  return `advice ${id.slice(id.indexOf('_') + 1)}`;
}

/**
 * Returns what a line creates or changes: the reference of its resource, and the resources that it names. Lines with a key in common depend
 * on each other.
 *
 * @param claimId the claim of an adjudication; null for the other kinds, and if it is not known
 */
export function keysOfLine(
  kind: BulkJobKind,
  { line, body }: { readonly line: number; readonly body: BulkLine },
  claimId: string | null,
): string[] {
  if (claimId !== null) return [`claim ${claimId}`];
  const resources: (body: never) => string[] = resourcesOfKinds[kind];
  const reference = referenceOfBulkLine(body);
  const keys = [
    ...(reference === null ? [] : [`reference ${referenceKey(reference)}`]),
    ...resources(body as never),
  ];
  return keys.length === 0 ? [`line ${line}`] : keys;
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
