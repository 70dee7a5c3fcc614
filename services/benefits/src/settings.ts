/** What the benefits process reads from its environment. */
import { COMMON_SETTINGS, secret, TEMPORAL_SETTINGS, url, urls } from '@carecover/platform';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  HASH_SECRET: secret(32),
  CARE_URL: urls('http:'),
  NATS_URL: url('nats:', 'tls:'),
} as const;
