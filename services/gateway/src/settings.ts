/** What the gateway's process reads from its environment. */
import type { BlockList } from 'node:net';
import {
  COMMON_SETTINGS,
  type Config,
  integer,
  optional,
  type Reader,
  string,
  url,
  urls,
  withDefault,
} from '@carecover/platform';
import { parseNetworks } from './client-address';

const networks: Reader<BlockList> = {
  expects: 'networks in CIDR notation, separated by commas',
  read: parseNetworks,
};

export const SETTINGS = {
  ...COMMON_SETTINGS,
  CARE_URL: urls('http:'),
  BENEFITS_URL: urls('http:'),
  CLAIMS_URL: urls('http:'),
  PAYMENTS_URL: urls('http:'),
  WEBHOOKS_URL: urls('http:'),
  /** PEM files; without them a trusted proxy must end TLS. */
  TLS_CERTIFICATE: optional(string()),
  TLS_KEY: optional(string()),
  TRUSTED_PROXY: optional(networks),
  /** Health and metrics, never where outsiders reach; unset: none. */
  METRICS_PORT: optional(integer(0, 65_535)),
  METRICS_HOST: withDefault(string(), '127.0.0.1'),
  /** The origin under which clients know the API, for links in answers. Unset outside production mode: the host of the request. */
  PUBLIC_URL: optional(url('https:')),
  /** Failed attempts to present a key, of one address in one minute; unset: 600, and as good as none outside production mode. */
  UNAUTHENTICATED_LIMIT: optional(integer(1, 100_000_000)),
} as const;

export type Settings = Config<typeof SETTINGS>;
