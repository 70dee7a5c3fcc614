/** `carecover restored`: what follows a restore, so that nothing outside the facts remembers another past. */
import {
  ConfigError,
  endRuns,
  loadConfig,
  NATS_SETTINGS,
  renewStream,
  TEMPORAL_SETTINGS,
} from '@carecover/platform';
import type { Command } from 'commander';
import { audited } from '../operator/audit';
import { OperatorError } from '../operator/operator-error';
import { findStack } from './bootstrap-credential';
import { printResult } from './output';
import { type Surroundings, withDatabase } from './surroundings';

const SETTINGS = { ...TEMPORAL_SETTINGS, ...NATS_SETTINGS };

/** Where the engine and the stream are: what the environment says, else the local stack. @throws OperatorError */
async function addresses({ env }: Surroundings) {
  const stack = await findStack(env);
  const local = stack && { TEMPORAL_ADDRESS: stack.temporal_address, NATS_URL: stack.nats_url };
  try {
    return loadConfig(SETTINGS, { ...local, ...env });
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

async function restored(around: Surroundings, reason: string): Promise<{ runs: number; messages: number }> {
  const { NATS_URL, ...temporal } = await addresses(around);
  // Logged before it begins, as what it ended stays ended where it breaks off; the next run goes on from there.
  await withDatabase(around, (sql, operator) =>
    audited(sql, operator, 'restored', async () => ({ subject: reason, result: null })),
  );
  const runs = await endRuns(temporal, `restored: ${reason}`);
  const messages = await renewStream(NATS_URL);
  return { runs, messages };
}

export function addRestored(program: Command, around: Surroundings): void {
  program
    .command('restored')
    .description(
      'after a restore of PostgreSQL or Temporal, while the services are stopped: end every workflow run and empty the event stream; the services make both anew from the facts',
    )
    .requiredOption('--reason <words>', 'what was restored to which instant, for the log and the histories')
    .option('--json', 'print {runs, messages}')
    .addHelpText(
      'after',
      "\nTEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and NATS_URL say where, as for the services; or the local stack's.",
    )
    .action(async (options: { reason: string; json?: true }) => {
      printResult(around.output, options.json === true, await restored(around, options.reason));
    });
}
