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

/** @throws OperatorError that tells a first-time operator what to do */
export async function findAdminUrl(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = env[SETTING];
  if (named) {
    const isPostgres = URL.canParse(named) && /^postgres(ql)?:$/.test(new URL(named).protocol);
    if (!isPostgres)
      throw new OperatorError(`${SETTING} is not valid: it must be an address that starts with postgres://`);
    return named;
  }
  const file = join(localHome(env), 'stack.json');
  if (!existsSync(file)) throw new OperatorError(FIRST_RUN);
  const { database_url } = JSON.parse(await readFile(file, 'utf8'));
  return String(database_url);
}
