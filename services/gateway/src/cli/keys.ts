/** `carecover keys …` */
import type { Command } from 'commander';
import { createKey, listKeys, parseScopes, revokeKey, rotateKey } from '../operator/keys';
import { printResult, printTable } from './output';
import { type Surroundings, withDatabase } from './surroundings';

interface Json {
  readonly json?: true;
}

export function addKeys(program: Command, around: Surroundings): void {
  const keys = program.command('keys').description("make, list, rotate and revoke projects' keys");

  keys
    .command('create')
    .description('make a key; its secret is shown this once')
    .requiredOption('--project <project>', 'its id, prj_…')
    .requiredOption('--scopes <scopes>', "what it may do, by commas; '*' for everything")
    .option('--json', 'print {key_id, secret_key}')
    .action(async (options: Json & { project: string; scopes: string }) => {
      const granted = parseScopes(options.scopes);
      const key = await withDatabase(around, (sql, operator) =>
        createKey(sql, operator, options.project, granted),
      );
      printResult(around.output, options.json === true, key);
    });

  keys
    .command('list')
    .description('keys without their secrets, newest first')
    .option('--project <project>', "one project's alone")
    .option('--json', 'print an array')
    .action(async (options: Json & { project?: string }) => {
      const found = await withDatabase(around, (sql) => listKeys(sql, options.project ?? null));
      printTable(around.output, options.json === true, found);
    });

  keys
    .command('rotate')
    .argument('<key>', 'its id, key_…')
    .description('give a key a new secret; the old one and all tokens made with it are dead at once')
    .option('--json', 'print {key_id, secret_key}')
    .action(async (id: string, { json }: Json) => {
      const key = await withDatabase(around, (sql, operator) => rotateKey(sql, operator, id));
      printResult(around.output, json === true, key);
    });

  keys
    .command('revoke')
    .argument('<key>', 'its id, key_…')
    .description('end a key and all tokens made with it, at once and for good')
    .option('--json', 'print {key_id, revoked}')
    .action(async (id: string, { json }: Json) => {
      const done = await withDatabase(around, (sql, operator) => revokeKey(sql, operator, id));
      printResult(around.output, json === true, done);
    });
}
