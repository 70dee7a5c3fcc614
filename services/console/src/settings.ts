/** The settings of the console process, from environment variables. */
import { COMMON_SETTINGS, type Config, ISSUER_SETTINGS, setting } from '@carecover/config';
import { networksSetting } from '@carecover/http';

const { DATABASE_URL: _url, DATABASE_POOL: _pool, ...common } = COMMON_SETTINGS;

export const SETTINGS = {
  // The settings that all services share, without those of the database, which the console does not have.
  ...common,
  ...ISSUER_SETTINGS,
  /** The address of the gateway's operators' routes, whose port is the gateway's OPERATOR_PORT. */
  GATEWAY_URL: setting.urls('http:'),
  CARE_URL: setting.urls('http:'),
  BENEFITS_URL: setting.urls('http:'),
  CLAIMS_URL: setting.urls('http:'),
  PAYMENTS_URL: setting.urls('http:'),
  WEBHOOKS_URL: setting.urls('http:'),
  /** The public origin of the console. In production mode it starts with https://. */
  CONSOLE_URL: setting.url('https:', 'http:'),
  OIDC_ISSUER: setting.url('https:', 'http:'),
  OIDC_CLIENT_ID: setting.string(),
  OIDC_CLIENT_SECRET: setting.secret(20),
  /** The claim of the ID token that lists the person's roles. */
  OIDC_ROLES_CLAIM: setting.withDefault(setting.string(), 'roles'),
  /** The certificate and its key, PEM files. Without them a proxy must terminate TLS. */
  TLS_CERTIFICATE: setting.optional(setting.pemFile()),
  TLS_KEY: setting.optional(setting.pemFile()),
  /** The proxies whose X-Forwarded-For names the client, by which requests without a session and failed sign-ins are limited. */
  TRUSTED_PROXY: setting.optional(networksSetting),
  /** The port of health and metrics, which must not be public; unset: they are not served. */
  METRICS_PORT: setting.optional(setting.integer(0, 65_535)),
  METRICS_HOST: setting.withDefault(setting.string(), '127.0.0.1'),
  /** The address of Temporal's UI, for links to workflows. */
  TEMPORAL_UI_URL: setting.optional(setting.url('https:', 'http:')),
} as const;

export type Settings = Config<typeof SETTINGS>;
