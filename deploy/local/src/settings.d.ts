declare const SETTINGS: {
  readonly CARECOVER_HOME: import('@carecover/platform').Reader<string>;
  readonly CARECOVER_PORT: import('@carecover/platform').Reader<number | null>;
  readonly CARECOVER_TEMPORAL_PORT: import('@carecover/platform').Reader<number | null>;
  readonly CARECOVER_NATS_PORT: import('@carecover/platform').Reader<number | null>;
  readonly CARECOVER_POSTGRES_PORT: import('@carecover/platform').Reader<number | null>;
};
export type PortSetting = Exclude<keyof typeof SETTINGS, 'CARECOVER_HOME'>;
export interface LocalSettings {
  homeFolder: string;
  ports: Readonly<Record<PortSetting, number | null>>;
}
/** @throws StartFailure naming every setting that is wrong */
export declare function localSettings(env?: NodeJS.ProcessEnv): LocalSettings;
