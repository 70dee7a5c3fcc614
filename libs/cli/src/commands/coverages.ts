/** `carecover coverages …`: imports coverage observations from files of payers. */
import { statSync } from 'node:fs';
import { CarecoverConnectionError, CarecoverError } from '@carecover/client';
import { OperatorError } from '@carecover/gateway';
import { FileError } from '@carecover/import-files';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { BASE_URL, connectApi } from '../api-connection';
import type { CommandContext } from '../command-context';
import { describeFileError, requireReadable } from '../input-file';
import { escapeControls, formatJson, printResult } from '../output';

interface ImportOptions {
  readonly contract: string;
  readonly generatedAt: string;
  readonly baseUrl?: string;
  readonly json?: true;
}

/**
 * Imports a file, and prints each rejected row and then the numbers of rows by result.
 *
 * @throws OperatorError at the end, if rows were rejected: they are stored nowhere
 */
async function importFile(context: CommandContext, file: string, options: ImportOptions): Promise<void> {
  const { importCoverages } = await import('../coverage-import');
  await requireReadable(file);
  const client = await connectApi(context, options.baseUrl, 'coverages:write');
  const { output } = context;
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {percentage}% | {value} of {total} bytes',
    linewrap: true,
  });
  bar.start(statSync(file).size, 0);
  try {
    const counts = await importCoverages({
      client,
      file,
      contractReference: options.contract,
      generatedAt: options.generatedAt,
      onRejected: (row) =>
        output.write(
          options.json ? `${formatJson(row)}\n` : `line ${row.line}: ${escapeControls(row.reason)}\n`,
        ),
      onProgress: (bytes) => bar.update(bytes),
    });
    printResult(output, options.json === true, counts);
    const { rejected } = counts;
    if (rejected > 0)
      throw new OperatorError(
        `${rejected === 1 ? '1 row was' : `${rejected} rows were`} rejected and not recorded. Correct the file and import it again: no row is recorded twice.`,
      );
  } catch (error) {
    if (error instanceof FileError) throw describeFileError(file, error);
    if (!(error instanceof CarecoverError || error instanceof CarecoverConnectionError)) throw error;
    throw new OperatorError(`${error.message} Run the same command again to continue the import.`);
  } finally {
    bar.stop();
  }
}

export function addCoverages(coverages: Command, context: CommandContext): void {
  coverages
    .command('import')
    .argument(
      '<file>',
      'a .csv file with a heading, or JSON lines; a row has the fields of a record of POST /coverage_batches',
    )
    .description('record the coverages of a file through the API; a repeated import of a file continues it')
    .requiredOption('--contract <reference>', "the payer's contract")
    .requiredOption(
      '--generated-at <instant>',
      'when the payer created the file, such as 2027-02-01T06:00:00Z',
    )
    .option(...BASE_URL)
    .option(
      '--json',
      'print {line, reason} for each rejected row, then {rows, recorded, known, rejected}, one per line',
    )
    .addHelpText(
      'after',
      '\nSet CARECOVER_SECRET_KEY to a key with the scope coverages:write, or run the local stack.',
    )
    .action((file: string, options: ImportOptions) => importFile(context, file, options));
}
