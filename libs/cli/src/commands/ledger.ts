/** `carecover ledger …`: verifies the ledger of the payments service. */
import { OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { printResult } from '../output';

interface VerifyOptions {
  readonly whole?: true;
  readonly json?: true;
}

/**
 * Verifies the ledger. Prints the numbers of verified postings, claims and remittances, and of differences; with --json also the
 * differences, at most 1,000.
 *
 * @throws OperatorError that lists the differences, if there are any, so that the exit code is 1
 */
async function verify(context: CommandContext, { json, whole }: VerifyOptions): Promise<void> {
  const [{ continueVerification }, { default: progress }] = await Promise.all([
    import('@carecover/payments'),
    import('cli-progress'),
  ]);
  const bar = new progress.SingleBar({
    stream: context.progress,
    format: '{bar} {value} claims of {total}',
    barsize: 30,
    linewrap: null,
  });
  let isDrawn = false;
  const onProgress = (verified: number, total: number | null) => {
    if (isDrawn) bar.update(verified);
    else bar.start(Math.max(total ?? verified, verified), verified);
    isDrawn = true;
    if (total === null) bar.setTotal(verified);
  };
  try {
    const verification = await withDatabase(context, (sql) =>
      continueVerification(sql, { whole: whole === true, onProgress }),
    );
    bar.stop();
    const { differences, ...counts } = verification;
    printResult(context.output, json === true, json === true ? verification : counts);
    if (differences.length === 0) return;
    const lines = differences.map(({ subject, says }) => `  ${subject}: ${says}`);
    const shown =
      differences.length < counts.different ? `, of which the first ${differences.length} are` : '';
    throw new OperatorError(`The ledger has ${counts.different} differences${shown}:\n${lines.join('\n')}`);
  } finally {
    bar.stop();
  }
}

export function addLedger(ledger: Command, context: CommandContext): void {
  ledger
    .command('verify')
    .description(
      'compute every balance and state from the postings and compare them with the stored ones: of what changed since the last verification without differences, or of the whole ledger; an interrupted verification continues',
    )
    .option('--whole', 'verify the whole ledger')
    .option(
      '--json',
      'print {postings, claims, remittances, inFlight, different, differences, isWhole}; at most 1,000 differences',
    )
    .action((options: VerifyOptions) => verify(context, options));
}
