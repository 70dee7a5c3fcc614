/** `carecover settlements …`: imports settlements from files of banks and payers. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { formatAmount, type SettlementStatus, settlementStatuses } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { OperatorError } from '@carecover/gateway';
import { csvSeparators, FileError } from '@carecover/import-files';
import type {
  CsvForm,
  IgnoredRow,
  OpenEntry,
  PreviewedEntry,
  ReportedStatement,
  SettlementImport,
  UnmatchedRow,
} from '@carecover/payments';
import { atProjectTime } from '@carecover/postgres';
import { SingleBar } from 'cli-progress';
import { type Command, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { describeFileError, requireReadable } from '../input-file';
import { listOfProjects, logChange, operatorCaller, operatorCallers, withCreation } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { escapeControls, printResult, printTable } from '../output';
import { assignRow, daysOfProject, parseRow, parseRowAmount, takeBackRow } from '../row-acts';
import { addBankDays } from './bank-days';

interface ImportOptions {
  readonly project: string;
  readonly separator?: CsvForm['separator'];
  readonly amounts: CsvForm['amounts'] | 'locale';
  readonly dates: CsvForm['dates'] | 'locale';
  readonly columns?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Returns how a CSV file is written, by the options and the language of the project. @throws OperatorError for an unknown column */
async function csvFormOf(options: ImportOptions, locale: string): Promise<CsvForm> {
  const { csvColumns, csvFormOf: formOfLocale } = await import('@carecover/payments');
  const { separator, amounts, dates, columns } = options;
  const ofLocale = formOfLocale(locale);
  const named = (columns ?? '').split(',').filter((part) => part.trim() !== '');
  const names = named.map((part) => {
    const [, column = '', name = ''] = /^\s*(\w+)\s*=\s*(.*\S)\s*$/.exec(part) ?? [];
    if (name === '' || !csvColumns.some((each) => each === column))
      throw new OperatorError(
        `--columns must have parts such as amount=Betrag, with commas between them, of the columns ${csvColumns.join(', ')}.`,
      );
    return [column, name];
  });
  return {
    amounts: amounts === 'locale' ? ofLocale.amounts : amounts,
    dates: dates === 'locale' ? ofLocale.dates : dates,
    ...(separator && { separator }),
    columns: Object.fromEntries(names),
  };
}

async function importFile(context: CommandContext, file: string, options: ImportOptions) {
  const { project, dryRun } = options;
  const { findBankFile, importSettlements, settlementFileFormat } = await import('@carecover/payments');
  await requireReadable(file);
  const bankFile = await findBankFile(file).catch((error) => {
    throw error instanceof FileError ? describeFileError(file, error) : error;
  });
  const author = await operatorCaller(context, project);
  const days = await daysOfProject(context, project);
  const unmatched: UnmatchedRow[] = [];
  const ignored: IgnoredRow[] = [];
  const statements: ReportedStatement[] = [];
  const preview: PreviewedEntry[] = [];
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {percentage}% | {value} of {total} {unit}',
    linewrap: true,
  });
  const run: Omit<SettlementImport, 'sql' | 'isDryRun'> = {
    author,
    csv: await csvFormOf(options, days.locale),
    timeZone: days.timeZone,
    format: settlementFileFormat(bankFile.name),
    file: basename(file),
    open: () => bankFile.open(),
    onUnmatched: (row) => unmatched.push(row),
    onIgnored: (row) => ignored.push(row),
    onStatement: (statement) => statements.push(statement),
    onPreview: (entry) => preview.push(entry),
    // A compressed file has more bytes than its size on the disk.
    onChecked: (bytes) => {
      bar.setTotal(Math.max(bytes, bar.getTotal()));
      bar.update(bytes);
    },
    beforeRecording: async () => {
      if (dryRun === true) return;
      await logChange(context, author.tenant, 'settlements.import', project, { file: basename(file) });
    },
    onProgress({ rows }, total) {
      if (rows === 1) bar.start(total, rows, { unit: 'rows imported' });
      else bar.update(rows);
    },
  };
  bar.start(statSync(file).size, 0, { unit: 'bytes checked' });
  try {
    const counts = await withServiceDatabase(context, 'payments', author.tenant, (sql) =>
      importSettlements({ ...run, sql, isDryRun: dryRun === true }),
    );
    return { counts, unmatched: unmatched.sort((a, b) => a.line - b.line), ignored, statements, preview };
  } catch (error) {
    if (error instanceof FileError) throw describeFileError(file, error);
    throw error instanceof ApiError ? new OperatorError(`${file}: ${error.message}`) : error;
  } finally {
    bar.stop();
  }
}

