/** `carecover commands …`: lists the commands that a rule rejected. */

import { listRejectedCommands, type RejectedCommand } from '@carecover/commands';
import type { ServiceName } from '@carecover/contract';
import type { Command } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { operatorCallers } from '../operator-calls';
import { type ListOptions, limitOption, PROJECT } from '../options';
import { printTable } from '../output';

/** The services that keep the commands that they rejected. */
const SERVICES: readonly ServiceName[] = ['benefits', 'claims', 'payments'];

interface RejectedOptions extends ListOptions {
  readonly resource?: string;
}

/** Returns the newest rejected commands of the chosen projects in all services, newest first. */
async function listRows(context: CommandContext, { project, resource, limit }: RejectedOptions) {
  const callers = await operatorCallers(context, project);
  const resourceIds = resource === undefined ? null : [resource];
  const rows: (RejectedCommand & { readonly project_id: string })[] = [];
  for (const service of SERVICES)
    await withServiceDatabase(context, service, null, async (sql) => {
      for (const { tenant } of callers) {
        const found = await listRejectedCommands(sql, tenant, resourceIds, limit);
        rows.push(...found.map((row) => ({ ...row, project_id: tenant })));
      }
    });
  return rows
    .sort((a, b) => b.rejected_at.localeCompare(a.rejected_at))
    .slice(0, limit)
    .map(({ rejected_at, operation, resource_id, code, message, actor, request_id, project_id }) => ({
      rejected_at,
      operation,
      resource_id,
      code,
      message,
      actor,
      request_id,
      project_id,
    }));
}

export function addCommands(commands: Command, context: CommandContext): void {
  commands
    .command('rejected')
    .description(
      'list the commands that claims, benefits and payments rejected, newest first, for as long as they are kept',
    )
    .option('--resource <resource>', 'only those on this resource, such as clm_…, preauth_… or rem_…')
    .option(...PROJECT)
    .addOption(limitOption())
    .option('--json', 'print an array of the rows')
    .action(async (options: RejectedOptions) => {
      printTable(context.output, options.json === true, await listRows(context, options));
    });
}
