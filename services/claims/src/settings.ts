/** Settings of the claims service, read from the environment. */
import { COMMAND_SETTINGS } from '@carecover/commands';
import {
  COMMON_SETTINGS,
  type Config,
  ISSUER_SETTINGS,
  NATS_SETTINGS,
  setting,
  TEMPORAL_SETTINGS,
} from '@carecover/config';
import { WORKFLOW_SIGNAL_SETTINGS } from '@carecover/temporal';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...ISSUER_SETTINGS,
  ...TEMPORAL_SETTINGS,
  ...WORKFLOW_SIGNAL_SETTINGS,
  ...COMMAND_SETTINGS,
  ...NATS_SETTINGS,
  HASH_SECRET: setting.secret(32),
  CARE_URL: setting.urls('http:', 'https:'),
  BENEFITS_URL: setting.urls('http:', 'https:'),
  PAYMENTS_URL: setting.urls('http:', 'https:'),
  /** Maximum number of lines of bulk jobs in progress, of one job and of all jobs of a process: the share of bulk jobs. */
  BULK_LINES_AT_ONCE: setting.withDefault(setting.integer(1, 64), 4),
  /** For how many days the results of an ended bulk job are kept. */
  BULK_RESULT_RETENTION_DAYS: setting.withDefault(setting.integer(1, 3_650), 30),
  /** How long an ended valuation run is kept; unset: for ever. */
  VALUATION_RUN_RETENTION_DAYS: setting.optional(setting.integer(1, 36_500)),
} as const;

export type Settings = Config<typeof SETTINGS>;
