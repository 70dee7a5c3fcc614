/**
 * Reads the rows of a settlement file in CSV as a stream. The heading names the columns source_reference, payer_reference, currency, amount
 * and observed_at, in any order, and can name the column account; other columns are ignored. Each further row is a credit. How amounts and dates
 * are written is decided once per file, by the options of the import; no row is guessed. A reference that is NONREF or NOTPROVIDED is absent.
 */
import type { Readable } from 'node:stream';
import { currencyExponent, decimalMarkOf, isDayFirst, parseSeparated } from '@carecover/contract';
import { type CsvSeparator, readCsvRows } from '@carecover/import-files';
import { Occurrences } from '../rules/bank-entry';
import type { ZoneOf } from './bank-statement';
import { parseBookingTime } from './local-time';
import { checkedRow, type Row, type RowValues, withoutPlaceholder } from './row';

const COLUMNS = ['source_reference', 'payer_reference', 'currency', 'amount', 'observed_at'] as const;
const OPTIONAL_COLUMNS = ['account'] as const;
/** The columns of a settlement file. */
export const csvColumns = [...COLUMNS, ...OPTIONAL_COLUMNS] as const;
type CsvColumn = (typeof csvColumns)[number];
type Cells = Readonly<Record<(typeof COLUMNS)[number], string>> &
  Readonly<Partial<Record<(typeof OPTIONAL_COLUMNS)[number], string>>>;

/** How a file writes its amounts: as integers of minor units, or as decimals with a point or a comma. */
export const csvAmountForms = ['minor-units', 'decimal-point', 'decimal-comma'] as const;
type CsvAmountForm = (typeof csvAmountForms)[number];

/** How a file writes its dates. ISO dates and date-times can have an offset. */
export const csvDateForms = ['iso', 'day-month-year', 'month-day-year'] as const;
type CsvDateForm = (typeof csvDateForms)[number];

/** How a CSV file is written. */
export interface CsvForm {
  /** The separator of the cells; by default the one that the heading has. */
  readonly separator?: CsvSeparator;
  readonly amounts: CsvAmountForm;
  readonly dates: CsvDateForm;
  /** The names that the columns have in the heading, where they differ. */
  readonly columns?: Readonly<Partial<Record<CsvColumn, string>>>;
}

/** Returns how people of a language (BCP 47) write amounts and dates. */
export function csvFormOf(locale: string): Pick<CsvForm, 'amounts' | 'dates'> {
  return {
    amounts: decimalMarkOf(locale) === ',' ? 'decimal-comma' : 'decimal-point',
    dates: isDayFirst(locale) ? 'day-month-year' : 'month-day-year',
  };
}

/** The form of a file whose writer was told nothing else. */
export const DEFAULT_CSV_FORM: CsvForm = { amounts: 'minor-units', dates: 'iso' };

/** Reads the rows of a CSV file. @throws FileError if the file can't be read, such as without one of the columns */
export async function* readCsv(input: Readable, form: CsvForm, zoneOf: ZoneOf): AsyncGenerator<Row> {
  const occurrences = new Occurrences();
  const columns = {
    required: COLUMNS,
    optional: OPTIONAL_COLUMNS,
    allowsOthers: true,
    separator: form.separator ?? ('detect' as const),
    ...(form.columns && { names: form.columns }),
  };
  for await (const row of readCsvRows(input, columns)) {
    if (!('cells' in row)) {
      yield { kind: 'unreadable', line: row.line, reason: row.reason };
      continue;
    }
    const credit = creditRow(row.line, row.cells, form, zoneOf);
    yield credit.kind === 'entry' ? { ...credit, occurrence: occurrences.next(credit) } : credit;
  }
}

function parseAmount(text: string, currency: string, form: CsvAmountForm): number | undefined {
  if (form === 'minor-units') return /^\d+$/.test(text) ? Number(text) : undefined;
  const exponent = currencyExponent(currency);
  if (exponent === undefined) return undefined;
  const separators =
    form === 'decimal-comma'
      ? ({ decimal: ',', group: '.' } as const)
      : ({ decimal: '.', group: ',' } as const);
  return parseSeparated(text, separators, exponent);
}

const LOCAL_DATE = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;

/** Converts a date of the file's form to ISO 8601; returns other text unchanged, so that it is rejected. */
function toIsoDate(text: string, form: CsvDateForm): string {
  const match = form === 'iso' ? null : LOCAL_DATE.exec(text);
  if (match === null) return text;
  const [, first = '', second = '', year = ''] = match;
  const [day, month] = form === 'day-month-year' ? [first, second] : [second, first];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function creditRow(line: number, cells: Cells, form: CsvForm, zoneOf: ZoneOf) {
  const payerReference = withoutPlaceholder(cells.payer_reference);
  const payerReferences = payerReference === '' ? [] : [payerReference];
  const account = cells.account ?? '';
  const row: RowValues = {
    line,
    type: 'credit',
    account,
    statement: '',
    page: null,
    bankReference: withoutPlaceholder(cells.source_reference),
    entryReference: '',
    place: String(line),
    references: payerReferences,
    payerReferences,
    words: [],
    currency: cells.currency,
    amount: parseAmount(cells.amount, cells.currency, form.amounts),
    time: parseBookingTime(toIsoDate(cells.observed_at, form.dates), zoneOf(account)),
    occurrence: 0,
    batch: null,
    difference: null,
  };
  return checkedRow(row);
}
