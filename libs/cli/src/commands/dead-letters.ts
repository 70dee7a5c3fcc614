/** `carecover dead-letters …`: events and messages that the stream or the webhooks service can't process. */

import { ConfigError, loadConfig, NATS_SETTINGS } from '@carecover/config';
import { type NatsAccess, natsAccess, OPERATOR_NATS_USER } from '@carecover/events';
import { OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { findDefaultStack, withDefaults } from '../connection-settings';
import {
  discardDeadLettered,
  listDeadLettered,
  republishDeadLettered,
  showDeadLettered,
} from '../dead-letters';
import { escapeControlsInLines, formatJson, printResult, printTable } from '../output';

interface Json {
  readonly json?: true;
}

/**
 * Returns the NATS servers and credentials that the settings name, otherwise those of the local stack.
 *
 * @throws OperatorError if the settings name none and no local stack runs
 */
async function natsSettings({ env }: CommandContext): Promise<NatsAccess> {
  const stack = await findDefaultStack(env);
  try {
    const local = stack && { NATS_URL: stack.nats_url, NATS_PASSWORD: stack.nats_password };
    return natsAccess(OPERATOR_NATS_USER, loadConfig(NATS_SETTINGS, withDefaults(local, env)));
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

export function addDeadLetters(deadLetters: Command, context: CommandContext): void {
  deadLetters
    .command('list')
    .description('list dead letters with their reasons')
    .option('--json', 'print an array of {id, service, what, bytes, dead_lettered_at, reason}')
    .action(async ({ json }: Json) => {
      printTable(context.output, json === true, await withDatabase(context, listDeadLettered));
    });

  deadLetters
    .command('show')
    .argument('<id>', "the event's ID, evt_…, or the message's digest")
    .description('print the content')
    .option('--json', 'print {data}')
    .action(async (id: string, { json }: Json) => {
      const data = await withDatabase(context, (sql) => showDeadLettered(sql, id));
      context.output.write(json === true ? `${formatJson({ data })}\n` : `${escapeControlsInLines(data)}\n`);
    });

  deadLetters
    .command('republish')
    .argument('<id>', "the event's ID, evt_…, or the message's digest")
    .description('publish it again, after its cause was fixed')
    .option('--json', 'print {id, service, what, bytes, dead_lettered_at, reason}')
    .addHelpText(
      'after',
      '\nFor a message, set NATS_URL and NATS_PASSWORD (of the NATS user operator), or run the local stack.',
    )
    .action(async (id: string, { json }: Json) => {
      const nats = () => natsSettings(context);
      const deadLetter = await withDatabase(context, (sql, operator) =>
        republishDeadLettered(sql, operator, id, nats),
      );
      printResult(context.output, json === true, deadLetter);
    });

  deadLetters
    .command('discard')
    .argument('<id>', "the event's ID, evt_…, or the message's digest")
    .description('delete it permanently; no receiver gets it')
    .option('--json', 'print {id, service, what, bytes, dead_lettered_at, reason}')
    .action(async (id: string, { json }: Json) => {
      const deadLetter = await withDatabase(context, (sql, operator) =>
        discardDeadLettered(sql, operator, id),
      );
      printResult(context.output, json === true, deadLetter);
    });
}
