/** The settings of the local stack, which are all optional. An invalid value is an error and is never replaced by the default. */
import { join, resolve } from 'node:path';
import { ConfigError, loadConfig, setting } from '@carecover/config';
import { StartFailure } from './failure';
import { REPOSITORY } from './home';

const PORT = setting.optional(setting.integer(1, 65_535));

const SETTINGS = {
  CARECOVER_HOME: setting.withDefault(setting.string(), join(REPOSITORY, '.carecover')),
  CARECOVER_PORT: PORT,
  CARECOVER_CONSOLE_PORT: PORT,
  CARECOVER_TEMPORAL_PORT: PORT,
  CARECOVER_NATS_PORT: PORT,
  CARECOVER_POSTGRES_PORT: PORT,
} as const;

export type PortSetting = Exclude<keyof typeof SETTINGS, 'CARECOVER_HOME'>;

export interface LocalSettings {
  homeFolder: string;
  ports: Readonly<Record<PortSetting, number | null>>;
}

/** Reads the settings of the local stack from the environment. @throws StartFailure that names every invalid setting */
export function localSettings(env: NodeJS.ProcessEnv = process.env): LocalSettings {
  try {
    const { CARECOVER_HOME, ...ports } = loadConfig(SETTINGS, env);
    return { homeFolder: resolve(CARECOVER_HOME), ports };
  } catch (error) {
    if (error instanceof ConfigError) throw new StartFailure(error.message, { cause: error });
    throw error;
  }
}
