/**
 * Creates every secret of the compose file at random, one file per secret, in `secrets/` or the folder in the first argument. Existing
 * files are kept. The operator provides the gateway's certificate and key.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporalCertificates } from './temporal-certificates.mjs';

const folder = process.argv[2] ?? join(import.meta.dirname, 'secrets');
mkdirSync(folder, { recursive: true, mode: 0o700 });

/** Returns the secret of this name, and creates it if it is missing. Containers read the file as other users; the folder is private. */
function ensureSecret(name, create) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, create(), { mode: 0o644 });
  return readFileSync(file, 'utf8').trimEnd();
}

const random = () => randomBytes(32).toString('base64url');
const databaseUrl = (role, password) => `postgres://${role}:${password}@postgres:5432/carecover`;

const admin = ensureSecret('postgres_password', random);
ensureSecret('admin_database_url', () => databaseUrl('postgres', admin));
for (const service of ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks']) {
  ensureSecret(`${service}_database_url`, () => databaseUrl(service, random()));
}
const natsPasswords = ['benefits', 'claims', 'payments', 'webhooks', 'operator', 'server'].map((user) => {
  const password = ensureSecret(`nats_${user}_password`, random);
  return `NATS_${user.toUpperCase()}_PASSWORD: "${password}"\n`;
});
const serverPassword = ensureSecret('nats_server_password', random);
const routes = [1, 2, 3].map((n) => `"nats://server:${serverPassword}@nats-${n}:6222"`);
natsPasswords.push(`NATS_ROUTES: [${routes.join(', ')}]\n`);
// The servers' file. Always written, so that it has a password that was changed in its own file.
writeFileSync(join(folder, 'nats_passwords'), natsPasswords.join(''), { mode: 0o644 });
ensureSecret('temporal_database_password', random);
// One authority signs all certificates, so they are created together.
const certificates = await createTemporalCertificates();
if (Object.keys(certificates).some((name) => !existsSync(join(folder, name)))) {
  for (const [name, pem] of Object.entries(certificates))
    writeFileSync(join(folder, name), pem, { mode: 0o644 });
}
ensureSecret('context_secret', random);
ensureSecret('hash_secret', random);
ensureSecret('webhook_encryption_keys', () => `1:${randomBytes(32).toString('base64')}`);
ensureSecret('grafana_password', random);

for (const name of ['gateway_certificate', 'gateway_key']) {
  if (!existsSync(join(folder, name))) console.log(`bring your own: ${join(folder, name)} (PEM)`);
}
