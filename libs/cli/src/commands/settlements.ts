/** `carecover settlements …`: imports settlements from files of banks and payers. */
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type SettlementStatus, settlementStatuses } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import type { SettlementImport, UnmatchedRow } from '@carecover/payments';
import { ApiError, FileError } from '@carecover/platform';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { describeFileError, requireReadable } from '../input-file';
import { asOperator, listOfProjects, logChange, operatorCaller, operatorCallers } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { escapeControls, printResult, printTable } from '../output';

interface ImportOptions {
  readonly project: string;
  readonly dryRun?: true;
  readonly json?: true;
}

async function importFile(context: CommandContext, file: string, { project, dryRun }: ImportOptions) {
  const { importSettlements, settlementFileFormat } = await import('@carecover/payments');
  await requireReadable(file);
  const author = await operatorCaller(context, project);
  const unmatched: UnmatchedRow[] = [];
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {percentage}% | {value} of {total} {unit}',
    linewrap: true,
  });
  const options: Omit<SettlementImport, 'sql' | 'isDryRun'> = {
    author,
    format: settlementFileFormat(file),
    file: basename(file),
    open: () => createReadStream(file),
    onUnmatched: (row) => unmatched.push(row),
    onChecked: (bytes) => bar.update(bytes),
    beforeRecording: async () => {
      if (dryRun !== true) await logChange(context, 'settlements.import', project, { file: basename(file) });
    },
    onProgress({ rows }, total) {
      if (rows === 1) bar.start(total, rows, { unit: 'rows imported' });
      else bar.update(rows);
    },
  };
  bar.start(statSync(file).size, 0, { unit: 'bytes checked' });
  try {
    const counts = await withServiceDatabase(context, 'payments', (sql) =>
      importSettlements({ ...options, sql, isDryRun: dryRun === true }),
    );
    return { counts, unmatched: unmatched.sort((a, b) => a.line - b.line) };
  } catch (error) {
    if (error instanceof FileError) throw describeFileError(file, error);
    throw error instanceof ApiError ? new OperatorError(`${file}: ${error.message}`) : error;
  } finally {
    bar.stop();
  }
}

/**
 * Imports a file, and prints the numbers of rows by result and each unmatched row.
 *
 * @throws OperatorError at the end, if rows were rejected: they are stored nowhere
 */
