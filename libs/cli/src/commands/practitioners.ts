/** `carecover practitioners …`: imports practitioner directories from files. */
import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { audited, OperatorError, requireProject, tickForChange } from '@carecover/gateway';
import { atProjectTime } from '@carecover/postgres';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { requireReadable } from '../input-file';
import { printResult } from '../output';
import { asService } from '../store/service-schemas';

function formatOf(file: string): 'csv' | 'json' {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.json') return 'json';
  throw new OperatorError(`${file} is not a .csv or .json file.`);
}

/** Imports the rows of a file, all or none. @throws OperatorError that names every invalid row */
async function importFile(context: CommandContext, projectId: string, file: string) {
  const format = formatOf(file);
  await requireReadable(file);
  const { importPractitioners } = await import('@carecover/care');
  return withDatabase(context, async (admin, operator) => {
    const tenant = await requireProject(admin, projectId);
    const imported = () =>
      audited(admin, operator, 'practitioners.import', async (tx) => {
        const result = await asService(tx, 'care', () =>
          importPractitioners(tx, tenant, format, createReadStream(file)),
        );
        if (result.outcome === 'rejected') {
          const rows = result.invalidRows.map(
            ({ line, reasons }) => `  ${line === null ? '' : `line ${line}: `}${reasons.join('; ')}`,
          );
          throw new OperatorError(`Nothing of ${file} was imported:\n${rows.join('\n')}`);
        }
        await tickForChange(tx, tenant);
        const { added, changed, unchanged } = result;
        return {
          subject: projectId,
          details: { added, changed, unchanged },
          result: { added, changed, unchanged },
        };
      });
    return atProjectTime(admin, tenant, imported);
  });
}

export function addPractitioners(practitioners: Command, context: CommandContext): void {
  practitioners
    .command('import')
    .argument('<file>', 'a .csv or .json file')
    .description(
      'import all practitioners of a file or none; a practitioner with a known reference is updated',
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option('--json', 'print {added, changed, unchanged}')
    .action(async (file: string, options: { project: string; json?: true }) => {
      printResult(context.output, options.json === true, await importFile(context, options.project, file));
    });
}
