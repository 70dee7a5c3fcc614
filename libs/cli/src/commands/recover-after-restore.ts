/** `carecover recover-after-restore`: makes Temporal and the event stream consistent with a restored database. */

import { ConfigError, loadConfig, NATS_SETTINGS, TEMPORAL_SETTINGS } from '@carecover/config';
import { natsAccess, OPERATOR_NATS_USER } from '@carecover/events';
import { audited, OperatorError } from '@carecover/gateway';
import { recreateStream, terminateRuns } from '@carecover/service';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { ERASURE_SETTINGS, findDefaultStack, findErasureJournal, withDefaults } from '../connection-settings';
import { printResult } from '../output';

const SETTINGS = { ...TEMPORAL_SETTINGS, ...NATS_SETTINGS };

interface Recovered {
  /** The number of members that the restore brought back and that were erased again. */
  readonly erased: number;
  /** The number of workflow runs that the recovery ended. */
  readonly runs: number;
  /** The number of messages that the event stream contained before the recovery recreated it. */
  readonly messages: number;
}

/**
 * Returns the settings of Temporal and NATS from the environment, otherwise those of the local stack.
 *
 * @throws OperatorError if the environment has none and no local stack runs
 */
async function serverSettings({ env }: CommandContext) {
  const stack = await findDefaultStack(env);
  const local = stack && {
    TEMPORAL_ADDRESS: stack.temporal_address,
    NATS_URL: stack.nats_url,
    NATS_PASSWORD: stack.nats_password,
  };
  try {
    return loadConfig(SETTINGS, withDefaults(local, env));
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

async function recover(context: CommandContext, reason: string): Promise<Recovered> {
  const settings = await serverSettings(context);
  const journal = await findErasureJournal(context.env);
  const { repeatErasures } = await import('../erasures');
  const { erased, unreadable } = await withDatabase(context, async (sql, operator) => {
    // The audit entry is committed before the recovery changes anything, so the log also has a recovery that is interrupted. The operator
    // repeats the command to complete it.
    await audited(sql, operator, 'recover-after-restore', async () => ({ subject: reason, result: null }));
    return repeatErasures({ sql, operator, journal });
  });
  const runs = await terminateRuns(settings, `recover-after-restore: ${reason}`);
  const messages = await recreateStream(natsAccess(OPERATOR_NATS_USER, settings));
  if (unreadable > 0) {
    throw new OperatorError(
      `Recovered except for ${unreadable} erasures that were journaled with another HASH_SECRET. Run the command again with that secret.`,
    );
  }
  return { erased, runs, messages };
}

export function addRecoverAfterRestore(command: Command, context: CommandContext): void {
  command
    .requiredOption(
      '--reason <text>',
      'what was restored and to which instant, for the audit log and the workflow histories',
    )
    .option('--json', 'print {erased, runs, messages}')
    .addHelpText(
      'after',
      `\nSet TEMPORAL_…, NATS_URL and NATS_PASSWORD (of the NATS user operator) as for the services, or run the local stack.${ERASURE_SETTINGS}`,
    )
    .action(async (options: { reason: string; json?: true }) => {
      printResult(context.output, options.json === true, await recover(context, options.reason));
    });
}