async function printImport(context: CommandContext, file: string, options: ImportOptions): Promise<void> {
  const { output } = context;
  const { counts, unmatched } = await importFile(context, file, options);
  const isDryRun = options.dryRun === true;
  const numberOf = (kind: UnmatchedRow['kind']) => unmatched.filter((row) => row.kind === kind).length;
  if (options.json === true) {
    printResult(output, true, { ...counts, unmatched });
  } else {
    printResult(output, false, counts);
    for (const { line, reason } of unmatched) output.write(`line ${line}: ${escapeControls(reason)}\n`);
    if (isDryRun) output.write('Nothing was recorded: this was a dry run.\n');
    else if (numberOf('kept') > 0)
      output.write('The kept rows wait for a remittance: "carecover settlements unmatched" lists them.\n');
  }
  const rejected = numberOf('rejected');
  if (rejected === 0 || isDryRun) return;
  throw new OperatorError(
    `${rejected === 1 ? '1 row is' : `${rejected} rows are`} neither recorded nor kept. Correct the file and import it again: no row is recorded twice.`,
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
  const found = await withServiceDatabase(context, 'payments', (sql) =>
    listOfProjects(callers, limit, (caller, page) =>
      listSettlements(sql, caller, { ...page, ...filters }, settlementResource),
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

/**
 * Assigns an unmatched row of a settlement file to a remittance of the row's project. @throws OperatorError if the row or the remittance does not
 * exist
 */
async function assign(context: CommandContext, row: number, remittanceId: string): Promise<object> {
  const { assignUnmatchedRow, findUnmatchedRow } = await import('@carecover/payments');
  const kept = await withServiceDatabase(context, 'payments', (sql) => findUnmatchedRow(sql, null, row));
  if (kept === undefined) throw noRow(row);
  const author = await operatorCaller(context, kept.project_id);
  const { file, line } = kept;
  await logChange(context, 'settlements.assign', remittanceId, { row, file, line });
  const settlement = await withServiceDatabase(context, 'payments', (sql) =>
    asOperator(() => assignUnmatchedRow({ sql, author }, row, remittanceId), {
      resource_not_found: `There is no remittance ${remittanceId} in ${kept.project_id}, the project of the row.`,
    }),
  );
  if (settlement === null) throw noRow(row);
  return settlement;
}

/**
 * Dismisses an unmatched row of a settlement file, and records the reason in the audit log. @throws OperatorError if there is no such row, or if
 * it is assigned or dismissed already
 */
async function dismiss(context: CommandContext, row: number, reason: string): Promise<object> {
  const { dismissUnmatchedRow, findUnmatchedRow } = await import('@carecover/payments');
  const dismissed = await withServiceDatabase(context, 'payments', async (sql) => {
    const kept = await findUnmatchedRow(sql, null, row);
    if (kept === undefined || kept.dismissed) throw noRow(row);
    const { project_id, file, line } = kept;
    await logChange(context, 'settlements.dismiss', project_id, { row, file, line, reason });
    return dismissUnmatchedRow(sql, project_id, row);
  });
  if (dismissed === undefined) throw noRow(row);
  return { ...dismissed, dismissed: true };
}

function parseReason(text: string): string {
  if (text.trim() === '' || text.length > 200)
    throw new InvalidArgumentError('Expected 1 to 200 characters.');
  return text;
}

function noRow(row: number): OperatorError {
  return new OperatorError(`There is no unmatched row ${row}. "carecover settlements unmatched" lists them.`);
}

function parseRow(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a row.');
  return Number(text);
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
    .argument('<file>', 'a .csv file, or an ISO 20022 camt.053 statement as .xml')
    .description(
      'record the settlements of a file; a row that was already imported is not recorded a second time, and a row that matches no remittance is kept',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option('--dry-run', 'print what the import would do, and change nothing')
    .option('--json', 'print {rows, matched, known, ignored, dismissed, unmatched: [{line, kind, reason}]}')
    .action((file: string, options: ImportOptions) => printImport(context, file, options));

  settlements
    .command('unmatched')
    .description(
      'list the rows of imported files that matched no remittance and are not assigned, oldest first',
    )
    .option(...PROJECT)
    .option('--json', 'print an array')
    .action(async ({ project, json }: { project?: string; json?: true }) => {
      const { listUnmatchedRows } = await import('@carecover/payments');
      const tenant = project === undefined ? null : (await operatorCaller(context, project)).tenant;
      const rows = await withServiceDatabase(context, 'payments', (sql) => listUnmatchedRows(sql, tenant));
      printTable(context.output, json === true, rows);
    });

  settlements
    .command('assign')
    .argument('<row>', 'the number of an unmatched row', parseRow)
    .argument('<remittance>', "the remittance's ID, rem_…")
    .description('record an unmatched row as a settlement of a remittance, with the rules of the API')
    .option('--json', 'print the settlement')
    .action(async (row: number, remittance: string, { json }: { json?: true }) => {
      printResult(context.output, json === true, await assign(context, row, remittance));
    });

  settlements
    .command('dismiss')
    .argument('<row>', 'the number of an unmatched row', parseRow)
    .description(
      'remove a row that belongs to no remittance from the list of unmatched rows; "assign" still accepts it',
    )
    .requiredOption('--reason <reason>', 'why, for the audit log; without personal data', parseReason)
    .option('--json', 'print the row')
    .action(async (row: number, { reason, json }: { reason: string; json?: true }) => {
      printResult(context.output, json === true, await dismiss(context, row, reason));
    });
}
