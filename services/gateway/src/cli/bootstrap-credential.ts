/**
 * The credential from which all others come: the database's administrator. A setting names it; in a clone it is found in
 * what the running local stack keeps for its owner alone.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError, loadConfig, optional, secret, string, url } from '@carecover/platform';
import { ErasureJournal } from '../operator/erasure-journal';
import { OperatorError } from '../operator/operator-error';

const SETTING = 'CARECOVER_ADMIN_DATABASE_URL';

const FIRST_RUN = `There is no credential to act with.

Put the address of the database, as a role that owns it, into a file that you alone can read, such as
  postgres://postgres:<password>@db.internal:5432/carecover
and name the file: export ${SETTING}_FILE=<path>. (${SETTING} itself may hold the address too.)
Or, for a local stack, run "npm start" in the clone and try again there (CARECOVER_HOME, where set, names its folder).`;

/** The local stack's folder of this clone, from either the sources or the build. */
function localHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env.CARECOVER_HOME) return env.CARECOVER_HOME;
  let folder = __dirname;
  while (!existsSync(join(folder, 'services'))) folder = dirname(folder);
  return join(folder, '.carecover');
}

/** What the tool needs to know of a running local stack. */
export interface LocalStack {
  readonly base_url: string;
  readonly ca_certificate: string;
  readonly secret_key: string;
  readonly database_url: string;
  readonly temporal_address: string;
  readonly nats_url: string;
  /** Of the operator's user. */
  readonly nats_password: string;
}

/** The local stack that runs in this clone, or null. */
export async function findStack(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalStack | null> {
  const file = join(localHome(env), 'stack.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : null;
}

function adminUrlSetting(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    return loadConfig({ [SETTING]: optional(url('postgres:', 'postgresql:')) }, env)[SETTING] ?? null;
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorError(error.message) : error;
  }
}

/**
 * The local stack, for what settings do not name; null where the settings name the database, since its other servers are then not
 * the local ones.
 */
export async function findDefaultStack(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalStack | null> {
  return adminUrlSetting(env) === null ? findStack(env) : null;
}

/** The environment over defaults; a setting that names a file has no default. */
export function withDefaults(
  defaults: Readonly<Record<string, string>> | null,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const used = Object.entries(defaults ?? {}).filter(([name]) => env[`${name}_FILE`] === undefined);
  return { ...Object.fromEntries(used), ...env };
}

/** The database's address as its administrator. @throws OperatorError that tells a first-time operator what to do */
export async function findAdminUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = adminUrlSetting(env);
  if (named !== null) return named;
  const stack = await findStack(env);
  if (stack === null) throw new OperatorError(FIRST_RUN);
  return stack.database_url;
}

const JOURNAL_SETTINGS = { CARECOVER_ERASURE_JOURNAL: string(), HASH_SECRET: secret(32) };

/** For the help of the commands that need the journal. */
export const ERASURE_SETTINGS = `
CARECOVER_ERASURE_JOURNAL names the file in which erasures are journaled, outside the reach of the database's backups, and
HASH_SECRET (or HASH_SECRET_FILE) is the services'. With neither, those of a local stack that runs in the clone.`;

/**
 * The journal of erasures that the settings name; where the database is the local stack's, the one in its folder.
 *
 * @throws OperatorError where a setting is missing: without the journal a restore would bring an erased member back
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
