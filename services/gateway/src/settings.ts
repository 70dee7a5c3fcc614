/** The settings of the gateway process, from environment variables. */
import { COMMON_SETTINGS, type Config, ISSUER_SETTINGS, setting } from '@carecover/config';
import { networksSetting } from '@carecover/http';

export const SETTINGS = {
  ...COMMON_SETTINGS,
  ...ISSUER_SETTINGS,
  CARE_URL: setting.urls('http:'),
  BENEFITS_URL: setting.urls('http:'),
  CLAIMS_URL: setting.urls('http:'),
  PAYMENTS_URL: setting.urls('http:'),
  WEBHOOKS_URL: setting.urls('http:'),
  /** The certificate and its key, PEM files. Without them a trusted proxy must terminate TLS. */
  TLS_CERTIFICATE: setting.optional(setting.pemFile()),
  TLS_KEY: setting.optional(setting.pemFile()),
  TRUSTED_PROXY: setting.optional(networksSetting),
  /** The port of health and metrics, which must not be public; unset: they are not served. */
  METRICS_PORT: setting.optional(setting.integer(0, 65_535)),
  METRICS_HOST: setting.withDefault(setting.string(), '127.0.0.1'),
  /** The port of the operators' routes, which only the console calls; unset: they are not served. */
  OPERATOR_PORT: setting.optional(setting.integer(0, 65_535)),
  OPERATOR_HOST: setting.withDefault(setting.string(), '127.0.0.1'),
  /** The networks from which the console connects to that port; unset: every address. */
  CONSOLE_NETWORKS: setting.optional(networksSetting),
  /** The public origin of the API, for links in responses. If unset, which production mode rejects, links have the host of the request. */
  PUBLIC_URL: setting.optional(setting.url('https:')),
  /** The origin of the console, for the answers to agents that can't ask a person. If unset, the answers name only the path of the page. */
  CONSOLE_PUBLIC_URL: setting.optional(setting.url('https:', 'http:')),
  /** Maximum number of requests without a valid key per address and minute. If unset: 600 in production mode, otherwise 1,000,000. */
  UNAUTHENTICATED_LIMIT: setting.optional(setting.integer(1, 100_000_000)),
  /** Average processor time in milliseconds that each request of a project's rate limit may cost. */
  REQUEST_COST_MS: setting.withDefault(setting.integer(1, 10_000), 30),
  /** Maximum number of one project's reads, and of its commands, in progress per replica of a service. */
  PROJECT_REQUESTS: setting.withDefault(setting.integer(1, 32), 16),
  /** Maximum number of one project's long answers, and of its files, in progress per replica of a service. */
  PROJECT_LONG_REQUESTS: setting.withDefault(setting.integer(1, 16), 2),
  /** How long an expired token is kept, to show what the token that a fact names could do. */
  TOKEN_RETENTION_DAYS: setting.withDefault(setting.integer(1, 3_650), 30),
} as const;

export type Settings = Config<typeof SETTINGS>;
