/** `carecover valuation triangle`: writes the development triangle of a valuation run as a CSV file for actuarial software, or as an HTML page. */
import { writeFile } from 'node:fs/promises';
import { OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { asOperator } from '../operator-calls';
import { readRun, withRunOf } from '../valuation-runs';

interface TriangleOptions {
  readonly csv?: string;
  readonly html?: string;
}

async function writeTriangle(
  context: CommandContext,
  id: string,
  { csv, html }: TriangleOptions,
): Promise<void> {
  if (csv === undefined && html === undefined)
    throw new OperatorError('Name a file: --csv FILE, --html FILE, or both.');
  const run = await withRunOf(context, id, (sql, caller) => readRun(context, sql, caller, id));
  const { triangle, development, status } = run;
  if (status !== 'ready') throw new OperatorError(`The run is not ready: it is ${status}.`);
  if (triangle === null || development === null)
    throw new OperatorError('The run has no triangle: create one with carecover valuation run --origin …');
  const { triangleCsv } = await import('@carecover/claims');
  if (csv !== undefined) {
    const content = await asOperator(async () => triangleCsv(triangle, development.step));
    await write(csv, content);
  }
  if (html !== undefined) {
    const { trianglePage } = await import('../triangle-page');
    await write(
      html,
      trianglePage({
        runId: run.id,
        valuationAt: run.valuation_at,
        effectiveThrough: run.effective_through,
        resultSha256: run.result_sha256,
        triangle,
      }),
    );
  }
  for (const file of [csv, html]) if (file !== undefined) context.output.write(`${file}\n`);
}

async function write(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new OperatorError(`${file} can't be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

export function addTriangle(valuation: Command, context: CommandContext): void {
  valuation
    .command('triangle')
    .description(
      'write the development triangle of a valuation run as CSV for actuarial libraries, or as an HTML page',
    )
    .argument('<run>', "the run's ID, vrun_…")
    .option(
      '--csv <file>',
      'origin, development (the valuation date), currency and cumulative sums in minor units; the cutoff must be on the last day of a step',
    )
    .option('--html <file>', 'a page with a heat map and development curves, which needs no network')
    .action((id: string, options: TriangleOptions) => writeTriangle(context, id, options));
}
