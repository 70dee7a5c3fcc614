/** `carecover settlements …`: what banks and payers say moved, in files. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Environment } from '@carecover/contract';
import type { SettlementImport, UnmatchedRow } from '@carecover/payments';
import { ApiError, loadConfig, TEMPORAL_SETTINGS, TemporalCommands } from '@carecover/platform';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { listProjects } from '../operator/projects';
import { findStack } from './bootstrap-credential';
import { requireReadable } from './input-file';
import { printResult } from './output';
import { operatorOf, type Surroundings, withDatabase, withServiceDatabase } from './surroundings';

/** The engine of the local stack, or the one that TEMPORAL_ADDRESS names. */
async function withTemporal<T>(
  around: Surroundings,
  work: (engine: TemporalCommands) => Promise<T>,
): Promise<T> {
  const stack = await findStack(around.env);
  const engine = TemporalCommands.create(
    loadConfig(TEMPORAL_SETTINGS, { TEMPORAL_ADDRESS: stack?.temporal_address, ...around.env }),
  );
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Logged before it begins, since what it records stays even where it breaks off; the next run goes on from there. */
function logImport(around: Surroundings, projectId: string, file: string): Promise<Environment> {
  return withDatabase(around, async (admin, operator) => {
    const project = (await listProjects(admin)).find(({ id }) => id === projectId);
    if (project === undefined) throw new OperatorError(`There is no project ${projectId}.`);
    return audited(admin, operator, 'settlements.import', async () => ({
      subject: projectId,
      details: { file: basename(file) },
      result: project.environment,
    }));
  });
}

async function importFile(around: Surroundings, projectId: string, file: string) {
  const { FileError, importSettlements, settlementFileFormat } = await import('@carecover/payments');
  await requireReadable(file);
  const environment = await logImport(around, projectId, file);
  const unmatched: UnmatchedRow[] = [];
  const bar = new SingleBar({
    stream: around.progress,
    format: '{bar} {percentage}% | {value} of {total} rows',
    linewrap: true,
  });
  const options: Omit<SettlementImport, 'sql' | 'engine'> = {
    author: { tenant: projectId, environment, authority: `operator:${operatorOf(around.env)}` },
    format: settlementFileFormat(file),
    input: createReadStream(file),
    onUnmatched: (row) => unmatched.push(row),
    onProgress: ({ rows }, total) => (bar.isActive ? bar.update(rows) : bar.start(total, rows)),
  };
  try {
    const counts = await withTemporal(around, (engine) =>
      withServiceDatabase(around, 'payments', (sql) => importSettlements({ ...options, sql, engine })),
    );
    return { counts, unmatched: unmatched.sort((a, b) => a.line - b.line) };
  } catch (error) {
    const expected = error instanceof FileError || error instanceof ApiError;
    throw expected ? new OperatorError(`${file}: ${error.message}`) : error;
  } finally {
    bar.stop();
  }
}

export function addSettlements(program: Command, around: Surroundings): void {
  program
    .command('settlements')
    .description("projects' settlements")
    .command('import')
    .argument('<file>', 'a .csv, or an ISO 20022 camt.053 statement as .xml')
    .description('record what a file says moved, each row once however often the file is imported')
    .requiredOption('--project <project>', 'its id, prj_…')
    .option('--json', 'print {rows, matched, known, ignored, unmatched: [{line, reason}]}')
    .addHelpText('after', '\nIt needs TEMPORAL_ADDRESS, or the local stack.')
    .action(async (file: string, options: { project: string; json?: true }) => {
      const { counts, unmatched } = await importFile(around, options.project, file);
      if (options.json === true) {
        printResult(around.output, true, { ...counts, unmatched });
        return;
      }
      printResult(around.output, false, counts);
      for (const { line, reason } of unmatched) around.output.write(`line ${line}: ${reason}\n`);
    });
}
