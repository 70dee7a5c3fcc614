/** `carecover clock …`: shows and moves the clock of a project whose time is simulated. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carecover, TestClock } from '@carecover/client';
import { formatInstant } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { BASE_URL, withApi } from '../api-connection';
import type { CommandContext } from '../command-context';
import { parseInstantOption } from '../options';
import { printResult } from '../output';

interface Options {
  readonly baseUrl?: string;
  readonly json?: true;
}

/** How often the progress of an advance is read, in milliseconds. */
const POLL_MS = 200;
const HELP =
  '\nSet CARECOVER_SECRET_KEY to a key of the project whose time is simulated, and pass --base-url.';

function print(context: CommandContext, { json }: Options, clock: TestClock): void {
  const { now, status, target, next_due: due, advanced_to, completed, remaining, failure } = clock;
  const next_due = due === null ? null : `${due.at} ${due.what} ${due.resource}`;
  const row = { now, status, target, next_due, advanced_to, completed, remaining, failure };
  printResult(context.output, json === true, json === true ? clock : row);
}

/** Shows the progress of an advance until it has ended. */
async function follow(context: CommandContext, client: Carecover, started: TestClock): Promise<TestClock> {
  const bar = new SingleBar({
    stream: context.progress,
    format: '{bar} {value} of {total} due items, {now}',
    linewrap: true,
  });
  const { completed, remaining, now } = started;
  bar.start(completed + remaining, completed, { now });
  try {
    for (let clock = started; ; clock = await client.testClock.retrieve()) {
      bar.setTotal(clock.completed + clock.remaining);
      bar.update(clock.completed, { now: clock.now });
      if (clock.status !== 'advancing') return clock;
      await sleep(POLL_MS);
    }
  } finally {
    bar.stop();
  }
}

/** Moves the clock, and waits for the end of the advance. @throws OperatorError if the advance failed */
async function advance(context: CommandContext, to: string, options: Options): Promise<void> {
  const clock = await withApi(context, options.baseUrl, 'clock:write', async (client) => {
    const started = await client.testClock.advance({ to }, { idempotencyKey: randomUUID() });
    return follow(context, client, started);
  });
  print(context, options, clock);
  if (clock.status === 'failed')
    throw new OperatorError(
      `The advance ended at ${clock.now}: ${clock.failure} The next advance continues.`,
    );
}

export function addClock(clock: Command, context: CommandContext): void {
  clock
    .command('show')
    .description('print the time of the project, and what is due next')
    .option(...BASE_URL)
    .option('--json', 'print the clock as JSON')
    .addHelpText('after', HELP)
    .action(async (options: Options) =>
      print(
        context,
        options,
        await withApi(context, options.baseUrl, 'clock:read', (client) => client.testClock.retrieve()),
      ),
    );
  clock
    .command('advance')
    .argument('<instant>', 'where the clock is moved, such as 2025-03-01T00:00:00Z', parseInstantOption)
    .description('execute everything that is due until an instant, in order, and move the clock there')
    .option(...BASE_URL)
    .option('--json', 'print the clock as JSON')
    .addHelpText('after', HELP)
    .action((instant: number, options: Options) => advance(context, formatInstant(instant), options));
  clock
    .command('next')
    .description('execute what is due next, and move the clock there')
    .option(...BASE_URL)
    .option('--json', 'print the clock as JSON')
    .addHelpText('after', HELP)
    .action((options: Options) => advance(context, 'next', options));
}
