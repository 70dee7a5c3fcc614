/**
 * Splits a file into rows, with at most one row in memory. A row of JSON lines ends at a line feed. A row of CSV (RFC 4180) ends at a line
 * end that is not in a quoted cell; a line end is LF, CR LF or CR.
 *
 * Failure policy: a row that is too long or not UTF-8 is reported, and the rows after it are read. A quoted cell that is not closed hides
 * where later rows start, so the file is then rejected as a whole.
 *
 * The parser csv-parse does not split the file, because of its errors per record: after a misplaced quote it reads on in the next rows, after
 * others it skips the rest of the chunk (`skip_records_with_error`), and its `max_record_size` does not count empty cells.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { readUtf8 } from './file-bytes';
import { FileError } from './file-error';

/** Maximum length of a row in bytes of UTF-8. */
export const MAX_ROW_BYTES = 100_000;

/** The position of a row in its file. */
interface Position {
  /** The line at which the row starts, counted from 1. */
  readonly line: number;
}

/** A row that can't be read, with the reason, such as `it has 13 cells …`. */
export interface UnreadableFileRow extends Position {
  readonly reason: string;
}

/** A row as text. */
interface TextRow extends Position {
  readonly text: string;
  readonly lastLine: number;
  /** The number of cells of a CSV row, which is known before the row is split; 1 in JSON lines. */
  readonly cells: number;
}

export type FileRow = TextRow | UnreadableFileRow;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BLANKS = [0x20, 0x09, CARRIAGE_RETURN];

type Place = 'start of a cell' | 'in a cell' | 'in quotes' | 'after a quote in quotes';

/** Returns where in a CSV row with the given separators of cells the position after `byte` is. */
function placeAfter(byte: number | undefined, place: Place, separators: readonly number[]): Place {
  if (place === 'in quotes') return byte === QUOTE ? 'after a quote in quotes' : place;
  // A second quote is a quote in the cell's text. Any other byte follows the closing quote.
  if (place === 'after a quote in quotes' && byte === QUOTE) return 'in quotes';
  if (isSeparator(byte, separators)) return 'start of a cell';
  if (place !== 'start of a cell') return 'in a cell';
  if (byte === QUOTE) return 'in quotes';
  return isBlankByte(byte) ? place : 'in a cell';
}

function isSeparator(byte: number | undefined, separators: readonly number[]): boolean {
  return byte !== undefined && separators.includes(byte);
}

function isBlankByte(byte: number | undefined): boolean {
  return byte !== undefined && BLANKS.includes(byte);
}

/** The bytes of the row that is being read. */
class RowBytes {
  private parts: Buffer[] = [];
  private length = 0;
  private separatorCount = 0;

  /** Counts a separator that is not in quotes. */
  addSeparator(): void {
    this.separatorCount += 1;
  }

  /** Adds bytes. If the row is too long, they are counted and not kept. */
  add(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > MAX_ROW_BYTES) this.parts = [];
    else if (bytes.length > 0) this.parts.push(bytes);
  }

  /** Returns the row, and starts the next one. */
  take(line: number, lastLine: number): FileRow {
    const { parts, length, separatorCount } = this;
    this.clear();
    if (length > MAX_ROW_BYTES) {
      const reason = `it has more than ${MAX_ROW_BYTES.toLocaleString('en')} bytes`;
      return { line, reason: withLastLine(reason, line, lastLine) };
    }
    const bytes = Buffer.concat(parts, length);
    if (!isUtf8(bytes)) return { line, reason: withLastLine('it is not text in UTF-8', line, lastLine) };
    return { line, lastLine, text: bytes.toString(), cells: separatorCount + 1 };
  }

  clear(): void {
    this.parts = [];
    this.length = 0;
    this.separatorCount = 0;
  }
}

/** Returns the reason with the row's last line, if the row has several. */
export function withLastLine(reason: string, line: number, lastLine: number): string {
  return lastLine === line ? reason : `${reason}; the row ends on line ${lastLine}`;
}

/**
 * Yields the rows of a file, except those of nothing but blanks and separators, or in JSON lines of nothing but blanks.
 *
 * @param separators the bytes that separate the cells of CSV, which the caller can change after each row; `lines` for JSON lines

 * @throws FileError if a quoted cell of a CSV file is not closed, or a file with the byte order mark of UTF-16 is not text in UTF-16
 */
export async function* readFileRows(
  input: Readable,
  separators: readonly number[] | 'lines',
): AsyncGenerator<FileRow> {
  const isCsv = separators !== 'lines';
  const row = new RowBytes();
  let place: Place = 'start of a cell';
  let isBlank = true;
  let firstLine = 1;
  let line = 1;
  let previous: number | undefined;
  for await (const chunk of readUtf8(input)) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const endsCrLf = isCsv && byte === LINE_FEED && previous === CARRIAGE_RETURN;
      previous = byte;
      const isLineEnd = byte === LINE_FEED || (isCsv && byte === CARRIAGE_RETURN);
      if (!isLineEnd) {
        if (isCsv) place = placeAfter(byte, place, separators);
        if (isCsv && place === 'start of a cell' && isSeparator(byte, separators)) row.addSeparator();
        isBlank &&= isCsv ? place === 'start of a cell' : isBlankByte(byte);
        continue;
      }
      if (place === 'in quotes') {
        if (!endsCrLf) line += 1;
        continue;
      }
      // The row of a CR LF has ended at its CR.
      if (!endsCrLf) {
        if (isBlank) row.clear();
        else {
          row.add(chunk.subarray(start, at));
          yield row.take(firstLine, line);
        }
        line += 1;
        firstLine = line;
        place = 'start of a cell';
        isBlank = true;
      }
      start = at + 1;
    }
    row.add(chunk.subarray(start));
  }
  if (place === 'in quotes')
    throw new FileError('A quoted cell of the row that starts here has no closing quote.', firstLine);
  if (!isBlank) yield row.take(firstLine, line);
}
