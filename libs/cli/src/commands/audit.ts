/** `carecover audit …` */
import { listAudit } from '@carecover/gateway';
import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { printTable } from '../output';

function parseLimit(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError('Expected an integer from 1 to 99999.');
  return value;
}

export function addAudit(audit: Command, context: CommandContext): void {
  audit
    .command('list')
    .description('list the latest entries, newest first')
    .option('--limit <entries>', 'number of entries', parseLimit, 50)
    .option('--json', 'print an array')
    .action(async (options: { limit: number; json?: true }) => {
      const entries = await withDatabase(context, (sql) => listAudit(sql, options.limit));
      printTable(context.output, options.json === true, entries);
    });
}
