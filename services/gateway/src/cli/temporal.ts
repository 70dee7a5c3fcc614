/** `carecover temporal setup`: what Temporal needs once before the services start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, loadConfig, TEMPORAL_SETTINGS } from '@carecover/platform';
import { prepareNamespace, SEARCH_ATTRIBUTES } from '@carecover/platform/temporal-namespace';
import type { Command } from 'commander';
import { OperatorError } from '../operator/operator-error';
import { findDefaultStack, withDefaults } from './bootstrap-credential';
import { printResult } from './output';
import type { Surroundings } from './surroundings';

const RETRY_MS = 500;
const MAX_WAIT_MS = 120_000;

interface Namespace {
  readonly namespace: string;
  readonly search_attributes: readonly string[];
}

/** Where Temporal is: what the environment says, else the local stack. @throws OperatorError */
async function temporalSettings({ env }: Surroundings) {
  const stack = await findDefaultStack(env);
  try {
    return loadConfig(
      TEMPORAL_SETTINGS,
      withDefaults(stack && { TEMPORAL_ADDRESS: stack.temporal_address }, env),
    );
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

/** Creates the namespace and its search attributes; waits for a server that starts. @throws OperatorError after two minutes */
async function setUp(around: Surroundings): Promise<Namespace> {
  const settings = await temporalSettings(around);
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      await prepareNamespace(settings);
      return {
        namespace: settings.TEMPORAL_NAMESPACE,
        search_attributes: SEARCH_ATTRIBUTES.map(({ name }) => name),
      };
    } catch (error) {
      if (Date.now() > deadline || around.stopped.aborted) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new OperatorError(
          `Temporal at ${settings.TEMPORAL_ADDRESS} does not take the set-up of its namespace: ${reason}`,
        );
      }
      await sleep(RETRY_MS);
    }
  }
}

export function addTemporal(program: Command, around: Surroundings): void {
  const temporal = program.command('temporal').description("Temporal's namespace");
  temporal
    .command('setup')
    .description(
      'create the namespace and the search attributes that are missing; safe to run again. Waits up to two minutes for the server',
    )
    .option('--json', 'print {namespace, search_attributes}')
    .addHelpText(
      'after',
      "\nTEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_API_KEY say where, as for the services; or the local stack's.",
    )
    .action(async (options: { json?: true }) => {
      printResult(around.output, options.json === true, await setUp(around));
    });
}
