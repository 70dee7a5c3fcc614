/** `carecover demo`: fills a new project whose time is simulated with some years of a small payer and its practitioners. */
import { CarecoverAdvanceError } from '@carecover/client';
import { CLOCK_YEARS, formatInstant } from '@carecover/contract';
import { OperatorError } from '@carecover/gateway';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import { BASE_URL, withApi } from '../api-connection';
import type { CommandContext } from '../command-context';
import { playStory } from '../demo/story';
import { integerFrom, parseInstantOption } from '../options';
import { printResult } from '../output';

const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 365.25 * DAY_MS;
const MAX_YEARS = 10;

interface Options {
  readonly years: number;
  readonly start?: number;
  readonly seed: number;
  readonly baseUrl?: string;
  readonly json?: true;
}

function parseYears(text: string): number {
  const years = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (years > 0 && years <= MAX_YEARS) return years;
  throw new InvalidArgumentError(
    `Expected a number of years above 0 and up to ${MAX_YEARS}, such as 3 or 0.5.`,
  );
}

/** Creates the project and plays the story. @throws OperatorError */
async function fill(context: CommandContext, { years, start, seed, baseUrl, json }: Options): Promise<void> {
  const startMs = start ?? Math.floor((Date.now() - years * YEAR_MS) / DAY_MS) * DAY_MS;
  const endMs = startMs + Math.ceil((years * YEAR_MS) / DAY_MS) * DAY_MS;
  const now = formatInstant(startMs);
  const created = await withApi(context, baseUrl, 'clock:write', (client) =>
    client.testClocks.create({ name: `Demo of ${years} years`, now }),
  );
  const env = { ...context.env, CARECOVER_SECRET_KEY: created.secret_key };
  const bar = new SingleBar({ stream: context.progress, format: '{bar} {now}', linewrap: true });
  bar.start(endMs - startMs, 0, { now });
  try {
    const counts = await withApi({ ...context, env }, baseUrl, 'clock:write', (client) => {
      const onProgress = (atMs: number) => bar.update(atMs - startMs, { now: formatInstant(atMs) });
      return playStory(client, { startMs, endMs, seed, onProgress });
    });
    const { project_id, secret_key } = created;
    printResult(context.output, json === true, {
      project_id,
      secret_key,
      now: formatInstant(endMs),
      ...counts,
    });
  } catch (error) {
    if (error instanceof CarecoverAdvanceError) throw new OperatorError(error.message);
    throw error;
  } finally {
    bar.stop();
  }
}

export function addDemo(demo: Command, context: CommandContext): void {
  demo
    .option('--years <number>', 'how many years the story has, such as 3 or 0.5', parseYears, 3)
    .option(
      '--start <instant>',
      `when it begins, in the years ${CLOCK_YEARS.min} to ${CLOCK_YEARS.max}; default: so that it ends today`,
      parseInstantOption,
    )
    .option('--seed <number>', 'the same seed and start give the same story', integerFrom(0, 9_999_999), 1)
    .option(...BASE_URL)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nSet CARECOVER_SECRET_KEY to a key of a sandbox project, and pass --base-url.')
    .action((options: Options) => fill(context, options));
}
