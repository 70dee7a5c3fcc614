/** `carecover audit …`: lists the entries of the audit log. */
import { listAudit } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { integerFrom } from '../options';
import { printTable } from '../output';

export function addAudit(audit: Command, context: CommandContext): void {
  audit
    .command('list')
    .description('list the latest entries, newest first')
    .option('--limit <entries>', 'number of entries', integerFrom(1, 99_999), 50)
    .option('--json', 'print an array')
    .action(async (options: { limit: number; json?: true }) => {
      const entries = await withDatabase(context, (sql) => listAudit(sql, options.limit));
      printTable(context.output, options.json === true, entries);
    });
}
