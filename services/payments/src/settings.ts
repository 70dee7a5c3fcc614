/** What the process of the payments service reads from its environment. */
import { RECONCILIATION_MS } from '@carecover/contract';
import {
  COMMON_SETTINGS,
  type Config,
  integer,
  NATS_SETTINGS,
  secret,
  TEMPORAL_SETTINGS,
  urls,
  withDefault,
} from '@carecover/platform';

const MAX_WAIT_S = 3650 * 24 * 3600;

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: secret(32),
  CLAIMS_URL: urls('http:', 'https:'),
  /** How long a remittance may wait for its money, in seconds. */
  RECONCILIATION_SECONDS: withDefault(integer(1, MAX_WAIT_S), RECONCILIATION_MS / 1000),
} as const;

export type Settings = Config<typeof SETTINGS>;
