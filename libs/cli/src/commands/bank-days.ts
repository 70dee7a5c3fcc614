/**
 * `carecover settlements close-day`, `expect`, `dismiss`, `reopen` and `resolve`: closes a day, and decides about the rows of bank files, one or many
 * at a time.
 */
import { createReadStream } from 'node:fs';
import { formatAmount, formatMajorUnits } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { FileError, readCsvRows } from '@carecover/import-files';
import type { ClosedDay } from '@carecover/payments';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { describeFileError, requireReadable } from '../input-file';
import { asOperator, operatorCaller } from '../operator-calls';
import { escapeControls, printResult, printTable } from '../output';
import {
  assignRow,
  daysOfProject,
  decideRow,
  findAssignment,
  parseReason,
  parseRow,
  parseRowAmount,
  type RowDecision,
  takeBackRow,
} from '../row-acts';

interface CloseOptions {
  readonly project: string;
  readonly day?: string;
  readonly json?: true;
}

async function readDay(context: CommandContext, { project, day }: CloseOptions): Promise<ClosedDay> {
  const [{ closeDay }, { outstandingAt }] = await Promise.all([
    import('@carecover/payments'),
    import('@carecover/claims'),
  ]);
  const { tenant } = await operatorCaller(context, project);
  const { timeZone } = await daysOfProject(context, project);
  return withServiceDatabase(context, 'payments', tenant, (sql) =>
    withServiceDatabase(context, 'claims', tenant, (claims) => {
      const readOutstanding = (at: Date) => outstandingAt(claims, tenant, at.getTime());
      return asOperator(() => closeDay({ sql, readOutstanding }, tenant, { day: day ?? null, timeZone }));
    }),
  );
}

const STATE_NAMES = {
  matched: 'matched',
  expected: 'expected',
  returned: 'returned',
  not_ours: 'not ours',
  open: 'open',
} as const;
const STATES = ['matched', 'expected', 'returned', 'not_ours', 'open'] as const;

function printAccounts({ output }: CommandContext, { accounts }: ClosedDay): void {
  for (const { account, currency, opening, closing, states } of accounts) {
    const name = account === '' ? 'no account' : `account ${escapeControls(account)}`;
    const balances =
      closing === null
        ? 'no statement closes on this day'
        : `opens with ${opening === null ? 'an unknown balance' : formatAmount(opening, currency)}, closes with ${formatAmount(closing, currency)}`;
    output.write(`\n${name}, ${currency}: ${balances}\n`);
    const rows = STATES.map((state) => ({
      state: STATE_NAMES[state],
      rows: states[state].count,
      credits: formatMajorUnits(states[state].credits, currency),
      debits: formatMajorUnits(states[state].debits, currency),
    }));
    printTable(output, false, rows);
  }
}

function printPositions({ output }: CommandContext, { positions }: ClosedDay): void {
  if (positions.length === 0) return;
  output.write('\nNow, in the whole project:\n');
  const rows = positions.map(({ currency, ...amounts }) => {
    const shown = (amount: number | null) =>
      amount === null ? 'not known' : formatMajorUnits(amount, currency);
    return {
      currency,
      settled: shown(amounts.settled),
      advised: shown(amounts.advised),
      'by remittances': shown(amounts.advices),
      'payers owe': shown(amounts.outstanding),
      'by receivables': shown(amounts.receivables),
    };
  });
  printTable(output, false, rows);
}

function printRows({ output }: CommandContext, { rows, has_more }: ClosedDay): void {
  if (rows.length === 0) return;
  output.write('\nRows that are not matched:\n');
  const shown = rows.map(({ row, state, type, part, currency, reason, decided_by, file, line }) => ({
    row,
    state: STATE_NAMES[state],
    kind: type,
    amount: formatAmount(part, currency),
    reason: decided_by === null ? reason : `${reason} (${decided_by})`,
    file: `${file}, line ${line}`,
  }));
  printTable(output, false, shown);
  if (has_more) output.write(`Only the first ${rows.length} are shown.\n`);
}

