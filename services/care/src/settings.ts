/** The environment variables of the care service. */
import { COMMON_SETTINGS, type Config, ISSUER_SETTINGS, setting } from '@carecover/config';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...ISSUER_SETTINGS,
  HASH_SECRET: setting.secret(32),
  BENEFITS_URL: setting.urls('http:', 'https:'),
} as const;

export type Settings = Config<typeof SETTINGS>;
