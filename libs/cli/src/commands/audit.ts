/** `carecover audit …`: lists the entries of the audit log. */
import { listAudit } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { integerFrom, parseInstantOption } from '../options';
import { printTable } from '../output';

export function addAudit(audit: Command, context: CommandContext): void {
  audit
    .command('list')
    .description('list the latest entries, newest first')
    .option('--limit <entries>', 'number of entries', integerFrom(1, 99_999), 50)
    .option('--since <instant>', 'only entries of this instant or later', parseInstantOption)
    .option('--json', 'print an array')
    .action(async ({ limit, since, json }: { limit: number; since?: number; json?: true }) => {
      const from = since === undefined ? null : new Date(since);
      const entries = await withDatabase(context, (sql) =>
        listAudit(sql, limit, null, from === null ? {} : { since: from }),
      );
      printTable(context.output, json === true, entries);
    });
}
