/**
 * The parser of directories in CSV (RFC 4180): a heading with the names of the fields, and one row per practitioner. Weekly hours are one
 * cell: `Mon 09:00-17:00 online|phone; Sat 10:00-12:00 in_person`.
 */
import type { Readable } from 'node:stream';
import { readCsvRows } from '@carecover/import-files';
import { type DirectoryRecord, FIELDS } from './directory-record';

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

/** Reads the rows of a CSV directory. @throws FileError if the file can't be read */
export async function* readCsv(input: Readable): AsyncGenerator<DirectoryRecord> {
  for await (const row of readCsvRows(input, { required: FIELDS, allowsOthers: false })) {
    const { line } = row;
    if ('reason' in row) {
      yield { line, fields: {}, malformed: row.reason };
      continue;
    }
    const { session_fee_amount: fee, weekly_hours: hours, ...texts } = row.cells;
    yield {
      line,
      fields: { ...texts, session_fee_amount: wholeNumber(fee), weekly_hours: weeklyHours(hours) },
    };
  }
}
