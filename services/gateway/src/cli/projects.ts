/** `carecover projects …` */
import { type Environment, environments } from '@carecover/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createProject, listProjects, setProject } from '../operator/projects';
import { printResult, printTable } from './output';
import { type Surroundings, withDatabase } from './surroundings';

interface Json {
  readonly json?: true;
}

function integerUpTo(limit: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > limit) throw new InvalidArgumentError(`It must be from 1 to ${limit}.`);
    return value;
  };
}

function commaList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function addCreate(projects: Command, around: Surroundings): void {
  projects
    .command('create')
    .argument('<name>', 'what people call it')
    .description('make a project with a first key that may do everything; its secret is shown this once')
    .addOption(
      new Option('--environment <environment>', 'where it lives').choices(environments).makeOptionMandatory(),
    )
    .option('--json', 'print {project_id, key_id, secret_key}')
    .action(async (name: string, options: Json & { environment: Environment }) => {
      const made = await withDatabase(around, (sql, operator) =>
        createProject(sql, operator, { name, environment: options.environment }),
      );
      printResult(around.output, options.json === true, made);
    });
}

function addSet(projects: Command, around: Surroundings): void {
  projects
    .command('set')
    .argument('<project>', 'its id, prj_…')
    .description('change settings; what is not given stays; it holds from the next request')
    .option('--rate-limit <requests>', 'requests per minute', integerUpTo(1_000_000))
    .option('--endpoint-limit <endpoints>', 'active webhook endpoints', integerUpTo(10_000))
    .option('--allowed-origins <origins>', "origins of browsers' requests, by commas; '' for none", commaList)
    .addOption(
      new Option('--consent-default <status>', 'what counts for a member never recorded').choices([
        'granted',
        'withdrawn',
      ]),
    )
    .option('--json', 'print the project')
    .action(
      async (
        id: string,
        options: Json & {
          rateLimit?: number;
          endpointLimit?: number;
          allowedOrigins?: string[];
          consentDefault?: 'granted' | 'withdrawn';
        },
      ) => {
        const { json, rateLimit, ...rest } = options;
        const changed = await withDatabase(around, (sql, operator) =>
          setProject(sql, operator, id, {
            ...rest,
            ...(rateLimit === undefined ? {} : { rateLimitPerMinute: rateLimit }),
          }),
        );
        printResult(around.output, json === true, changed);
      },
    );
}

export function addProjects(program: Command, around: Surroundings): void {
  const projects = program.command('projects').description('make, list and set up projects');
  addCreate(projects, around);
  projects
    .command('list')
    .description('all projects, newest first')
    .option('--json', 'print an array')
    .action(async ({ json }: Json) => {
      printTable(around.output, json === true, await withDatabase(around, (sql) => listProjects(sql)));
    });
  addSet(projects, around);
}
