/**
 * `carecover temporal …`: prepares Temporal before the services start, and shows and changes the release of the workflows that Temporal
 * uses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { findTemporal } from '../connection-settings';
import { integerFrom } from '../options';
import { printResult, printTable } from '../output';

const RETRY_MS = 500;
const MAX_WAIT_MS = 120_000;

interface Namespace {
  readonly namespace: string;
  readonly search_attributes: readonly string[];
}

/**
 * Creates the namespace and its search attributes. Retries for two minutes, because the server can still be starting.
 *
 * @throws OperatorError if the server is not ready after two minutes
 */
async function setUp(context: CommandContext): Promise<Namespace> {
  const { prepareNamespace, SEARCH_ATTRIBUTES } = await import('@carecover/setup/temporal-namespace');
  const settings = await findTemporal(context.env);
  const deadline = Date.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      await prepareNamespace(settings);
      return {
        namespace: settings.TEMPORAL_NAMESPACE,
        search_attributes: SEARCH_ATTRIBUTES.map(({ name }) => name),
      };
    } catch (error) {
      if (Date.now() > deadline) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new OperatorError(
          `The namespace of Temporal at ${settings.TEMPORAL_ADDRESS} can't be set up: ${reason}`,
        );
      }
      await sleep(RETRY_MS);
    }
  }
}

export function addTemporal(temporal: Command, context: CommandContext): void {
  temporal
    .command('setup')
    .description(
      'create the namespace and the search attributes if they are missing; waits up to two minutes for the server',
    )
    .option('--json', 'print {namespace, search_attributes}')
    .addHelpText(
      'after',
      '\nSet TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and TEMPORAL_API_KEY as for the services, or run the local stack.',
    )
    .action(async (options: { json?: true }) => {
      printResult(context.output, options.json === true, await setUp(context));
    });

  temporal
    .command('versions')
    .description('show the release of the workflows that Temporal uses, per service')
    .option('--json', 'print [{deployment, current, pinned_elsewhere}]')
    .addHelpText(
      'after',
      '\nWorkers without WORKER_BUILD_ID have no release. The number of workflows that still run on another release is pinned_elsewhere.',
    )
    .action(async (options: { json?: true }) => {
      const { readWorkerVersions } = await import('@carecover/setup/worker-versions');
      const versions = await readWorkerVersions(await findTemporal(context.env));
      printTable(context.output, options.json === true, versions);
    });
  temporal
    .command('promote')
    .argument('<build>', 'the WORKER_BUILD_ID of workers that run')
    .description('make a release of the workflows the current one, when a worker of each service runs it')
    .option(
      '--wait <seconds>',
      'how long short workflows of other releases can take to end; the rest is moved',
      integerFrom(0, 99_999),
      60,
    )
    .option('--json', 'print {build, moved}')
    .action(async (build: string, { wait, json }: { wait: number; json?: true }) => {
      const { promoteWorkers, WorkerVersionError } = await import('@carecover/setup/worker-versions');
      try {
        const moved = await promoteWorkers(await findTemporal(context.env), build, wait * 1_000);
        printResult(context.output, json === true, { build, moved });
      } catch (error) {
        throw error instanceof WorkerVersionError ? new OperatorError(error.message) : error;
      }
    });
}
