/**
 * Directories as CSV (RFC 4180, UTF-8, a byte order mark allowed): a header line with the fields' names, a row a practitioner.
 * Weekly hours stand in one cell: `Mon 09:00-17:00 online|phone; Sat 10:00-12:00 in_person`.
 */
import { CsvError, type Info, parse } from 'csv-parse/sync';
import { DirectoryFileError } from './directory-file';
import { type DirectoryRecord, FIELDS } from './directory-record';

/** What the parser says of a row: where the file is at its end, and whether it has the header's number of cells. */
interface ParsedRow {
  readonly info: Info & { readonly error?: CsvError };
  readonly record: Readonly<Record<string, string>>;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const STRETCH = /^(\S+) (\S+)-(\S+) (\S+)$/;

/** The cell's stretches; what isn't one stays a text, and is refused as one. */
function weeklyHours(cell: string): unknown {
  if (cell === '') return [];
  return cell.split(';').map((part) => {
    const [, day = '', start, end, formats = ''] = STRETCH.exec(part.trim()) ?? [];
    return start === undefined
      ? part
      : { weekday: WEEKDAYS.indexOf(day), start, end, formats: formats.split('|') };
  });
}

/** A whole number in digits; anything else stays a text, and is refused as one. */
function wholeNumber(cell: string): unknown {
  return /^\d{1,16}$/.test(cell) ? Number(cell) : cell;
}

function header(names: string[]): string[] {
  const missing = FIELDS.filter((field) => !names.includes(field));
  if (missing.length > 0) throw new DirectoryFileError(1, `the header lacks ${missing.join(', ')}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new DirectoryFileError(1, `the header has ${twice} twice`);
  return names;
}

function toRecord({ info, record }: ParsedRow): DirectoryRecord {
  // The parser knows the line on which a row ended; quoted line breaks lead back to where it began.
  const breaks = Object.values(record)
    .join('')
    .match(/\r\n|\r|\n/g);
  const line = info.lines - (breaks?.length ?? 0);
  if (info.error !== undefined) {
    return { line, fields: {}, malformed: 'the row has not as many cells as the header' };
  }
  const { session_fee_amount: fee = '', weekly_hours: hours = '' } = record;
  return {
    line,
    fields: { ...record, session_fee_amount: wholeNumber(fee), weekly_hours: weeklyHours(hours) },
  };
}

/** @throws DirectoryFileError where the text is no CSV or its header lacks a column */
export function readCsv(csv: string): DirectoryRecord[] {
  try {
    const rows: unknown[] = parse(csv, {
      columns: header,
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
