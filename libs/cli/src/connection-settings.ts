/**
 * Finds the servers and files that the CLI uses: those that settings name, or by default those of the local stack that runs in this clone
 * of the repository. Only the user who started the stack can read the stack's files.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError, loadConfig, setting, TEMPORAL_SETTINGS } from '@carecover/config';
import { OperatorError } from '@carecover/gateway';
import { ErasureJournal } from './erasure-journal';

const SETTING = 'CARECOVER_ADMIN_DATABASE_URL';

/**
 * Returns the message for a command that has no database: how to start a local stack, or how to name another database.
 *
 * @param home the folder with the files of the local stack
 */
const noDatabase = (home: string) => `No local stack runs in ${home}, and no setting names a database.

For a local stack, run "npm start" in the clone and repeat the command there. (CARECOVER_HOME, if set, is its folder.)
For another installation, write the address of the database, with a role that owns it, to a file that only you can read, such as
  postgres://postgres:<password>@db.internal:5432/carecover
and name the file: export ${SETTING}_FILE=<path>. (${SETTING} itself can contain the address.)`;

/**
 * Returns the folder with the files of this clone's local stack: CARECOVER_HOME, or `.carecover` in the root of the clone. The result is
 * the same for the sources in `src` and the compiled files in `dist`.
 */
function localHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env.CARECOVER_HOME) return env.CARECOVER_HOME;
  let folder = __dirname;
  while (!existsSync(join(folder, 'services'))) folder = dirname(folder);
  return join(folder, '.carecover');
}

/** The part of `stack.json`, the file of a running local stack, that the CLI reads. */
interface LocalStack {
  readonly base_url: string;
  readonly ca_certificate: string;
  readonly secret_key: string;
  readonly database_url: string;
  readonly temporal_address: string;
  readonly temporal_ui: string;
  readonly nats_url: string;
  /** The password of the NATS user `operator`. */
  readonly nats_password: string;
}

/** Reads `stack.json` of the local stack that runs in this clone; null if none runs. */
async function findStack(env: Readonly<Record<string, string | undefined>>): Promise<LocalStack | null> {
  const file = join(localHome(env), 'stack.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : null;
}

function adminUrlSetting(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    return (
      loadConfig({ [SETTING]: setting.optional(setting.url('postgres:', 'postgresql:')) }, env)[SETTING] ??
      null
    );
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

/**
 * Returns the running local stack, whose servers are the defaults of missing settings; null if none runs. Also returns null if a setting
 * names the database: the settings must then name the other servers too.
 */
export async function findDefaultStack(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalStack | null> {
  return adminUrlSetting(env) === null ? findStack(env) : null;
}

/**
 * Returns the environment, with `defaults` for the settings that are missing. A setting gets no default if `<NAME>_FILE` is set, because
 * its value is then read from that file.
 */
export function withDefaults(
  defaults: Readonly<Record<string, string>> | null,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const used = Object.entries(defaults ?? {}).filter(([name]) => env[`${name}_FILE`] === undefined);
  return { ...Object.fromEntries(used), ...env };
}

/** Returns the administrator's database address. @throws OperatorError with instructions if no setting and no local stack name it */
export async function findAdminUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = adminUrlSetting(env);
  if (named !== null) return named;
  const stack = await findStack(env);
  if (stack === null) throw new OperatorError(noDatabase(localHome(env)));
  return stack.database_url;
}

/**
 * Returns the settings of Temporal from the environment, otherwise those of the local stack.
 *
 * @throws OperatorError if the environment has none, and names another database or no local stack runs
 */
export async function findTemporal(env: Readonly<Record<string, string | undefined>>) {
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

/** Returns the address of Temporal's UI from TEMPORAL_UI_URL, otherwise that of the local stack; null if neither names one. */
export async function findTemporalUi(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const stack = await findDefaultStack(env);
  const settings = { TEMPORAL_UI_URL: setting.optional(setting.url('https:', 'http:')) };
  try {
    const found = loadConfig(settings, withDefaults(stack && { TEMPORAL_UI_URL: stack.temporal_ui }, env));
    return found.TEMPORAL_UI_URL;
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

const JOURNAL_SETTINGS = { CARECOVER_ERASURE_JOURNAL: setting.string(), HASH_SECRET: setting.secret(32) };

/** The part of a command's help that describes the journal's settings. */
export const ERASURE_SETTINGS = `
CARECOVER_ERASURE_JOURNAL names the file that records erasures. The database's backups must not contain it.
HASH_SECRET (or HASH_SECRET_FILE) is the services' secret. Without these settings, the local stack's are used.`;

/**
 * Opens the erasure journal that the settings name. If no setting names a database, the local stack's journal and secret are the defaults.
 *
 * @throws OperatorError if a setting is missing or invalid. A member is not erased without the journal, because a restore would undo the
 * erasure
 */
export async function findErasureJournal(
  env: Readonly<Record<string, string | undefined>>,
): Promise<ErasureJournal> {
  const local = adminUrlSetting(env) === null ? await localJournal(env) : {};
  try {
    const config = loadConfig(JOURNAL_SETTINGS, withDefaults(local, env));
    return new ErasureJournal(config.CARECOVER_ERASURE_JOURNAL, config.HASH_SECRET);
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

async function localJournal(env: Readonly<Record<string, string | undefined>>) {
  const home = localHome(env);
  const secrets = join(home, 'secrets.json');
  if (!existsSync(secrets)) return {};
  return {
    CARECOVER_ERASURE_JOURNAL: join(home, 'erasures.jsonl'),
    HASH_SECRET: JSON.parse(await readFile(secrets, 'utf8')).hash as string,
  };
}
