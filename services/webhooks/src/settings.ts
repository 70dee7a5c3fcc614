/** Settings of the webhooks service, read from the environment. */
import { COMMON_SETTINGS, type Config, NATS_SETTINGS, setting } from '@carecover/config';
import { keyring } from './signing/keyring';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: setting.secret(32),
  WEBHOOK_ENCRYPTION_KEYS: keyring,
  WEBHOOK_RETENTION_DAYS: setting.withDefault(setting.integer(1, 3_650), 30),
} as const;

export type Settings = Config<typeof SETTINGS>;