/** Prints the first entries as they are read, with amounts in major units. */
function printPreview({ output }: CommandContext, preview: readonly PreviewedEntry[]): void {
  for (const { line, type, currency, amount, bookedOn, bankReference, payerReferences } of preview) {
    const references = [bankReference, ...payerReferences].filter((each) => each !== '').join(', ');
    output.write(
      `line ${line} is read as: ${type} of ${formatAmount(amount, currency)} on ${bookedOn}; ${escapeControls(references)}\n`,
    );
  }
}

/** Prints the number of rows that settle nothing and need no act of a person, by reason. */
function printIgnored(context: CommandContext, ignored: readonly IgnoredRow[]): void {
  const counts = new Map<string, number>();
  for (const { reason } of ignored) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  for (const [reason, count] of counts)
    context.output.write(`ignored ${count}: ${escapeControls(reason)}; --json lists them\n`);
}

/**
 * Imports a file, and prints the numbers of rows by result, each unmatched row, and each statement that differs from its own entries.
 *
 * @throws OperatorError at the end, if rows were rejected, which are stored nowhere, or a statement needs a person
 */
async function printImport(context: CommandContext, file: string, options: ImportOptions): Promise<void> {
  const { output } = context;
  const { counts, unmatched, ignored, statements, preview } = await importFile(context, file, options);
  const isDryRun = options.dryRun === true;
  const numberOf = (kind: UnmatchedRow['kind']) => unmatched.filter((row) => row.kind === kind).length;
  if (options.json === true) {
    const rows = unmatched.map(({ remittanceId, ...row }) => ({ ...row, remittance_id: remittanceId }));
    printResult(output, true, { ...counts, unmatched: rows, ignored_rows: ignored, statements });
  } else {
    if (isDryRun) printPreview(context, preview);
    printResult(output, false, counts);
    for (const { line, reason } of unmatched) output.write(`line ${line}: ${escapeControls(reason)}\n`);
    printIgnored(context, ignored);
    for (const { line, statement, differences } of statements)
      for (const difference of differences)
        output.write(`line ${line}: statement ${escapeControls(statement)}: ${escapeControls(difference)}\n`);
    if (isDryRun) output.write('Nothing was recorded: this was a dry run.\n');
    else if (numberOf('kept') + numberOf('takeback') > 0)
      output.write('The kept rows wait for you: "carecover settlements unmatched" lists them.\n');
  }
  const rejected = numberOf('rejected');
  if (isDryRun) return;
  if (rejected > 0)
    throw new OperatorError(
      `${rejected === 1 ? '1 row is' : `${rejected} rows are`} neither recorded nor kept. Correct the file and import it again: no row is recorded twice.`,
    );
  if (statements.length > 0)
    throw new OperatorError(
      `${statements.length === 1 ? '1 statement differs' : `${statements.length} statements differ`} from what was imported. Ask the bank for the missing entries or statements.`,
    );
}

async function listRows(
  context: CommandContext,
  {
    project,
    limit,
    status,
    remittance,
  }: ListOptions & { readonly status?: SettlementStatus; readonly remittance?: string },
) {
  const { listSettlements, settlementResource } = await import('@carecover/payments');
  const filters = { ...(status && { status }), ...(remittance && { remittance_id: remittance }) };
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'payments', null, (sql) =>
    listOfProjects(sql, callers, limit, (caller, page) =>
      listSettlements(sql, caller, { ...page, ...filters }, withCreation(settlementResource)),
    ),
  );
  return found.map(({ id, status, remittance_id, source_reference, amount, observed_at, project_id }) => ({
    id,
    status,
    remittance_id,
    source_reference,
    ...amount,
    observed_at,
    project_id,
  }));
}

/** Sets the time zone of a bank account. @throws OperatorError if the time zone is unknown, or the project does not exist */
async function setAccount(
  context: CommandContext,
  account: string,
  { project, timeZone }: { project: string; timeZone: string },
): Promise<object> {
  const { isTimeZone, setTimeZone } = await import('@carecover/payments');
  if (timeZone !== '' && !isTimeZone(timeZone))
    throw new OperatorError(`${timeZone} is no time zone. An IANA name is expected, such as Africa/Nairobi.`);
  const { tenant } = await operatorCaller(context, project);
  await logChange(context, tenant, 'settlements.account', project, { account, time_zone: timeZone });
  await withServiceDatabase(context, 'payments', tenant, (sql) =>
    setTimeZone(sql, tenant, account, timeZone === '' ? null : timeZone),
  );
  return {
    account,
    time_zone: timeZone === '' ? (await daysOfProject(context, project)).timeZone : timeZone,
  };
}

