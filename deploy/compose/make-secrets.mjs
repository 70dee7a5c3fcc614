/**
 * Creates random secrets, one file per secret, in `secrets/` or in the folder that the first argument names. The secrets are for the
 * compose file or, with the second argument `kubernetes`, for the chart, where PostgreSQL and NATS have other addresses. Existing files
 * are kept. The gateway's certificate and key are not created: the operator provides them.
 */
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporalCertificates } from './temporal-certificates.mjs';

const [, , folder = join(import.meta.dirname, 'secrets'), target] = process.argv;
const { databaseHost, adminRole, natsServer } =
  target === 'kubernetes'
    ? {
        databaseHost: 'carecover-postgres-rw',
        adminRole: 'carecover_admin',
        natsServer: (n) => `nats-${n - 1}.nats-headless`,
      }
    : { databaseHost: 'postgres', adminRole: 'postgres', natsServer: (n) => `nats-${n}` };
mkdirSync(folder, { recursive: true, mode: 0o700 });

/**
 * Returns the secret with this name, and creates its file if it is missing. The file is readable by all users, because containers run as
 * other users; the folder is private.
 */
function ensureSecret(name, create) {
  const file = join(folder, name);
  if (!existsSync(file)) writeFileSync(file, create(), { mode: 0o644 });
  return readFileSync(file, 'utf8').trimEnd();
}

const random = () => randomBytes(32).toString('base64url');
const databaseUrl = (role, password) => `postgres://${role}:${password}@${databaseHost}:5432/carecover`;

const admin = ensureSecret('postgres_password', random);
ensureSecret('admin_database_url', () => databaseUrl(adminRole, admin));
for (const service of ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks']) {
  ensureSecret(`${service}_database_url`, () => databaseUrl(service, random()));
}
const natsPasswords = ['benefits', 'claims', 'payments', 'webhooks', 'operator', 'server'].map((user) => {
  const password = ensureSecret(`nats_${user}_password`, random);
  return `NATS_${user.toUpperCase()}_PASSWORD: "${password}"\n`;
});
const serverPassword = ensureSecret('nats_server_password', random);
const routes = [1, 2, 3].map((n) => `"nats://server:${serverPassword}@${natsServer(n)}:6222"`);
natsPasswords.push(`NATS_ROUTES: [${routes.join(', ')}]\n`);
// The file from which the NATS servers read all passwords. It is written on every run, so that it contains changed passwords.
writeFileSync(join(folder, 'nats_passwords'), natsPasswords.join(''), { mode: 0o644 });
ensureSecret('temporal_database_password', random);
// All certificates are created together, because one certificate authority signs them and its key is not kept.
const certificates = await createTemporalCertificates();
if (Object.keys(certificates).some((name) => !existsSync(join(folder, name)))) {
  for (const [name, pem] of Object.entries(certificates))
    writeFileSync(join(folder, name), pem, { mode: 0o644 });
}
const newPrivateKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
const publicKeyOf = (privateKey) =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
const contextKeys = ['gateway', 'console', 'care', 'benefits', 'claims', 'payments'].flatMap((issuer) => {
  const keys = [ensureSecret(`context_${issuer}_key`, newPrivateKey)];
  // During a rotation, the operator keeps the next or the previous key in a second file.
  const other = join(folder, `context_${issuer}_key_other`);
  if (existsSync(other)) keys.push(readFileSync(other, 'utf8'));
  return keys.map((key) => `${issuer}:${publicKeyOf(key)}`);
});
// Written on every run, as nats_passwords is, so that it contains the keys of a rotation.
writeFileSync(join(folder, 'context_public_keys'), contextKeys.join(','), { mode: 0o644 });
ensureSecret('hash_secret', random);
ensureSecret('webhook_encryption_keys', () => `1:${randomBytes(32).toString('base64')}`);
ensureSecret('grafana_password', random);

for (const name of ['gateway_certificate', 'gateway_key']) {
  if (!existsSync(join(folder, name))) console.log(`bring your own: ${join(folder, name)} (PEM)`);
}
