/** Settings of the payments service, read from the process environment. */

import { COMMAND_SETTINGS } from '@carecover/commands';
import {
  COMMON_SETTINGS,
  type Config,
  ISSUER_SETTINGS,
  NATS_SETTINGS,
  setting,
  TEMPORAL_SETTINGS,
} from '@carecover/config';
import { RECONCILIATION_MS } from '@carecover/contract';
import { WORKFLOW_SIGNAL_SETTINGS } from '@carecover/temporal';

const MAX_WAIT_S = 3650 * 24 * 3600;

/** The setting that a command which records an advice in the service's place reads too. */
export const RECONCILIATION_SETTINGS = {
  /** Time from a remittance's creation to its deadline for settlement, in seconds. */
  RECONCILIATION_SECONDS: setting.withDefault(setting.integer(1, MAX_WAIT_S), RECONCILIATION_MS / 1000),
} as const;

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...ISSUER_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...WORKFLOW_SIGNAL_SETTINGS,
  ...COMMAND_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: setting.secret(32),
  CLAIMS_URL: setting.urls('http:', 'https:'),
  ...RECONCILIATION_SETTINGS,
} as const;

export type Settings = Config<typeof SETTINGS>;
