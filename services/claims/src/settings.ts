/** Settings of the claims service, read from the environment. */
import {
  COMMON_SETTINGS,
  type Config,
  NATS_SETTINGS,
  secret,
  TEMPORAL_SETTINGS,
  urls,
} from '@carecover/platform';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: secret(32),
  CARE_URL: urls('http:', 'https:'),
  BENEFITS_URL: urls('http:', 'https:'),
  PAYMENTS_URL: urls('http:', 'https:'),
} as const;

export type Settings = Config<typeof SETTINGS>;
