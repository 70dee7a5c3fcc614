/**
 * Reads the rows of a CSV file (RFC 4180) as a stream. The first row is the heading, which names the columns in any order. A row has as many
 * cells as the heading. Rows without content, which spreadsheets write, are skipped, and columns without a name must be empty.
 *
 * A row with more cells than the heading is not split: a compressed file of a few kilobytes can have millions of cells.
 */
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse/sync';
import { copyText } from './file-bytes';
import { FileError } from './file-error';
import { readFileRows, type UnreadableFileRow, withLastLine } from './file-rows';

/** The characters that can separate the cells of a file. */
export const csvSeparators = [',', ';', '\t'] as const;
export type CsvSeparator = (typeof csvSeparators)[number];

export interface CsvColumns<Column extends string, Optional extends string = never> {
  /** The names of the columns that the heading must have. */
  readonly required: readonly Column[];
  /** The names of columns that the heading can have, and that are then read. */
  readonly optional?: readonly Optional[];
  /**
   * The separator of the cells, by default a comma. `detect` is the one of {@link csvSeparators} with which the heading has the most required
   * columns; it is decided once, by the heading.
   */
  readonly separator?: CsvSeparator | 'detect';
  /** Whether the heading can have other columns, which are then ignored. */
  readonly allowsOthers: boolean;
  /** The names that columns have in the heading of the file, where they differ. */
  readonly names?: Readonly<Partial<Record<Column | Optional, string>>>;
}

/** Maximum number of columns of a file. */
export const MAX_COLUMNS = 2_000;

/** The required cells of a row by column, without the white space around them, or the reason why the row can't be read. */
export type CsvRow<Column extends string, Optional extends string = never> =
  | {
      readonly line: number;
      readonly cells: Readonly<Record<Column, string>> & Readonly<Partial<Record<Optional, string>>>;
    }
  | UnreadableFileRow;

/**
 * Yields the rows after the heading.
 *
 * @throws FileError if there is no heading, the heading lacks a column or has an unknown one, the separator is another one, or a quoted cell
 *   is not closed
 * @example for await (const row of readCsvRows(input, { required: ['amount'], allowsOthers: true })) …
 */
export async function* readCsvRows<Column extends string, Optional extends string = never>(
  input: Readable,
  columns: CsvColumns<Column, Optional>,
): AsyncGenerator<CsvRow<Column, Optional>> {
  let heading: Heading<Column, Optional> | null = null;
  let separator = columns.separator ?? ',';
  // The separators of the splitter become those of the heading before it reads on.
  const separators = (separator === 'detect' ? csvSeparators : [separator]).map(byteOf);
  for await (const row of readFileRows(input, separators)) {
    const { line } = row;
    if ('text' in row && row.cells > (heading?.size ?? MAX_COLUMNS)) {
      if (heading === null) throw new FileError(TOO_MANY_COLUMNS, line);
      yield { line, reason: heading.lengthReason(row.cells) };
      continue;
    }
    if (separator === 'detect' && 'text' in row) {
      separator = detectSeparator(row.text, namesOf(columns));
      separators.splice(0, separators.length, byteOf(separator));
    }
    const cells = 'text' in row && separator !== 'detect' ? parseRow(row.text, separator) : null;
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
      `The file is empty. Its first row must name the columns ${namesOf(columns).join(', ')}.`,
    );
}

/** Returns the names of the required columns in the heading of the file. */
function namesOf<Column extends string, Optional extends string>({
  required,
  names,
}: Pick<CsvColumns<Column, Optional>, 'required' | 'names'>): string[] {
  const inFile: Partial<Record<string, string>> = { ...names };
  return required.map((column) => inFile[column] ?? column);
}

const byteOf = (separator: CsvSeparator) => separator.charCodeAt(0);

const TOO_MANY_COLUMNS = `The heading has more than ${MAX_COLUMNS.toLocaleString('en')} columns, the maximum.`;

const QUOTES =
  'its quotes are misplaced: a cell that contains a quote must be in quotes, with the quote doubled';

/**
 * Returns the cells of a row; null if its quotes are not those of CSV. Rows without quotes, which are most, are split here, because a call
 * of the parser takes ten times as long.
 */
