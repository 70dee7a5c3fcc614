/** `carecover receivables`: the outstanding amounts of a project's claims at an instant. */

import { type Currency, currencies, formatInstant, type Receivables } from '@carecover/contract';
import { type Command, Option } from 'commander';
import { type CommandContext, withServiceDatabase } from '../command-context';
import { asOperator, operatorCaller } from '../operator-calls';
import { parseInstantOption } from '../options';
import { formatJson, printTable } from '../output';

interface Options {
  readonly project: string;
  /** The instant for which the outstanding amounts are computed, in epoch milliseconds. */
  readonly at: number;
  readonly currency?: Currency;
  readonly json?: true;
}

async function readReceivables(
  context: CommandContext,
  { project, at, currency }: Options,
): Promise<Receivables> {
  const { sumReceivables } = await import('@carecover/claims');
  const { findPayerReferences } = await import('@carecover/benefits');
  const caller = await operatorCaller(context, project);
  const readPayers = (payerIds: readonly string[]) =>
    withServiceDatabase(context, 'benefits', caller.tenant, (sql) =>
      findPayerReferences(sql, caller.tenant, payerIds),
    );
  return withServiceDatabase(context, 'claims', caller.tenant, (sql) =>
    asOperator(() => sumReceivables(sql, readPayers, caller, at, currency)),
  );
}

/** Returns the rows of the printed table: for each currency a row of all claims, one row per practitioner and one row per payer. */
function toRows({ currencies }: Receivables): object[] {
  return currencies.flatMap(({ currency, claim_count, outstanding, practitioners, payers }) => [
    { currency, of: 'all claims', claims: claim_count, ...outstanding },
    ...practitioners.map((each) => ({
      currency,
      of: each.practitioner_id ?? 'other practitioners',
      claims: each.claim_count,
      ...each.outstanding,
    })),
    ...payers.map((each) => ({
      currency,
      of: each.payer_reference ?? 'other payers',
      claims: each.claim_count,
      ...each.outstanding,
    })),
  ]);
}

export function addReceivables(receivables: Command, context: CommandContext): void {
  receivables
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .requiredOption('--at <instant>', 'the instant, such as 2027-03-01T12:00:00Z', parseInstantOption)
    .addOption(new Option('--currency <currency>', 'only amounts in this currency').choices(currencies))
    .option('--json', 'print the response of GET /receivables')
    .action(async (options: Options) => {
      const read = await readReceivables(context, options);
      if (options.json === true) context.output.write(`${formatJson(read)}\n`);
      else {
        context.output.write(`outstanding at ${formatInstant(options.at)}, in minor units\n`);
        const rows = toRows(read);
        if (rows.length === 0) context.output.write('Nothing is outstanding.\n');
        else printTable(context.output, false, rows);
      }
    });
}
