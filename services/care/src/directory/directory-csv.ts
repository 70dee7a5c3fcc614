/**
 * The parser of directories in CSV (RFC 4180, UTF-8, optional byte order mark): a header with the names of the fields, and one row per
 * practitioner. Weekly hours are one cell: `Mon 09:00-17:00 online|phone; Sat 10:00-12:00 in_person`.
 */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { DirectoryFileError, type DirectoryRecord, FIELDS } from './directory-record';

/** A row as csv-parse returns it: the line on which it ends, an error if it has more or fewer cells than the header, and its cells. */
interface ParsedRow {
  readonly info: Info & { readonly error?: CsvError };
  readonly record: Readonly<Record<string, string>>;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** The times contain no hyphen, so that a text of many hyphens takes linear time. */
const PERIOD = /^(\S+) ([^\s-]+)-([^\s-]+) (\S+)$/;

/** Parses the weekly hours in a cell. A text that is no period of hours stays a text, which the validation then rejects. */
function weeklyHours(cell: string): unknown {
  if (cell === '') return [];
  return cell.split(';').map((text) => {
    const [, day = '', start, end, formats = ''] = PERIOD.exec(text.trim()) ?? [];
    return start === undefined
      ? text
      : { weekday: WEEKDAYS.indexOf(day), start, end, formats: formats.split('|') };
  });
}

/** Parses a whole number. Any other text stays a text, which the validation then rejects. */
function wholeNumber(cell: string): unknown {
  return /^\d{1,16}$/.test(cell) ? Number(cell) : cell;
}

function checkHeader(names: string[]): string[] {
  const missing = FIELDS.filter((field) => !names.includes(field));
  if (missing.length > 0)
    throw new DirectoryFileError(1, `the header must have the columns ${missing.join(', ')}`);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    throw new DirectoryFileError(1, `the header has the column ${duplicate} twice`);
  return names;
}

function toRecord({ info, record }: ParsedRow): DirectoryRecord {
  // csv-parse reports the line on which a row ends. The row begins earlier by the number of line breaks in its cells.
  const breaks = Object.values(record)
    .join('')
    .match(/\r\n|\r|\n/g);
  const line = info.lines - (breaks?.length ?? 0);
  if (info.error !== undefined) {
    return { line, fields: {}, malformed: 'the row must have as many cells as the header' };
  }
  const { session_fee_amount: fee = '', weekly_hours: hours = '' } = record;
  return {
    line,
    fields: { ...record, session_fee_amount: wholeNumber(fee), weekly_hours: weeklyHours(hours) },
  };
}

/**
 * Parses a CSV directory.
 *
 * @throws DirectoryFileError if the text is not CSV, or a column of the header is missing or duplicate
 */
export function readCsv(csv: string): DirectoryRecord[] {
  try {
    const rows: unknown[] = parse(csv, {
      columns: checkHeader,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
    });
    return (rows as ParsedRow[]).map(toRecord);
  } catch (error) {
    if (error instanceof CsvError) throw new DirectoryFileError(Number(error.lines), error.message);
    throw error;
  }
}
