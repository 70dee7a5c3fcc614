/** `carecover members …`: what people may ask of us about themselves. */
import type { Command } from 'commander';
import { asService, audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { requireProject } from '../operator/projects';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

async function erase(around: Surroundings, projectId: string): Promise<{ erased: true }> {
  const reference = (await around.readInput()).trim();
  if (reference === '') throw new OperatorError('No member reference came on standard input.');
  const { eraseMember } = await import('@carecover/benefits');
  return withDatabase(around, async (admin, operator) => {
    const tenant = await requireProject(admin, projectId);
    // The log says that a member of the project was erased, and nothing by which to find out which.
    return audited(admin, operator, 'member.erase', async (tx) => {
      const known = await asService(tx, 'benefits', () => eraseMember(tx, tenant, reference));
      if (!known) throw new OperatorError('The project knows no such member.');
      return { subject: projectId, result: { erased: true } };
    });
  });
}

export function addMembers(program: Command, around: Surroundings): void {
  program
    .command('members')
    .description("projects' members")
    .command('erase')
    .description(
      "forget a member's reference for good; it is read from standard input, where no log or process list shows it",
    )
    .requiredOption('--project <project>', 'its id, prj_…')
    .option('--json', 'print {erased}')
    .action(async (options: { project: string; json?: true }) => {
      printResult(around.output, options.json === true, await erase(around, options.project));
    });
}
