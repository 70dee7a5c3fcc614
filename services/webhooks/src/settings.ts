/** What the process of the webhooks service reads from its environment. */
import {
  COMMON_SETTINGS,
  type Config,
  integer,
  NATS_SETTINGS,
  secret,
  withDefault,
} from '@carecover/platform';
import { keyring } from './signing/keyring';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: secret(32),
  WEBHOOK_ENCRYPTION_KEYS: keyring,
  WEBHOOK_RETENTION_DAYS: withDefault(integer(1, 3_650), 30),
} as const;

export type Settings = Config<typeof SETTINGS>;
