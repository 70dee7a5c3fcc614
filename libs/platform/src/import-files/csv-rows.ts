/**
 * Reads the rows of a CSV file (RFC 4180) as a stream. The first row is the heading, which names the columns in any order. A row has as many
 * cells as the heading. Rows without content, which spreadsheets write, are skipped, and columns without a name must be empty.
 */
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse/sync';
import { copyText } from './file-bytes';
import { FileError } from './file-error';
import { readFileRows, type UnreadableFileRow, withLastLine } from './file-rows';

export interface CsvColumns<Column extends string> {
  /** The names of the columns that the heading must have. */
  readonly required: readonly Column[];
  /** Whether the heading can have other columns, which are then ignored. */
  readonly allowsOthers: boolean;
}

/** The required cells of a row by column, without the white space around them, or the reason why the row can't be read. */
export type CsvRow<Column extends string> =
  | { readonly line: number; readonly cells: Readonly<Record<Column, string>> }
  | UnreadableFileRow;

/**
 * Yields the rows after the heading.
 *
 * @throws FileError if there is no heading, the heading lacks a column or has an unknown one, the separator is no comma, or a quoted cell is
 *   not closed
 * @example for await (const row of readCsvRows(input, { required: ['amount'], allowsOthers: true })) …
 */
export async function* readCsvRows<Column extends string>(
  input: Readable,
  columns: CsvColumns<Column>,
): AsyncGenerator<CsvRow<Column>> {
  let heading: Heading<Column> | null = null;
  for await (const row of readFileRows(input, 'csv')) {
    const { line } = row;
    const cells = 'text' in row ? parseRow(row.text) : null;
    if (cells?.every((cell) => cell === '') === true) continue;
    const reason = 'reason' in row ? row.reason : withLastLine(QUOTES, line, row.lastLine);
    if (heading === null) {
      if (cells === null) throw new FileError(`The heading can't be read: ${reason}.`, line);
      heading = new Heading(cells, columns, line);
    } else if (cells === null) yield { line, reason };
    else yield heading.toRow(line, cells);
  }
  if (heading === null)
    throw new FileError(
      `The file is empty. Its first row must name the columns ${columns.required.join(', ')}.`,
    );
}

const QUOTES =
  'its quotes are misplaced: a cell that contains a quote must be in quotes, with the quote doubled';

/**
 * Returns the cells of a row; null if its quotes are not those of CSV. Rows without quotes, which are most, are split here, because a call
 * of the parser takes ten times as long.
 */
function parseRow(text: string): string[] | null {
  if (!text.includes('"')) return text.split(',').map((cell) => copyText(cell.trim()));
  try {
    const [cells, ...more] = parse(text, { trim: true }) as string[][];
    return cells === undefined || more.length > 0 ? null : cells;
  } catch (error) {
    // The message of the error contains the cell.
    if (error instanceof CsvError) return null;
    throw error;
  }
}

class Heading<Column extends string> {
  private readonly positions: ReadonlyMap<Column, number>;
  private readonly unnamed: readonly number[];

  /** @throws FileError if a required column is missing or duplicate, or another column is not allowed */
  constructor(
    private readonly names: readonly string[],
    { required, allowsOthers }: CsvColumns<Column>,
    line: number,
  ) {
    const missing = required.filter((column) => !names.includes(column));
    if (missing.length > 0)
      throw new FileError(
        describeSeparator(names, required) ?? `The heading lacks the ${listOf(missing)}.`,
        line,
      );
    const twice = required.filter((column) => names.indexOf(column) !== names.lastIndexOf(column));
    if (twice.length > 0) throw new FileError(`The heading has the ${listOf(twice)} twice.`, line);
    const others = names.filter((name) => name !== '' && !required.some((column) => column === name));
    if (!allowsOthers && others.length > 0)
      throw new FileError(
        `The heading has the unknown ${listOf(others)}. Expected: ${required.join(', ')}.`,
        line,
      );
    this.positions = new Map(required.map((column) => [column, names.indexOf(column)]));
    this.unnamed = [...names.keys()].filter((index) => names[index] === '');
  }

  toRow(line: number, cells: readonly string[]): CsvRow<Column> {
    const { names, unnamed, positions } = this;
    if (cells.length !== names.length) {
      const missing = names[cells.length];
      const end = missing === undefined ? '' : `; it ends before the column ${missing}`;
      return { line, reason: `it has ${cells.length} cells, and the heading has ${names.length}${end}` };
    }
    if (unnamed.some((index) => cells[index] !== ''))
      return { line, reason: 'it has content in a column to which the heading gives no name' };
    const named = [...positions].map(([column, index]) => [column, cells[index] ?? '']);
    return { line, cells: Object.fromEntries(named) as Record<Column, string> };
  }
}

function listOf(columns: readonly string[]): string {
  return `column${columns.length > 1 ? 's' : ''} ${columns.join(', ')}`;
}

const OTHER_SEPARATORS = [
  [';', '";"'],
  ['\t', 'a tab'],
  ['|', '"|"'],
] as const;

/** Returns a message that names the separator of the heading, if it is not a comma; null if no other separator gives required columns. */
function describeSeparator(names: readonly string[], required: readonly string[]): string | null {
  const found = OTHER_SEPARATORS.find(([separator]) =>
    names.some((name) => {
      const parts = name.split(separator).map((part) => part.trim());
      return parts.length > 1 && parts.some((part) => required.includes(part));
    }),
  );
  return found === undefined
    ? null
    : `The cells are separated by ${found[1]}, and "," is expected. Export the file again with commas.`;
}
