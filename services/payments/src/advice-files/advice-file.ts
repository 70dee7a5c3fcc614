/**
 * Reads the lines of a payment advice from a file: CSV with a heading, or JSON lines. Each row is one line of the advice; what belongs to the
 * advice as a whole, such as its net, is no row of the file. The rows are validated by the rules of POST /payment_advices.
 */
import type { Readable } from 'node:stream';
import {
  ADVICE_FILE_LINE_LIMIT,
  ADVICE_LINE_LIMIT,
  MAX_PROBLEMS,
  type PaymentAdviceInput,
  problemMessage,
  validateBody,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { FileError, readCsvRows, readJsonLines } from '@carecover/import-files';

/** What an advice says as a whole. */
export type AdviceHeader = Pick<
  PaymentAdviceInput,
  'payer_reference' | 'payer' | 'currency' | 'received_at' | 'net'
>;

/** The list of an advice to which a row belongs, by the type of the row. */
const LISTS = {
  allocation: 'allocations',
  denial: 'denials',
  recovery: 'recoveries',
  adjustment: 'adjustments',
} as const;
type LineType = keyof typeof LISTS;
const lineTypes = Object.keys(LISTS) as LineType[];

/** An advice of a file. */
export interface AdviceFile {
  readonly advice: PaymentAdviceInput;
  /** Replaces the JSON pointers in the message of an API error by the lines of the file. */
  readonly nameLines: (message: string) => string;
}

/** A row of the file, not validated. */
interface Row {
  readonly line: number;
  readonly type: LineType;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Collects what is wrong with rows, for one error that names them by their lines. */
class Problems {
  private readonly found: string[] = [];

  get isFull(): boolean {
    return this.found.length >= MAX_PROBLEMS;
  }

  add(line: number, message: string): void {
    if (!this.isFull) this.found.push(`line ${line}: ${message}`);
  }

  /** @throws FileError if anything is wrong */
  check(): void {
    if (this.found.length > 0) throw new FileError(`${this.found.join('; ')}.`);
  }
}

/**
 * Reads an advice.
 *
 * A row has `type` (allocation, denial, recovery or adjustment), `amount` in minor units (of an allocation, recovery or adjustment; 0 or
 * absent for a denial), `claim_id` (of all but adjustments), `kind` (of an adjustment) and `reason_codes`: in CSV with white space between
 * them.
 *
 * @param format `lines` for JSON lines
 * @throws ApiError validation_failed for the header; FileError which names the lines of at most 20 invalid values, or if there are more than 10,000 rows, or none
 */
export async function readAdviceFile(
  input: Readable,
  format: 'csv' | 'lines',
  header: AdviceHeader,
): Promise<AdviceFile> {
  const problems = new Problems();
  const rows: Record<LineType, Row[]> = { allocation: [], denial: [], recovery: [], adjustment: [] };
  let count = 0;
  for await (const { line, ...read } of format === 'csv' ? readCsvLines(input) : readJsonLines(input)) {
    count += 1;
    if (count > ADVICE_FILE_LINE_LIMIT)
      throw new FileError(
        `The file must have at most ${ADVICE_FILE_LINE_LIMIT.toLocaleString('en')} lines of an advice.`,
      );
    if ('reason' in read) problems.add(line, read.reason);
    else addRow(rows, line, read.value, problems);
    if (problems.isFull) break;
  }
  if (count === 0) throw new FileError('The file must have at least one line of an advice.');
  checkHeader(header);
  for (const type of lineTypes) checkRows(type, rows[type], header, problems);
  problems.check();
  const lists = Object.fromEntries(
    lineTypes.map((type) => [LISTS[type], rows[type].map(({ fields }) => fields)]),
  );
  return { advice: { ...header, ...lists }, nameLines: (message) => nameLines(rows, message) };
}

/** Replaces JSON pointers to lines of the advice by the lines of the file. */
function nameLines(rows: Readonly<Record<LineType, readonly Row[]>>, message: string): string {
  return message.replace(/\/(\w+)\/(\d+)\/(\w+)/g, (pointer, list: string, index: string, field: string) => {
    const type = lineTypes.find((each) => LISTS[each] === list);
    const row = type && rows[type][Number(index)];
    return row === undefined ? pointer : `line ${row.line}: ${field.replace('paid_amount', 'amount')}`;
  });
}

/**
 * Checks the fields of the advice as a whole, with a fee as placeholder, because an advice must have a line.
 *
 * @throws ApiError validation_failed, which names every invalid field
 */
function checkHeader(header: AdviceHeader): void {
  const fee = { kind: 'fee', amount: 1 };
  const checked = validateBody('createPaymentAdvice', { ...header, adjustments: [fee] });
  if (!checked.ok) throw new ApiError('validation_failed', `${problemMessage(checked.problems)}.`);
}

/** Yields the rows of a CSV file as the values that JSON lines have. */
async function* readCsvLines(input: Readable) {
  const columns = {
    required: ['type', 'amount'],
    optional: ['claim_id', 'kind', 'reason_codes'],
    separator: 'detect',
    allowsOthers: false,
  } as const;
  for await (const row of readCsvRows(input, columns)) {
    if (!('cells' in row)) {
      yield row;
      continue;
    }
    const { amount, reason_codes: codes = '', ...texts } = row.cells;
    const given = Object.entries(texts).filter(([, text]) => text !== undefined && text !== '');
    const value = {
      ...Object.fromEntries(given),
      // Other texts are rejected by the type of the field.
      ...(amount === '' ? {} : { amount: /^-?\d{1,16}$/.test(amount) ? Number(amount) : amount }),
      ...(codes === '' ? {} : { reason_codes: codes.split(/\s+/) }),
    };
    yield { line: row.line, value };
  }
}

function addRow(rows: Record<LineType, Row[]>, line: number, value: unknown, problems: Problems): void {
  const { type, ...fields } = (Object(value) ?? {}) as Readonly<Record<string, unknown>>;
  const known = lineTypes.find((each) => each === type);
  if (known === undefined) problems.add(line, `type must be one of ${lineTypes.join(', ')}`);
  else rows[known].push({ line, type: known, fields: fieldsOf(known, fields) });
}

/** Returns the fields of a row as the line of an advice has them. */
function fieldsOf(type: LineType, fields: Readonly<Record<string, unknown>>): Row['fields'] {
  const { amount, ...others } = fields;
  if (type === 'allocation') return amount === undefined ? others : { ...others, paid_amount: amount };
  return type === 'denial' && (amount === 0 || amount === undefined) ? others : fields;
}

/** Validates rows in parts that a request can have. */
function checkRows(type: LineType, rows: readonly Row[], header: AdviceHeader, problems: Problems): void {
  const list = LISTS[type];
  for (let start = 0; start < rows.length && !problems.isFull; start += ADVICE_LINE_LIMIT) {
    const part = rows.slice(start, start + ADVICE_LINE_LIMIT);
    const checked = validateBody('createPaymentAdvice', {
      ...header,
      [list]: part.map(({ fields }) => fields),
    });
    for (const { pointer, message } of checked.ok ? [] : checked.problems) {
      const [, name, index = '', ...path] = pointer.split('/');
      const row = name === list ? part[Number(index)] : undefined;
      if (row !== undefined && index !== '')
        problems.add(row.line, `${path.join('/').replace('paid_amount', 'amount')} ${message}`.trim());
    }
  }
}
