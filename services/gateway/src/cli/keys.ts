/** `carecover keys …` */
import type { Sql } from '@carecover/platform';
import type { Command } from 'commander';
import { createKey, findKey, listKeys, parseScopes, revokeKey, rotateKey } from '../operator/keys';
import { OperatorError } from '../operator/operator-error';
import { printResult, printTable } from './output';
import { type Surroundings, withDatabase } from './surroundings';

interface Json {
  readonly json?: true;
}

interface Which extends Json {
  readonly secretStdin?: true;
}

const SECRET_STDIN = ['--secret-stdin', 'read its secret from standard input, instead of its id'] as const;
const KEY_ID = /^key_[A-Za-z0-9]+$/;

/** The id of the key that the command line names, by id or by secret. What is no id is not repeated: it may be a secret. */
async function keyId(
  around: Surroundings,
  sql: Sql,
  id: string | undefined,
  { secretStdin }: Which,
): Promise<string> {
  if ((id === undefined) === (secretStdin === undefined)) {
    throw new OperatorError('Give either the id of a key (key_…) or --secret-stdin.');
  }
  if (id === undefined) return (await findKey(sql, await around.readInput())).key_id;
  if (!KEY_ID.test(id))
    throw new OperatorError('The argument is not the id of a key, which starts with key_.');
  return id;
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
    .command('find')
    .description(
      'find the key that a secret (sk_…, or a token pt_…) belongs to; the secret is never shown or logged',
    )
    .requiredOption('--secret-stdin', 'read the secret from standard input')
    .option('--json', 'print {key_id, project_id, found_by, scopes, created_at, revoked_at}')
    .action(async ({ json }: Json) => {
      const secret = await around.readInput();
      printResult(around.output, json === true, await withDatabase(around, (sql) => findKey(sql, secret)));
    });

  keys
    .command('rotate')
    .argument('[key]', 'its id, key_…')
    .option(...SECRET_STDIN)
    .description('give a key a new secret; the old one and all tokens made with it are dead at once')
    .option('--json', 'print {key_id, secret_key}')
    .action(async (id: string | undefined, which: Which) => {
      const key = await withDatabase(around, async (sql, operator) =>
        rotateKey(sql, operator, await keyId(around, sql, id, which)),
      );
      printResult(around.output, which.json === true, key);
    });

  keys
    .command('revoke')
    .argument('[key]', 'its id, key_…')
    .option(...SECRET_STDIN)
    .description('end a key and all tokens made with it, at once and for good')
    .option('--json', 'print {key_id, revoked}')
    .action(async (id: string | undefined, which: Which) => {
      const done = await withDatabase(around, async (sql, operator) =>
        revokeKey(sql, operator, await keyId(around, sql, id, which)),
      );
      printResult(around.output, which.json === true, done);
    });
}
