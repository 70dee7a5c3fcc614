/** `carecover ledger …`: whether the books are right, told from the postings themselves. */
import type { Command } from 'commander';
import { audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

interface Json {
  readonly json?: true;
}

/** The whole verification, also where something differs, is printed; differences make the exit code 1. */
async function verify(around: Surroundings, json: boolean): Promise<void> {
  const { verifyLedger } = await import('@carecover/payments');
  const { differences, ...counts } = await withDatabase(around, (sql) => verifyLedger(sql));
  printResult(around.output, json, json ? { ...counts, differences } : counts);
  if (differences.length === 0) return;
  const lines = differences.map(({ subject, says }) => `  ${subject}: ${says}`);
  throw new OperatorError(`The books differ in ${differences.length} places:\n${lines.join('\n')}`);
}

async function resend(around: Surroundings, claimIds: readonly string[]): Promise<{ remittances: number }> {
  const { resendToClaims } = await import('@carecover/payments');
  return withDatabase(around, (sql, operator) =>
    audited(sql, operator, 'ledger.resend', async () => {
      const remittances = await resendToClaims(sql, claimIds);
      return { subject: claimIds.join(','), details: { remittances }, result: { remittances } };
    }),
  );
}

export function addLedger(program: Command, around: Surroundings): void {
  const ledger = program.command('ledger').description('the ledger of payments');
  ledger
    .command('verify')
    .description('derive every balance and state again from the postings, and compare; changes nothing')
    .option('--json', 'print {postings, claims, remittances, inFlight, differences}')
    .action(({ json }: Json) => verify(around, json === true));
  ledger
    .command('resend')
    .argument('<claims...>', 'their ids, clm_…')
    .description(
      'have claims told again what payments recorded about them, and about those that share a remittance with them; what they know already stays',
    )
    .option('--json', 'print {remittances}')
    .action(async (claimIds: string[], { json }: Json) => {
      printResult(around.output, json === true, await resend(around, claimIds));
    });
}