/** Prints the comparison of a day. @throws OperatorError that lists the differences, if there are any, so that the exit code is 1 */
async function printDay(context: CommandContext, options: CloseOptions): Promise<void> {
  const closed = await readDay(context, options);
  const { output } = context;
  if (options.json === true) printResult(output, true, closed);
  else if (closed.day === null) output.write('Nothing is imported.\n');
  else {
    output.write(`day ${closed.day}, as of ${closed.read_at}\n`);
    printAccounts(context, closed);
    printRows(context, closed);
    printPositions(context, closed);
  }
  const ofAccounts = closed.accounts.flatMap(({ account, currency, differences }) =>
    differences.map(
      (each) => `${account === '' ? currency : `${account}, ${currency}`}: ${describe(each, currency)}`,
    ),
  );
  const ofPositions = closed.positions.flatMap(({ currency, differences }) =>
    differences.map((each) => `${currency}: ${describe(each, currency)}`),
  );
  const lines = [...ofAccounts, ...ofPositions];
  if (lines.length > 0)
    throw new OperatorError(
      `The day ${closed.day ?? ''} has ${lines.length === 1 ? '1 difference' : `${lines.length} differences`}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  if (options.json !== true && closed.day !== null)
    output.write('\nBank, ledger, advices and receivables are equal.\n');
}

function describe({ says, amount }: { says: string; amount: number | null }, currency: string): string {
  return amount === null ? says : `${says}; difference ${formatAmount(amount, currency)}`;
}

function parseDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new InvalidArgumentError('Expected a date, such as 2026-11-20.');
  return text;
}

/** What became of a row. */
interface RowResult {
  readonly row: number;
  readonly result: string;
}

/**
 * Executes an act on each row, and prints what became of it. A rejected row does not end the command. Any other error does, such as a lost connection:
 * what became of the rows before is printed too.
 *
 * @throws OperatorError at the end if a row was rejected
 */
async function actOnRows(
  { output }: CommandContext,
  isJson: boolean,
  acts: readonly { readonly row: number; readonly act: () => Promise<string> }[],
): Promise<void> {
  const results: RowResult[] = [];
  let rejected = 0;
  try {
    for (const { row, act } of acts) {
      const result = await act().catch((error: unknown) => {
        if (!(error instanceof OperatorError)) {
          results.push({ row, result: 'it is not known whether the row was changed' });
          throw error;
        }
        rejected += 1;
        return error.message;
      });
      results.push({ row, result });
    }
  } finally {
    printTable(output, isJson, results);
  }
  if (rejected > 0)
    throw new OperatorError(`${rejected} of ${acts.length} rows could not be changed; the others are.`);
}

/** Parses the numbers of rows of an argument that can be repeated. */
function parseRows(text: string, earlier: readonly number[] = []): number[] {
  return [...earlier, parseRow(text)];
}

const DONE = { not_ours: 'not ours', expected: 'expected', reopened: 'open' } as const;

/** The columns of a file of acts. */
const ACT_COLUMNS = {
  required: ['row', 'act'],
  optional: ['remittance', 'amount', 'until', 'reason'],
  allowsOthers: true,
  separator: 'detect',
} as const;

type ActCells = Readonly<Record<'act', string>> &
  Readonly<Partial<Record<'remittance' | 'amount' | 'until' | 'reason', string>>>;

/** Counts equal keys: returns a function that returns how many times it was called with the key. */
function countEqual(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

/**
 * Returns the act of a line of a file on its row. An assignment that the project has already is not repeated, because a person corrects a rejected line
 * and executes the whole file again.
 *
 * @param ordinalOf returns which of the file's lines with the key this is, from 1
 * @throws InvalidArgumentError if a cell is missing or invalid
 */
function actOf(
  context: CommandContext,
  project: string,
  row: number,
  cells: ActCells,
  ordinalOf: (key: string) => number,
): () => Promise<string> {
  const { act, remittance = '', amount = '', until = '', reason = '' } = cells;
  if (act === 'assign') {
    if (remittance === '') throw new InvalidArgumentError('Expected the ID of a remittance.');
    const part = amount === '' ? undefined : parseRowAmount(amount);
    const ordinal = ordinalOf(`${row} ${remittance} ${part}`);
    return async () => {
      const listed = { row, remittanceId: remittance, amount: part ?? null, ordinal };
      const recorded = await findAssignment(context, project, listed);
      if (recorded !== null) return `was assigned to ${remittance} before, as ${recorded}`;
      await assignRow(context, row, remittance, part, project, ordinal);
      return `assigned to ${remittance}`;
    };
  }
  if (act === 'take-back')
    return async () => {
      const reversed = await takeBackRow(context, row, project);
      return `${reversed.length} settlements reversed`;
    };
  const why = parseReason(reason);
  const decide = async (decision: RowDecision) => DONE[await decideRow(context, row, decision, project)];
  if (act === 'expect') {
    if (until === '') throw new InvalidArgumentError('Expected a day until which the row is expected.');
    return () => decide({ kind: 'expected', until, reason: why });
  }
  if (act === 'dismiss') return () => decide({ kind: 'not_ours', reason: why });
  if (act === 'reopen') return () => decide({ kind: 'reopened', reason: why });
  throw new InvalidArgumentError('Expected the act assign, take-back, expect, dismiss or reopen.');
}

/** Reads the acts of a file. @throws OperatorError if the file can't be read or a line is invalid: then no act is executed */
async function readActs(context: CommandContext, project: string, file: string) {
  await requireReadable(file);
  const acts: { row: number; act: () => Promise<string> }[] = [];
  const problems: string[] = [];
  const ordinalOf = countEqual();
  try {
    for await (const line of readCsvRows(createReadStream(file), ACT_COLUMNS)) {
      if (!('cells' in line)) {
        problems.push(`line ${line.line}: ${line.reason}`);
        continue;
      }
      try {
        const row = parseRow(line.cells.row);
        acts.push({ row, act: actOf(context, project, row, line.cells, ordinalOf) });
      } catch (error) {
        if (!(error instanceof InvalidArgumentError)) throw error;
        problems.push(`line ${line.line}: ${error.message}`);
      }
    }
  } catch (error) {
    throw error instanceof FileError ? describeFileError(file, error) : error;
  }
  if (problems.length > 0)
    throw new OperatorError(`Nothing was changed.\n${problems.map((text) => `  ${text}`).join('\n')}`);
  return acts;
}

function addClosing(settlements: Command, context: CommandContext): void {
  settlements
    .command('close-day')
    .description(
      "compare a day of a project: the bank's balances, the rows of its files, the ledger, the remittances and the receivables; the exit code is 1 if they differ",
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option(
      '--day <day>',
      'the day, such as 2026-11-20; by default the last one of the imported files',
      parseDay,
    )
    .option(
      '--json',
      'print {day, read_at, is_equal, accounts, positions, rows, has_more}; amounts in minor units',
    )
    .action((options: CloseOptions) => printDay(context, options));
}

interface DecisionOptions {
  readonly reason: string;
  readonly json?: true;
}

const ROWS = ['<rows...>', 'the numbers of rows', parseRows] as const;
const REASON = ['--reason <reason>', 'why, for the audit log; without personal data', parseReason] as const;
const JSON_ROWS = ['--json', 'print an array of {row, result}'] as const;

/** Makes the same decision about each row. */
function decideRows(
  context: CommandContext,
  rows: readonly number[],
  isJson: boolean,
  decision: RowDecision,
): Promise<void> {
  const acts = rows.map((row) => ({
    row,
    act: async () => DONE[await decideRow(context, row, decision)],
  }));
  return actOnRows(context, isJson, acts);
}

function addDecisions(settlements: Command, context: CommandContext): void {
  const add = (name: string, description: string) =>
    settlements
      .command(name)
      .argument(...ROWS)
      .description(description)
      .requiredOption(...REASON)
      .option(...JSON_ROWS);
  add(
    'dismiss',
    'decide that rows are not ours: no funds of claims, or the same entries again; they leave the list of unmatched rows, and "assign" still accepts them',
  ).action((rows: readonly number[], { reason, json }: DecisionOptions) =>
    decideRows(context, rows, json === true, { kind: 'not_ours', reason }),
  );
  add(
    'expect',
    'decide that rows are expected until the end of a day, such as credits whose advice follows; until then they are no exceptions',
  )
    .requiredOption('--until <day>', 'the last day, such as 2026-11-25, or an instant')
    .action((rows: readonly number[], { reason, until, json }: DecisionOptions & { until: string }) =>
      decideRows(context, rows, json === true, { kind: 'expected', until, reason }),
    );
  add('reopen', 'undo that rows are expected or not ours').action(
    (rows: readonly number[], { reason, json }: DecisionOptions) =>
      decideRows(context, rows, json === true, { kind: 'reopened', reason }),
  );
  settlements
    .command('resolve')
    .argument(
      '<file>',
      'a CSV file with the columns row and act, and as needed remittance, amount, until and reason',
    )
    .description(
      'execute the acts of a file on rows, in its order: assign, take-back, expect, dismiss or reopen; nothing is changed if a line is invalid, and a part that is assigned already is not assigned again',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option(...JSON_ROWS)
    .action(async (file: string, { project, json }: { project: string; json?: true }) =>
      actOnRows(context, json === true, await readActs(context, project, file)),
    );
}

export function addBankDays(settlements: Command, context: CommandContext): void {
  addClosing(settlements, context);
  addDecisions(settlements, context);
}
