/**
 * Migrates both databases of a configuration file to the schemas in temporal-sql-tool, like the command `setup-schema` of main.go does.
 *
 * Usage: node setup-schema.mjs TEMPORAL_SQL_TOOL CONFIG
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [tool, file] = process.argv.slice(2);
// The configuration file is JSON below one comment line. The comment makes Temporal's server expand the file as a template; the only
// template expression is the password, which this program does not read.
const { persistence } = JSON.parse(readFileSync(file, 'utf8').replace(/^#.*\n/, ''));

const SCHEMAS = {
  [persistence.defaultStore]: 'postgresql/v12/temporal',
  [persistence.visibilityStore]: 'postgresql/v12/visibility',
};
for (const [store, schema] of Object.entries(SCHEMAS)) {
  const { sql } = persistence.datastores[store];
  const [host, port] = sql.connectAddr.split(':');
  const env = {
    ...process.env,
    SQL_HOST: host,
    SQL_PORT: port,
    SQL_PLUGIN: sql.pluginName,
    SQL_DATABASE: sql.databaseName,
    SQL_USER: sql.user,
    SQL_PASSWORD: process.env.TEMPORAL_DATABASE_PASSWORD,
    SQL_CONNECT_ATTRIBUTES: new URLSearchParams(sql.connectAttributes).toString(),
  };
  // The first command creates the version tables if they are missing, and otherwise changes nothing.
  for (const args of [
    ['setup-schema', '--version', '0.0'],
    ['update-schema', '--schema-name', schema],
  ]) {
    const { status, error } = spawnSync(tool, args, { env, stdio: 'inherit' });
    if (error !== undefined) throw error;
    if (status !== 0) process.exit(status ?? 1);
  }
}
