/** `carecover practitioners …`: directories come from people, in files. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Command } from 'commander';
import { asService, audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { requireProject } from '../operator/projects';
import { requireReadable } from './input-file';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

function formatOf(file: string): 'csv' | 'json' {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.json') return 'json';
  throw new OperatorError(`${file} is neither a .csv nor a .json file.`);
}

/** All rows or none. @throws OperatorError that names every invalid row */
async function importFile(around: Surroundings, projectId: string, file: string) {
  const format = formatOf(file);
  await requireReadable(file);
  const text = await readFile(file, 'utf8');
  const { importPractitioners } = await import('@carecover/care');
  return withDatabase(around, async (admin, operator) => {
    const tenant = await requireProject(admin, projectId);
    return audited(admin, operator, 'practitioners.import', async (tx) => {
      const result = await asService(tx, 'care', () => importPractitioners(tx, tenant, format, text));
      if (result.outcome === 'rejected') {
        const rows = result.invalidRows.map(
          ({ line, reasons }) => `  line ${line ?? '-'}: ${reasons.join('; ')}`,
        );
        throw new OperatorError(
          `${file} has ${rows.length} invalid rows, so nothing was imported:\n${rows.join('\n')}`,
        );
      }
      const { added, changed, unchanged } = result;
      return {
        subject: projectId,
        details: { added, changed, unchanged },
        result: { added, changed, unchanged },
      };
    });
  });
}

export function addPractitioners(program: Command, around: Surroundings): void {
  program
    .command('practitioners')
    .description("projects' directories of practitioners")
    .command('import')
    .argument('<file>', 'a .csv or .json file')
    .description('add the practitioners of a file and change those known by their reference; all or none')
    .requiredOption('--project <project>', 'its id, prj_…')
    .option('--json', 'print {added, changed, unchanged}')
    .action(async (file: string, options: { project: string; json?: true }) => {
      printResult(around.output, options.json === true, await importFile(around, options.project, file));
    });
}
