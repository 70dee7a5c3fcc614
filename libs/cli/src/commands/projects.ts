/** `carecover projects …`: creates, lists and changes projects. */
import { type Environment, environments, tryParseClockInstant } from '@carecover/contract';
import {
  type AgentWrites,
  agentWrites,
  createProject,
  listProjects,
  OperatorError,
  PROJECT_LIMITS,
  setProject,
} from '@carecover/gateway';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { integerFrom } from '../options';
import { printResult, printTable } from '../output';

interface Json {
  readonly json?: true;
}

interface CreateOptions extends Json {
  readonly environment: Environment;
  readonly clock: string;
  readonly now?: Date;
  readonly seed?: string;
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function instantFrom(text: string): Date {
  const at = tryParseClockInstant(text);
  if (at === undefined)
    throw new InvalidArgumentError(
      'It must be an instant in the years 2000 to 2999, such as 2022-01-01T00:00:00Z.',
    );
  return new Date(at);
}

function addCreate(projects: Command, context: CommandContext): void {
  projects
    .command('create')
    .argument('<name>', "the project's name")
    .description(
      'create a project with a first key that has all scopes, and print its secret, which is not stored',
    )
    .addOption(
      new Option('--environment <environment>', 'the environment of the project and its keys')
        .choices(environments)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--clock <clock>',
        'real, or simulated: only advances of its test clock move the time of the project, for ever (sandbox)',
      )
        .choices(['real', 'simulated'])
        .default('real'),
    )
    .option(
      '--now <instant>',
      'the time of a project with --clock simulated; it can be in the past',
      instantFrom,
    )
    .option(
      '--seed <text>',
      'of which the IDs in a project with --clock simulated follow; only one project of the installation can have it',
    )
    .option('--json', 'print {project_id, key_id, secret_key}')
    .action(async (name: string, options: CreateOptions) => {
      if ((options.clock === 'simulated') !== (options.now !== undefined))
        throw new OperatorError('--clock simulated and --now belong together: give both or neither.');
      const created = await withDatabase(context, (sql, operator) =>
        createProject(sql, operator, {
          name,
          environment: options.environment,
          ...(options.now === undefined ? {} : { now: options.now }),
          ...(options.seed === undefined ? {} : { seed: options.seed }),
        }),
      );
      printResult(context.output, options.json === true, created);
    });
}

function addSet(projects: Command, context: CommandContext): void {
  projects
    .command('set')
    .argument('<project>', "the project's ID, prj_…")
    .description('change the given settings; the change takes effect from the next request')
    .option(
      '--rate-limit <requests>',
      'requests per minute',
      integerFrom(1, PROJECT_LIMITS.rateLimitPerMinute),
    )
    .option(
      '--endpoint-limit <endpoints>',
      'maximum number of active webhook endpoints',
      integerFrom(1, PROJECT_LIMITS.endpointLimit),
    )
    .option(
      '--allowed-origins <origins>',
      "allowed origins of browsers, separated by commas; '' for none",
      commaList,
    )
    .addOption(
      new Option('--consent-default <status>', 'the consent of members for whom none is recorded').choices([
        'granted',
        'withdrawn',
      ]),
    )
    .addOption(
      new Option(
        '--agent-writes <mode>',
        'whether agents can write: off, or each call confirmed by a person',
      ).choices(agentWrites),
    )
    .option(
      '--currencies <codes>',
      "the currencies that requests can use, separated by commas; '' for all of the API",
      commaList,
    )
    .option(
      '--locale <tag>',
      'the language by which amounts and dates in the console are read, such as en-KE',
    )
    .option('--time-zone <name>', 'the time zone of the days in the console, such as Africa/Nairobi')
    .option('--json', 'print the project')
    .action(
      async (
        id: string,
        options: Json & {
          rateLimit?: number;
          endpointLimit?: number;
          allowedOrigins?: string[];
          consentDefault?: 'granted' | 'withdrawn';
          agentWrites?: AgentWrites;
          currencies?: string[];
          locale?: string;
          timeZone?: string;
        },
      ) => {
        const { json, rateLimit, ...rest } = options;
        const changed = await withDatabase(context, (sql, operator) =>
          setProject(sql, operator, id, {
            ...rest,
            ...(rateLimit === undefined ? {} : { rateLimitPerMinute: rateLimit }),
          }),
        );
        printResult(context.output, json === true, changed);
      },
    );
}

export function addProjects(projects: Command, context: CommandContext): void {
  addCreate(projects, context);
  projects
    .command('list')
    .description('list all projects, newest first')
    .option('--json', 'print an array')
    .action(async ({ json }: Json) => {
      printTable(context.output, json === true, await withDatabase(context, (sql) => listProjects(sql)));
    });
  addSet(projects, context);
}
