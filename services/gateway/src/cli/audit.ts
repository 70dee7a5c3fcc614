/** `carecover audit …` */
import { type Command, InvalidArgumentError } from 'commander';
import { listAudit } from '../operator/audit';
import { printTable } from './output';
import { type Surroundings, withDatabase } from './surroundings';

function limit(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError('It must be from 1 to 99999.');
  return value;
}

export function addAudit(program: Command, around: Surroundings): void {
  program
    .command('audit')
    .description('the append-only log of what was done with this tool')
    .command('list')
    .description('the latest entries, newest first')
    .option('--limit <entries>', 'how many', limit, 50)
    .option('--json', 'print an array')
    .action(async (options: { limit: number; json?: true }) => {
      const entries = await withDatabase(around, (sql) => listAudit(sql, options.limit));
      printTable(around.output, options.json === true, entries);
    });
}
