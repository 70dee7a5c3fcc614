/** Reads a file of JSON lines: one JSON object per line, each with at most {@link MAX_ROW_BYTES} bytes. */
import type { Readable } from 'node:stream';
import { FileError } from './file-error';
import { readFileRows, type UnreadableFileRow } from './file-rows';

/**
 * Yields the value of each line that is not empty, without validation, or the reason why the line can't be read.
 *
 * @throws FileError at the end, if lines were read and none is a JSON object
 */
export async function* readJsonLines(
  input: Readable,
): AsyncGenerator<{ readonly line: number; readonly value: unknown } | UnreadableFileRow> {
  let rows = 0;
  let objects = 0;
  for await (const row of readFileRows(input, 'lines')) {
    rows += 1;
    const read = 'text' in row ? parseLine(row.line, row.text) : row;
    if ('value' in read && isObject(read.value)) objects += 1;
    yield read;
  }
  if (rows > 0 && objects === 0)
    throw new FileError(
      'No line is a JSON object. Write one object per line, or CSV into a file whose name ends with .csv.',
    );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseLine(line: number, text: string) {
  try {
    return { line, value: JSON.parse(text) as unknown };
  } catch {
    return { line, reason: 'it is no JSON' };
  }
}
