/**
 * Prints the Kubernetes Secrets of an installation as manifests, for `kubectl apply -f -`. The values of the Secrets are random and
 * stored as files in the folder that the first argument names; existing files are kept, so that a second run prints the same Secrets.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
if (folder === undefined) {
  console.error('Usage: node deploy/chart/make-secrets.mjs FOLDER > secrets.yaml');
  process.exit(2);
}
const compose = join(import.meta.dirname, '../compose/make-secrets.mjs');
execFileSync(process.execPath, [compose, folder, 'kubernetes'], { stdio: ['ignore', 'ignore', 'inherit'] });

const read = (name) => readFileSync(join(folder, name), 'utf8').replace(/\r?\n$/, '');

function secret(name, type, values) {
  const data = Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, data: Object.fromEntries(data) };
}

/** The credentials of a database role, in the form that CloudNativePG and Temporal's chart read. */
const role = (username, password) => ({ username, password: read(password) });

const names = readdirSync(folder).filter((name) => !name.startsWith('gateway_') || name.endsWith('_url'));
const items = [
  secret('carecover', 'Opaque', Object.fromEntries(names.map((name) => [name, read(name)]))),
  secret(
    'carecover-postgres-admin',
    'kubernetes.io/basic-auth',
    role('carecover_admin', 'postgres_password'),
  ),
  secret(
    'carecover-postgres-temporal',
    'kubernetes.io/basic-auth',
    role('temporal', 'temporal_database_password'),
  ),
  secret('carecover-temporal-tls', 'kubernetes.io/tls', {
    'tls.crt': read('temporal_server_certificate'),
    'tls.key': read('temporal_server_key'),
    'ca.crt': read('temporal_authority'),
  }),
];
// The output is JSON, which kubectl reads because JSON is valid YAML.
console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
