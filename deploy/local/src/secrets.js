Object.defineProperty(exports, '__esModule', { value: true });
exports.secretsIn = secretsIn;
/** The secrets of a local stack: made once at random, and kept where only the folder's owner can read them. */
const node_crypto_1 = require('node:crypto');
const migrate_1 = require('@carecover/platform/migrate');
const files_1 = require('./files');
const secret = () => (0, node_crypto_1.randomBytes)(32).toString('base64url');
async function secretsIn(file) {
  const known = await (0, files_1.readIfThere)(file);
  if (known !== undefined) return JSON.parse(known);
  const made = {
    postgresAdmin: secret(),
    roles: Object.fromEntries(migrate_1.SERVICES_WITH_SCHEMA.map((name) => [name, secret()])),
    context: secret(),
    hash: secret(),
    webhookKeys: `local:${(0, node_crypto_1.randomBytes)(32).toString('base64')}`,
  };
  await (0, files_1.writeWhole)(file, JSON.stringify(made, null, 2), 0o600);
  return made;
}
