/** `carecover recover-after-restore`: what follows a restore, so that nothing outside the facts remembers another past. */
import {
  ConfigError,
  endRuns,
  loadConfig,
  NATS_SETTINGS,
  natsAccess,
  OPERATOR_NATS_USER,
  renewStream,
  TEMPORAL_SETTINGS,
} from '@carecover/platform';
import type { Command } from 'commander';
import { audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { ERASURE_SETTINGS, findDefaultStack, findErasureJournal, withDefaults } from './bootstrap-credential';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

const SETTINGS = { ...TEMPORAL_SETTINGS, ...NATS_SETTINGS };

interface Recovered {
  /** Members that the restore had brought back. */
  readonly erased: number;
  /** Workflow runs that were ended. */
  readonly runs: number;
  /** Messages that were on the event stream. */
  readonly messages: number;
}

/** Where Temporal and the stream are: what the environment says, else the local stack. @throws OperatorError */
async function addresses({ env }: Surroundings) {
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

async function recover(around: Surroundings, reason: string): Promise<Recovered> {
  const settings = await addresses(around);
  const journal = await findErasureJournal(around.env);
  const { eraseAgain } = await import('../operator/erasures');
  const { erased, unreadable } = await withDatabase(around, async (sql, operator) => {
    // Logged before it begins, as what it ended stays ended where it is interrupted; the next run goes on from there.
    await audited(sql, operator, 'recover-after-restore', async () => ({ subject: reason, result: null }));
    return eraseAgain({ sql, operator, journal });
  });
  const runs = await endRuns(settings, `recover-after-restore: ${reason}`);
  const messages = await renewStream(natsAccess(OPERATOR_NATS_USER, settings));
  if (unreadable > 0) {
    throw new OperatorError(
      `Everything is done but for ${unreadable} erasures that were journaled under another HASH_SECRET. Run it again with that one.`,
    );
  }
  return { erased, runs, messages };
}

export function addRecoverAfterRestore(program: Command, around: Surroundings): void {
  program
    .command('recover-after-restore')
    .description(
      'after a restore of PostgreSQL or Temporal, while the services are stopped: erase again the members whom it brought back, end every workflow run and empty the event stream; the services make both again from the facts',
    )
    .requiredOption('--reason <words>', 'what was restored to which instant, for the log and the histories')
    .option('--json', 'print {erased, runs, messages}')
    .addHelpText(
      'after',
      `\nThe settings TEMPORAL_…, NATS_URL and NATS_PASSWORD (of the user operator) say where, as for the services; or the local stack's.${ERASURE_SETTINGS}`,
    )
    .action(async (options: { reason: string; json?: true }) => {
      printResult(around.output, options.json === true, await recover(around, options.reason));
    });
}