/** Reads the open entries of a project, or of all. A row that is expected until a day is open when its project has reached the day. */
async function listUnmatched(context: CommandContext, project: string | undefined): Promise<OpenEntry[]> {
  const { listOpenEntries } = await import('@carecover/payments');
  const callers = await operatorCallers(context, project);
  return withServiceDatabase(context, 'payments', null, async (sql) => {
    const rows: OpenEntry[] = [];
    for (const { tenant } of callers)
      rows.push(...(await atProjectTime(sql, tenant, () => listOpenEntries(sql, tenant))));
    return rows.sort((a, b) => a.row - b.row);
  });
}

/** Returns the columns of an open entry for a table. */
function shownRow({ settlements, ...entry }: OpenEntry): object {
  return { ...entry, settlements: settlements.map(({ id }) => id).join(' ') };
}

export function addSettlements(settlements: Command, context: CommandContext): void {
  settlements
    .command('list')
    .description('list settlements of a project or of all, newest first; amounts in minor units')
    .addOption(new Option('--status <status>', 'only those with this status').choices(settlementStatuses))
    .option('--remittance <remittance>', 'only those of this remittance, rem_…')
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: ListOptions & { status?: SettlementStatus; remittance?: string }) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });

  settlements
    .command('import')
    .argument(
      '<file>',
      'a .csv file, or ISO 20022 camt.053 statements or camt.054 notifications as .xml; also in a .gz or .zip file',
    )
    .description(
      'store the entries of a bank file and record its credits; an entry that was already imported is not recorded a second time, and one that is in doubt or matches no remittance is kept',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .addOption(
      new Option(
        '--separator <separator>',
        'the separator of a CSV file; by default that of its heading',
      ).choices([...csvSeparators]),
    )
    .addOption(
      new Option('--amounts <form>', 'how a CSV file writes amounts')
        .choices(['minor-units', 'decimal-point', 'decimal-comma', 'locale'])
        .default('minor-units'),
    )
    .addOption(
      new Option('--dates <form>', 'how a CSV file writes dates')
        .choices(['iso', 'day-month-year', 'month-day-year', 'locale'])
        .default('iso'),
    )
    .option(
      '--columns <names>',
      "the names of columns in a CSV file's heading, where they differ, such as amount=Betrag,observed_at=Buchungstag",
    )
    .option('--dry-run', 'print what the import would do, and change nothing')
    .option(
      '--json',
      'print {rows, matched, known, ignored, dismissed, unmatched: [{line, kind, row, remittance_id, reason, currency, amount}], ignored_rows, statements}',
    )
    .action((file: string, options: ImportOptions) => printImport(context, file, options));

  settlements
    .command('unmatched')
    .description(
      'list the entries of imported files that wait for a person, oldest first: credits that no settlement records, and takebacks by the bank',
    )
    .option(...PROJECT)
    .option('--json', 'print an array')
    .action(async ({ project, json }: { project?: string; json?: true }) => {
      const rows = await listUnmatched(context, project);
      printTable(context.output, json === true, json === true ? rows : rows.map(shownRow));
    });

  settlements
    .command('assign')
    .argument('<row>', 'the number of an unmatched row', parseRow)
    .argument('<remittance>', "the remittance's ID, rem_…")
    .description(
      'record an unmatched row, or a part of it, as a settlement of a remittance, with the rules of the API',
    )
    .option(
      '--amount <amount>',
      'the part in minor units, to divide a row among remittances; by default all that is open',
      parseRowAmount,
    )
    .option('--json', 'print the settlement')
    .action(async (row: number, remittance: string, { json, amount }: { json?: true; amount?: number }) => {
      const { settlement, openBefore } = await assignRow(context, row, remittance, amount);
      printResult(context.output, json === true, settlement);
      if (json === true) return;
      const { currency, observed } = settlement.amount;
      const [before, after] = [openBefore, openBefore - observed].map((open) => formatAmount(open, currency));
      context.output.write(`Of row ${row}, ${before} was open before, and ${after} is open now.\n`);
    });

  settlements
    .command('take-back')
    .argument('<row>', 'the number of a takeback', parseRow)
    .description('reverse the settlements of the credit that the bank takes back with this row')
    .option('--json', 'print the reversed settlements')
    .action(async (row: number, { json }: { json?: true }) => {
      const reversed = await takeBackRow(context, row);
      printTable(context.output, json === true, reversed);
    });

  settlements
    .command('account')
    .argument('<account>', 'the IBAN or other identification of a bank account, as its statements have it')
    .description('set the time zone of the local times in the statements of an account')
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .requiredOption('--time-zone <zone>', "an IANA name such as Africa/Nairobi; '' for that of the project")
    .option('--json', 'print {account, time_zone}')
    .action(
      async (account: string, { json, ...options }: { json?: true; project: string; timeZone: string }) => {
        printResult(context.output, json === true, await setAccount(context, account, options));
      },
    );

  addBankDays(settlements, context);
}
