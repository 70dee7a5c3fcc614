/** `carecover claims …`: lists claims. */
import { type ClaimStatus, claimStatuses, formatInstant } from '@carecover/contract';
import { databaseNow } from '@carecover/postgres';
import { type Command, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { listOfProjects, operatorCallers, withCreation } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT, parseInstantOption } from '../options';
import { printTable } from '../output';

interface ClaimOptions extends ListOptions {
  readonly status?: ClaimStatus;
  readonly overdue?: true;
  readonly dueBefore?: number;
}

async function listRows(
  context: CommandContext,
  { project, limit, status, overdue, dueBefore }: ClaimOptions,
) {
  const { claimResource, listClaims } = await import('@carecover/claims');
  const callers = await operatorCallers(context, project);
  const found = await withServiceDatabase(context, 'claims', null, (sql) =>
    listOfProjects(sql, callers, limit, async (caller, page) => {
      const due = overdue === true ? (await databaseNow(sql)).getTime() : dueBefore;
      const filters = {
        ...(status && { status }),
        ...(due !== undefined && { due_before: formatInstant(due) }),
      };
      return listClaims(sql, caller, { ...page, ...filters }, withCreation(claimResource));
    }),
  );
  return found.map(({ amount, information_requests, ...claim }) => ({
    id: claim.id,
    status: claim.status,
    provider_claim_reference: claim.provider_claim_reference,
    ...amount,
    due_at: information_requests.find((request) => request.status === 'open')?.due_at ?? null,
    submitted_at: claim.submitted_at,
    project_id: claim.project_id,
  }));
}

export function addClaims(claims: Command, context: CommandContext): void {
  claims
    .command('list')
    .description('list claims of a project or of all, newest first; amounts in minor units')
    .addOption(new Option('--status <status>', 'only those with this status').choices(claimStatuses))
    .addOption(
      new Option('--overdue', 'only those whose open information request is past its due time').conflicts(
        'dueBefore',
      ),
    )
    .option(
      '--due-before <instant>',
      'only those with an open information request that is due before this instant',
      parseInstantOption,
    )
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: ClaimOptions) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });
}
