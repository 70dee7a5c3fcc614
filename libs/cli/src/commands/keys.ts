/** `carecover keys …`: creates, lists, finds, rotates and revokes keys of projects. */
import { type GrantedScope, isGrantedScope, scopes, WILDCARD_SCOPE } from '@carecover/contract';
import { createKey, findKey, listKeys, OperatorError, revokeKey, rotateKey } from '@carecover/gateway';
import type { Sql } from '@carecover/postgres';
import type { Command } from 'commander';
import { type CommandContext, withDatabase } from '../command-context';
import { parseInstantOption } from '../options';
import { printResult, printTable } from '../output';

interface Json {
  readonly json?: true;
}

interface KeyOptions extends Json {
  readonly secretStdin?: true;
}

const SECRET_STDIN = [
  '--secret-stdin',
  "read the key's secret from standard input; replaces the ID",
] as const;
const KEY_ID = /^key_[A-Za-z0-9]+$/;

/** Returns the ID of the key that the command line names by ID or by secret. A malformed ID is not printed: it can be a secret. */
async function keyId(
  context: CommandContext,
  sql: Sql,
  id: string | undefined,
  { secretStdin }: KeyOptions,
): Promise<string> {
  if ((id === undefined) === (secretStdin === undefined)) {
    throw new OperatorError("Pass either a key's ID (key_…) or --secret-stdin.");
  }
  if (id === undefined) return (await findKey(sql, await context.readInput())).key_id;
  if (!KEY_ID.test(id))
    throw new OperatorError("The argument is not a key's ID. A key's ID starts with key_.");
  return id;
}

/**
 * Parses a comma-separated list of scopes and removes duplicates. @throws OperatorError for an unknown scope; the message lists the known
 * scopes
 */
function parseScopes(text: string): GrantedScope[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    if (isGrantedScope(name)) return name;
    throw new OperatorError(
      `${name === '' ? 'An empty name' : name} is not a scope. The scopes are ${[WILDCARD_SCOPE, ...scopes].join(', ')}.`,
    );
  });
}

export function addKeys(keys: Command, context: CommandContext): void {
  keys
    .command('create')
    .description('create a key and print its secret, which is not stored')
    .requiredOption('--project <project>', "the project's ID, prj_…")
    .requiredOption(
      '--scopes <scopes>',
      `the key's scopes, separated by commas; '*' for all. The scopes are ${scopes.join(', ')}`,
    )
    .option('--name <name>', 'what the key is for, such as the name of a system')
    .option('--json', 'print {key_id, secret_key}')
    .action(async (options: Json & { project: string; scopes: string; name?: string }) => {
      const granted = parseScopes(options.scopes);
      const key = await withDatabase(context, (sql, operator) =>
        createKey(sql, operator, options.project, granted, options.name ?? null),
      );
      printResult(context.output, options.json === true, key);
    });

  keys
    .command('list')
    .description(
      'list keys, newest first: names, the first characters of their secrets, and the minute in which they were last used',
    )
    .option('--project <project>', 'only the keys of this project')
    .option(
      '--since <instant>',
      'only keys that were created, rotated or revoked at this instant or later',
      parseInstantOption,
    )
    .option('--json', 'print an array')
    .action(async ({ project = null, since, json }: Json & { project?: string | null; since?: number }) => {
      const changedSince = since === undefined ? null : new Date(since);
      const found = await withDatabase(context, (sql) => listKeys(sql, project, { changedSince }));
      printTable(context.output, json === true, found);
    });

  keys
    .command('find')
    .description(
      'find the key to which a secret (sk_…) or a token (pt_…) belongs; the secret is not printed or logged',
    )
    .requiredOption('--secret-stdin', 'read the secret from standard input')
    .option(
      '--json',
      'print {key_id, project_id, name, found_by, scopes, created_at, revoked_at, last_used_at}',
    )
    .action(async ({ json }: Json) => {
      const secret = await context.readInput();
      printResult(context.output, json === true, await withDatabase(context, (sql) => findKey(sql, secret)));
    });

  keys
    .command('rotate')
    .argument('[key]', "the key's ID, key_…")
    .option(...SECRET_STDIN)
    .description(
      "replace a key's secret; the old secret and all tokens created with it are invalid immediately",
    )
    .option('--json', 'print {key_id, secret_key}')
    .action(async (id: string | undefined, options: KeyOptions) => {
      const key = await withDatabase(context, async (sql, operator) =>
        rotateKey(sql, operator, await keyId(context, sql, id, options)),
      );
      printResult(context.output, options.json === true, key);
    });

  keys
    .command('revoke')
    .argument('[key]', "the key's ID, key_…")
    .option(...SECRET_STDIN)
    .description('revoke a key and all tokens created with it, immediately and permanently')
    .option('--json', 'print {key_id, revoked}')
    .action(async (id: string | undefined, options: KeyOptions) => {
      const revoked = await withDatabase(context, async (sql, operator) =>
        revokeKey(sql, operator, await keyId(context, sql, id, options)),
      );
      printResult(context.output, options.json === true, revoked);
    });
}
