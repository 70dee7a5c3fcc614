/** `carecover members …`: what people may ask of us about themselves. */
import type { Command } from 'commander';
import { OperatorError } from '../operator/operator-error';
import { requireProject } from '../operator/projects';
import { ERASURE_SETTINGS, findErasureJournal } from './bootstrap-credential';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

async function eraseMember(around: Surroundings, projectId: string): Promise<{ erased: true }> {
  const reference = (await around.readInput()).trim();
  if (reference === '') throw new OperatorError('No member reference came on standard input.');
  const journal = await findErasureJournal(around.env);
  const { erase } = await import('../operator/erasures');
  return withDatabase(around, async (sql, operator) => {
    const tenant = await requireProject(sql, projectId);
    const isKnown = await erase({ sql, operator, journal }, tenant, reference);
    if (!isKnown) throw new OperatorError('The project knows no such member.');
    return { erased: true };
  });
}

export function addMembers(program: Command, around: Surroundings): void {
  program
    .command('members')
    .description("projects' members")
    .command('erase')
    .description(
      "erase a member's reference and those of the member's coverages for good; it is read from standard input, where no log or process list shows it",
    )
    .requiredOption('--project <project>', 'its id, prj_…')
    .option('--json', 'print {erased}')
    .addHelpText('after', ERASURE_SETTINGS)
    .action(async (options: { project: string; json?: true }) => {
      printResult(around.output, options.json === true, await eraseMember(around, options.project));
    });
}
