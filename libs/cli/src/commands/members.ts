/** `carecover members …`: erasure of a member's personal data. */
import { OperatorError, requireProject } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { ERASURE_SETTINGS, findErasureJournal } from '../connection-settings';
import { printResult } from '../output';

async function eraseMember(context: CommandContext, projectId: string): Promise<{ erased: true }> {
  const reference = (await context.readInput()).trim();
  if (reference === '') throw new OperatorError('Standard input is empty. Write the member reference to it.');
  const journal = await findErasureJournal(context.env);
  const { eraseJournaled } = await import('../erasures');
  return withDatabase(context, async (sql, operator) => {
    const tenant = await requireProject(sql, projectId);
    const isKnown = await eraseJournaled({ sql, operator, journal }, tenant, reference);
    if (!isKnown) throw new OperatorError(`The project ${projectId} has no such member.`);
    return { erased: true };
  });
}

export function addMembers(members: Command, context: CommandContext): void {
  members
    .command('erase')
    .description(
      "erase a member's reference and the references of the member's coverages permanently; the reference is read from standard input, so that no log or process list shows it",
    )
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .option('--json', 'print {erased}')
    .addHelpText('after', ERASURE_SETTINGS)
    .action(async (options: { project: string; json?: true }) => {
      printResult(context.output, options.json === true, await eraseMember(context, options.project));
    });
}
