/** The environment variables of the care service. */
import { COMMON_SETTINGS, type Config, secret, urls } from '@carecover/platform';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  HASH_SECRET: secret(32),
  BENEFITS_URL: urls('http:', 'https:'),
} as const;

export type Settings = Config<typeof SETTINGS>;
