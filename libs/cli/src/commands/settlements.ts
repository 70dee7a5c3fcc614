/** `carecover settlements …`: imports settlements from files of banks and payers. */
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Environment } from '@carecover/contract';
import { audited, listProjects, OperatorError } from '@carecover/gateway';
import type { SettlementImport, UnmatchedRow } from '@carecover/payments';
import { ApiError, loadConfig, storedTenant, TEMPORAL_SETTINGS, TemporalCommands } from '@carecover/platform';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { type CommandContext, operatorOf, withDatabase, withServiceDatabase } from '../command-context';
import { findStack } from '../connection-settings';
import { requireReadable } from '../input-file';
import { printResult } from '../output';

/** Connects to the Temporal server that TEMPORAL_ADDRESS names, else to the local stack's. */
async function withTemporal<T>(
  context: CommandContext,
  work: (temporal: TemporalCommands) => Promise<T>,
): Promise<T> {
  const stack = await findStack(context.env);
  const temporal = TemporalCommands.create(
    loadConfig(TEMPORAL_SETTINGS, { TEMPORAL_ADDRESS: stack?.temporal_address, ...context.env }),
  );
  try {
    return await work(temporal);
  } finally {
    await temporal.close();
  }
}

/** Writes the audit entry before the import begins: an interrupted import has already recorded rows. Repeat it to continue. */
function logImport(context: CommandContext, projectId: string, file: string): Promise<Environment> {
  return withDatabase(context, async (admin, operator) => {
    const project = (await listProjects(admin)).find(({ id }) => id === projectId);
    if (project === undefined) throw new OperatorError(`There is no project ${projectId}.`);
    return audited(admin, operator, 'settlements.import', async () => ({
      subject: projectId,
      details: { file: basename(file) },
      result: project.environment,
    }));
  });
}

async function importFile(context: CommandContext, projectId: string, file: string) {
  const { FileError, importSettlements, settlementFileFormat } = await import('@carecover/payments');
  await requireReadable(file);
  const environment = await logImport(context, projectId, file);
  const unmatched: UnmatchedRow[] = [];
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {percentage}% | {value} of {total} {unit}',
    linewrap: true,
  });
  const options: Omit<SettlementImport, 'sql' | 'temporal'> = {
    author: {
      tenant: storedTenant(projectId),
      environment,
      authority: `operator:${operatorOf(context.env)}`,
    },
    format: settlementFileFormat(file),
    file: basename(file),
    open: () => createReadStream(file),
    onUnmatched: (row) => unmatched.push(row),
    onChecked: (bytes) => bar.update(bytes),
    onProgress({ rows }, total) {
      if (rows === 1) bar.start(total, rows, { unit: 'rows imported' });
      else bar.update(rows);
    },
  };
  bar.start(statSync(file).size, 0, { unit: 'bytes checked' });
  try {
    const counts = await withTemporal(context, (temporal) =>
      withServiceDatabase(context, 'payments', (sql) => importSettlements({ ...options, sql, temporal })),
    );
    return { counts, unmatched: unmatched.sort((a, b) => a.line - b.line) };
  } catch (error) {
    const expected = error instanceof FileError || error instanceof ApiError;
    throw expected ? new OperatorError(`${file}: ${error.message}`) : error;
  } finally {
    bar.stop();
  }
}

export function addSettlements(settlements: Command, context: CommandContext): void {
  settlements
    .command('import')
    .argument('<file>', 'a .csv file, or an ISO 20022 camt.053 statement as .xml')
    .description(
      'record the settlements of a file; a row that was already imported is not recorded a second time',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option('--json', 'print {rows, matched, known, ignored, unmatched: [{line, reason}]}')
    .addHelpText('after', '\nSet TEMPORAL_ADDRESS, or run the local stack.')
    .action(async (file: string, options: { project: string; json?: true }) => {
      const { counts, unmatched } = await importFile(context, options.project, file);
      if (options.json === true) {
        printResult(context.output, true, { ...counts, unmatched });
        return;
      }
      printResult(context.output, false, counts);
      for (const { line, reason } of unmatched) context.output.write(`line ${line}: ${reason}\n`);
    });
}
