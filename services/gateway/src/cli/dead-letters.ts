/** `carecover dead-letters …`: events and messages that were set aside before they reached a receiver. */
import {
  ConfigError,
  loadConfig,
  NATS_SETTINGS,
  type NatsAccess,
  natsAccess,
  OPERATOR_NATS_USER,
} from '@carecover/platform';
import type { Command } from 'commander';
import {
  discardDeadLettered,
  listDeadLettered,
  republishDeadLettered,
  showDeadLettered,
} from '../operator/dead-letters';
import { OperatorError } from '../operator/operator-error';
import { findDefaultStack, withDefaults } from './bootstrap-credential';
import { printResult, printTable } from './output';
import { type Surroundings, withDatabase } from './surroundings';

interface Json {
  readonly json?: true;
}

/** The local stack's stream, or the one that the settings name. @throws OperatorError where there is neither */
async function natsOf({ env }: Surroundings): Promise<NatsAccess> {
  const stack = await findDefaultStack(env);
  try {
    const local = stack && { NATS_URL: stack.nats_url, NATS_PASSWORD: stack.nats_password };
    return natsAccess(OPERATOR_NATS_USER, loadConfig(NATS_SETTINGS, withDefaults(local, env)));
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

export function addDeadLettered(program: Command, around: Surroundings): void {
  const deadLetters = program
    .command('dead-letters')
    .description(
      'events that the stream rejects, and messages that the webhooks service could not understand',
    );

  deadLetters
    .command('list')
    .description('list what is dead-lettered, and why')
    .option('--json', 'print an array of {id, service, what, bytes, dead_lettered_at, reason}')
    .action(async ({ json }: Json) => {
      printTable(around.output, json === true, await withDatabase(around, listDeadLettered));
    });

  deadLetters
    .command('show')
    .argument('<id>', 'evt_…, or the digest of a message')
    .description('print its bytes')
    .option('--json', 'print {data}')
    .action(async (id: string, { json }: Json) => {
      const data = await withDatabase(around, (sql) => showDeadLettered(sql, id));
      around.output.write(json === true ? `${JSON.stringify({ data })}\n` : `${data}\n`);
    });

  deadLetters
    .command('republish')
    .argument('<id>', 'evt_…, or the digest of a message')
    .description('publish it again, after its cause is fixed')
    .option('--json', 'print what it was')
    .addHelpText(
      'after',
      '\nA message needs NATS_URL and NATS_PASSWORD (of the user operator), or the local stack.',
    )
    .action(async (id: string, { json }: Json) => {
      const nats = () => natsOf(around);
      const done = await withDatabase(around, (sql, operator) =>
        republishDeadLettered(sql, operator, id, nats),
      );
      printResult(around.output, json === true, done);
    });

  deadLetters
    .command('discard')
    .argument('<id>', 'evt_…, or the digest of a message')
    .description('remove it permanently: no receiver gets it')
    .option('--json', 'print what it was')
    .action(async (id: string, { json }: Json) => {
      const done = await withDatabase(around, (sql, operator) => discardDeadLettered(sql, operator, id));
      printResult(around.output, json === true, done);
    });
}
