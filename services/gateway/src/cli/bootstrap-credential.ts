/**
 * The credential from which all others come: the database's administrator. A setting names it; in a clone it is found in
 * what the running local stack keeps for its owner alone.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../operator/operator-error';

const SETTING = 'CARECOVER_ADMIN_DATABASE_URL';

const FIRST_RUN = `There is no credential to act with.

Set ${SETTING} to the address of the database as a role that owns it, for example
  export ${SETTING}=postgres://postgres:secret@db.internal:5432/carecover
or, for a local stack, run "npm start" in the clone and try again there (CARECOVER_HOME, where set, names its folder).`;

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
}

/** The local stack that runs in this clone, or null. */
export async function findStack(
  env: Readonly<Record<string, string | undefined>>,
): Promise<LocalStack | null> {
  const file = join(localHome(env), 'stack.json');
  return existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : null;
}

/** The database's address as its administrator. @throws OperatorError that tells a first-time operator what to do */
export async function findAdminUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = env[SETTING];
  if (!named) {
    const stack = await findStack(env);
    if (stack === null) throw new OperatorError(FIRST_RUN);
    return stack.database_url;
  }
  const isPostgres = URL.canParse(named) && /^postgres(ql)?:$/.test(new URL(named).protocol);
  if (!isPostgres) {
    throw new OperatorError(`${SETTING} is not valid: it must be an address that starts with postgres://`);
  }
  return named;
}
