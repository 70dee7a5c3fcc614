var __importDefault =
  (this && this.__importDefault) || ((mod) => (mod && mod.__esModule ? mod : { default: mod }));
Object.defineProperty(exports, '__esModule', { value: true });
exports.createTestDatabase = createTestDatabase;
/** A fresh, migrated database for a suite, copied from a template that the run's first suite of that kind makes. */
const node_crypto_1 = require('node:crypto');
const migrate_1 = require('@carecover/platform/migrate');
const postgres_1 = __importDefault(require('postgres'));
const test_cluster_1 = require('./test-cluster');
const PASSWORD = 'test';
/** Held while a template is made, so that it is made once. */
const TEMPLATE_LOCK = 4_120_771;
async function createTestDatabase(options) {
  const cluster = clusterUrl();
  const name = `test_${(0, node_crypto_1.randomBytes)(6).toString('hex')}`;
  const template = await ensureTemplate(cluster, [...options.services].sort(), options.mode ?? 'test');
  await asAdmin(cluster, (sql) => sql`create database ${sql(name)} template ${sql(template)}`);
  const adminUrl = withDatabase(cluster, name);
  return {
    name,
    adminUrl,
    url: (service) => {
      const url = new URL(adminUrl);
      url.username = service;
      url.password = PASSWORD;
      return url.href;
    },
    setClockOffset: (offsetMs) =>
      asAdmin(adminUrl, (sql) => sql`update platform.clock_offset set ms = ${offsetMs}`),
    drop: () => asAdmin(cluster, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}
async function ensureTemplate(cluster, services, mode) {
  const hash = (0, node_crypto_1.createHash)('sha256')
    .update(JSON.stringify([services, mode]))
    .digest('hex')
    .slice(0, 12);
  const name = `template_${hash}`;
  await asAdmin(cluster, async (sql) => {
    await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
    const known = await sql`select 1 from pg_database where datname = ${name}`;
    if (known.length > 0) return;
    await sql`create database ${sql(name)}`;
    try {
      await (0, migrate_1.migrate)({
        adminUrl: withDatabase(cluster, name),
        testClock: mode === 'test',
        services,
        passwords: Object.fromEntries(migrate_1.SERVICES_WITH_SCHEMA.map((service) => [service, PASSWORD])),
      });
    } catch (error) {
      await sql`drop database ${sql(name)} with (force)`;
      throw error;
    }
  });
  return name;
}
/** Runs statements on one connection of its own, so that whatever it locked is released with it. */
async function asAdmin(url, work) {
  const sql = (0, postgres_1.default)(url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end();
  }
}
function clusterUrl() {
  const url = process.env[test_cluster_1.CLUSTER_SETTING];
  if (url === undefined) throw new Error("There is no test cluster: jest's globalSetup has not run.");
  return url;
}
function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = name;
  return changed.href;
}
