/** `carecover ledger …`: verifies the ledger of the payments service, and sends its notifications to the claims service again. */
import { audited, OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { printResult } from '../output';

interface Json {
  readonly json?: true;
}

/** Prints the counts and, in JSON, the differences. The exit code is 1 if there is a difference. */
async function verify(context: CommandContext, json: boolean): Promise<void> {
  const { verifyLedger } = await import('@carecover/payments');
  const { differences, ...counts } = await withDatabase(context, (sql) => verifyLedger(sql));
  printResult(context.output, json, json ? { ...counts, differences } : counts);
  if (differences.length === 0) return;
  const lines = differences.map(({ subject, says }) => `  ${subject}: ${says}`);
  throw new OperatorError(`The ledger has ${differences.length} differences:\n${lines.join('\n')}`);
}

async function resend(
  context: CommandContext,
  claimIds: readonly string[],
): Promise<{ remittances: number }> {
  const { resendToClaims } = await import('@carecover/payments');
  return withDatabase(context, (sql, operator) =>
    audited(sql, operator, 'ledger.resend', async () => {
      const remittances = await resendToClaims(sql, claimIds);
      return { subject: claimIds.join(','), details: { remittances }, result: { remittances } };
    }),
  );
}

export function addLedger(ledger: Command, context: CommandContext): void {
  ledger
    .command('verify')
    .description(
      'compute every balance and state from the postings and compare them with the stored ones; changes nothing',
    )
    .option('--json', 'print {postings, claims, remittances, inFlight, differences}')
    .action(({ json }: Json) => verify(context, json === true));
  ledger
    .command('resend')
    .argument('<claims...>', "the claims' IDs, clm_…")
    .description(
      'send the recorded payments of these claims, and of claims that share a remittance with them, to the claims service again; records that it already has do not change',
    )
    .option('--json', 'print {remittances}')
    .action(async (claimIds: string[], { json }: Json) => {
      printResult(context.output, json === true, await resend(context, claimIds));
    });
}
