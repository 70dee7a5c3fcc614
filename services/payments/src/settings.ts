/** Settings of the payments service beyond those of every service. */
import { RECONCILIATION_MS } from '@carecover/contract';
import { COMMON_SETTINGS, integer, secret, TEMPORAL_SETTINGS, url, withDefault } from '@carecover/platform';

const MAX_WAIT_S = 3650 * 24 * 3600;

export const settings = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  HASH_SECRET: secret(32),
  NATS_URL: url('nats:', 'tls:'),
  /** How long a remittance may wait for its money, in seconds. */
  RECONCILIATION_SECONDS: withDefault(integer(1, MAX_WAIT_S), RECONCILIATION_MS / 1000),
} as const;
