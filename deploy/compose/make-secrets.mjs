/**
 * Makes every secret of the compose files at random, each in a file of its own in `secrets/` (or the folder named), and
 * leaves alone what is there. The certificate and key of the gateway are yours to bring.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporalCertificates } from './temporal-certificates.mjs';

const folder = process.argv[2] ?? join(import.meta.dirname, 'secrets');
mkdirSync(folder, { recursive: true, mode: 0o700 });

/** The secret of this name; made where it is missing. Containers read it as another user, so the folder keeps others out. */
function secret(name, make) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, make(), { mode: 0o644 });
  return readFileSync(file, 'utf8').trimEnd();
}

const random = () => randomBytes(32).toString('base64url');
const databaseUrl = (role, password) => `postgres://${role}:${password}@postgres:5432/carecover`;

const admin = secret('postgres_password', random);
secret('admin_database_url', () => databaseUrl('postgres', admin));
for (const service of ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks']) {
  secret(`${service}_database_url`, () => databaseUrl(service, random()));
}
const natsPasswords = ['benefits', 'claims', 'payments', 'webhooks', 'operator', 'server'].map((user) => {
  const password = secret(`nats_${user}_password`, random);
  return `NATS_${user.toUpperCase()}_PASSWORD: "${password}"\n`;
});
const serverPassword = secret('nats_server_password', random);
const routes = [1, 2, 3].map((n) => `"nats://server:${serverPassword}@nats-${n}:6222"`);
natsPasswords.push(`NATS_ROUTES: [${routes.join(', ')}]\n`);
// What the servers read. Always written, so that a password that was changed in its own file is theirs after another run.
writeFileSync(join(folder, 'nats_passwords'), natsPasswords.join(''), { mode: 0o644 });
secret('temporal_database_password', random);
// One authority signs all, so all are made together.
const certificates = await temporalCertificates();
if (Object.keys(certificates).some((name) => !existsSync(join(folder, name)))) {
  for (const [name, pem] of Object.entries(certificates))
    writeFileSync(join(folder, name), pem, { mode: 0o644 });
}
secret('context_secret', random);
secret('hash_secret', random);
secret('webhook_encryption_keys', () => `1:${randomBytes(32).toString('base64')}`);
secret('grafana_password', random);

for (const name of ['gateway_certificate', 'gateway_key']) {
  if (!existsSync(join(folder, name))) console.log(`bring your own: ${join(folder, name)} (PEM)`);
}
