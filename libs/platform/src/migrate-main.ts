/**
 * Brings the database to the current schema and ends: the one-shot job that goes before a release's services. The login
 * password of each service's role is the one in that service's own database address, so each stands in one place.
 */
import { type Config, loadConfig, url } from './config';
import { createLog } from './log';
import { type MigrateOptions, migrate } from './migrate';
import { redactSecrets } from './redact';

const address = () => url('postgres:', 'postgresql:');

export const MIGRATE_SETTINGS = {
  /** As a superuser, or as the database's owner with the attributes CREATEROLE and CREATEDB. */
  CARECOVER_ADMIN_DATABASE_URL: address(),
  GATEWAY_DATABASE_URL: address(),
  CARE_DATABASE_URL: address(),
  BENEFITS_DATABASE_URL: address(),
  CLAIMS_DATABASE_URL: address(),
  PAYMENTS_DATABASE_URL: address(),
  WEBHOOKS_DATABASE_URL: address(),
} as const;

const passwordIn = (text: string) => decodeURIComponent(new URL(text).password);

export function migrateOptions(settings: Config<typeof MIGRATE_SETTINGS>): MigrateOptions {
  return {
    adminUrl: settings.CARECOVER_ADMIN_DATABASE_URL,
    testClock: false,
    passwords: {
      gateway: passwordIn(settings.GATEWAY_DATABASE_URL),
      care: passwordIn(settings.CARE_DATABASE_URL),
      benefits: passwordIn(settings.BENEFITS_DATABASE_URL),
      claims: passwordIn(settings.CLAIMS_DATABASE_URL),
      payments: passwordIn(settings.PAYMENTS_DATABASE_URL),
      webhooks: passwordIn(settings.WEBHOOKS_DATABASE_URL),
    },
  };
}

async function main(): Promise<void> {
  const log = createLog('migrate');
  await migrate(migrateOptions(loadConfig(MIGRATE_SETTINGS)));
  log.info('the database is at the current schema');
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(
      redactSecrets(`migrate: ${error instanceof Error ? error.message : String(error)}\n`),
    );
    process.exitCode = 1;
  });
}