function parseRow(text: string, separator: CsvSeparator): string[] | null {
  if (!text.includes('"')) return text.split(separator).map((cell) => copyText(cell.trim()));
  try {
    const [cells, ...more] = parse(text, { trim: true, delimiter: separator }) as string[][];
    return cells === undefined || more.length > 0 ? null : cells;
  } catch (error) {
    // The message of the error contains the cell.
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** Returns the separator with which the heading has the most required columns; a comma if several do. */
function detectSeparator(heading: string, required: readonly string[]): CsvSeparator {
  const found = csvSeparators.map((separator) => {
    const names = parseRow(heading, separator) ?? [];
    return { separator, count: required.filter((column) => names.includes(column)).length };
  });
  return found.reduce((best, each) => (each.count > best.count ? each : best)).separator;
}

class Heading<Column extends string, Optional extends string> {
  private readonly positions: ReadonlyMap<string, number>;
  private readonly unnamed: readonly number[];

  /** @throws FileError if a required column is missing or duplicate, or another column is not allowed */
  constructor(
    private readonly names: readonly string[],
    { required, optional = [], allowsOthers, separator, names: given }: CsvColumns<Column, Optional>,
    line: number,
  ) {
    const inFile: Partial<Record<string, string>> = { ...given };
    const nameOf = (column: string) => inFile[column] ?? column;
    const needed = required.map(nameOf);
    const found = new Map<string, number>();
    const repeated = new Set<string>();
    for (const [index, name] of names.entries()) {
      if (found.has(name)) repeated.add(name);
      else found.set(name, index);
    }
    const missing = needed.filter((name) => !found.has(name));
    if (missing.length > 0)
      throw new FileError(
        describeSeparator(names, needed, separator) ?? `The heading lacks the ${listOf(missing)}.`,
        line,
      );
    const columns = [...required, ...optional];
    const read = columns.map(nameOf);
    const twice = read.filter((name) => repeated.has(name));
    if (twice.length > 0) throw new FileError(`The heading has the ${listOf(twice)} twice.`, line);
    const known = new Set(read);
    const others = names.filter((name) => name !== '' && !known.has(name));
    if (!allowsOthers && others.length > 0)
      throw new FileError(
        `The heading has the unknown ${listOf(others)}. Expected: ${needed.join(', ')}.`,
        line,
      );
    this.positions = new Map(
      columns.flatMap((column) => {
        const index = found.get(nameOf(column));
        return index === undefined ? [] : [[column, index] as const];
      }),
    );
    this.unnamed = [...names.keys()].filter((index) => names[index] === '');
  }

  /** The number of columns, also of those without a name. */
  get size(): number {
    return this.names.length;
  }

  /** Returns why a row with another number of cells than the heading can't be read. */
  lengthReason(cells: number): string {
    const missing = this.names[cells];
    const end = missing === undefined ? '' : `; it ends before the column ${missing}`;
    return `it has ${cells} cells, and the heading has ${this.size}${end}`;
  }

  toRow(line: number, cells: readonly string[]): CsvRow<Column, Optional> {
    const { names, unnamed, positions } = this;
    if (cells.length !== names.length) return { line, reason: this.lengthReason(cells.length) };
    if (unnamed.some((index) => cells[index] !== ''))
      return { line, reason: 'it has content in a column to which the heading gives no name' };
    const named = [...positions].map(([column, index]) => [column, cells[index] ?? '']);
    return {
      line,
      cells: Object.fromEntries(named) as Record<Column, string> & Partial<Record<Optional, string>>,
    };
  }
}

function listOf(columns: readonly string[]): string {
  return `column${columns.length > 1 ? 's' : ''} ${columns.join(', ')}`;
}

const OTHER_SEPARATORS = [
  [',', '","'],
  [';', '";"'],
  ['\t', 'a tab'],
  ['|', '"|"'],
] as const;

/** Returns a message that names the separator of the heading, if it is not the expected one; null if no other separator gives required columns. */
function describeSeparator(
  names: readonly string[],
  required: readonly string[],
  expected: CsvSeparator | 'detect' = ',',
): string | null {
  const found = OTHER_SEPARATORS.find(([separator]) =>
    names.some((name) => {
      const parts = name.split(separator).map((part) => part.trim());
      return parts.length > 1 && parts.some((part) => required.includes(part));
    }),
  );
  if (found === undefined) return null;
  const named = expected === 'detect' ? '"," or ";" or a tab' : expected === '\t' ? 'a tab' : `"${expected}"`;
  return `The cells are separated by ${found[1]}, and ${named} is expected. Export the file again with ${expected === ',' ? 'commas' : 'this separator'}.`;
}
