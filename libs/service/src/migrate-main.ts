/**
 * The job that migrates the database before a release starts. The password of each service's login role is read from that service's
 * database URL, so that it is configured once.
 */
import { type Config, loadConfig, setting } from '@carecover/config';
import { type MigrateOptions, migrate } from '@carecover/setup/migrate';
import { createLog } from '@carecover/telemetry';
import { redactSecrets } from '@carecover/telemetry/redact';

const databaseUrl = () => setting.url('postgres:', 'postgresql:');

export const MIGRATE_SETTINGS = {
  /** Database URL of a superuser, or of the database's owner with the attributes CREATEROLE and CREATEDB. */
  CARECOVER_ADMIN_DATABASE_URL: databaseUrl(),
  GATEWAY_DATABASE_URL: databaseUrl(),
  CARE_DATABASE_URL: databaseUrl(),
  BENEFITS_DATABASE_URL: databaseUrl(),
  CLAIMS_DATABASE_URL: databaseUrl(),
  PAYMENTS_DATABASE_URL: databaseUrl(),
  WEBHOOKS_DATABASE_URL: databaseUrl(),
  /** It is a setting of this job, because the gateway's role must not be able to shorten the retention of its audit log. */
  AUDIT_RETENTION_DAYS: setting.withDefault(setting.integer(365, 36_500), 3_650),
} as const;

const passwordIn = (text: string) => decodeURIComponent(new URL(text).password);

export function migrateOptions(settings: Config<typeof MIGRATE_SETTINGS>): MigrateOptions {
  return {
    adminUrl: settings.CARECOVER_ADMIN_DATABASE_URL,
    testClock: false,
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
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
  log.info('the database has the current schema');
}

if (require.main === module) {
  main().catch((error: unknown) => {
    process.stderr.write(
      redactSecrets(`migrate: ${error instanceof Error ? error.message : String(error)}\n`),
    );
    process.exitCode = 1;
  });
}
