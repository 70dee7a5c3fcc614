/**
 * Settings of a process, read once from the environment at the start. All invalid settings are reported together, and values are
 * never printed, because they can be secrets. A setting can also be in a file, whose path is in `<NAME>_FILE`.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SettingReader, setting } from './config-readers';
import { privateKeySetting, publicKeysSetting } from './context-keys';

/** The default of WORKER_CACHED_RUNS, which fits a container with 512 MiB (docs/operators/capacity.md). */
export const DEFAULT_CACHED_RUNS = 500;

export type ConfigSpec = Record<string, SettingReader<unknown>>;
export type Config<S extends ConfigSpec> = {
  readonly [K in keyof S]: S[K] extends SettingReader<infer T> ? T : never;
};

/** Thrown by {@link loadConfig}. The message has one line per missing or invalid setting. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a setting's text, or a message if its file can't be read. The last line break of the file is removed. */
function readText(name: string, env: Environment): { readonly text: string } | { readonly problem: string } {
  const text = env[name] ?? '';
  const file = env[`${name}_FILE`] ?? '';
  if (file === '') return { text };
  if (text !== '') return { problem: `${name} and ${name}_FILE are both set: unset one of them` };
  try {
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return { problem: `${name}_FILE must be the path of a file that this process can read: ${code}` };
  }
}

/**
 * The values of settings by name: undefined if the setting is invalid or the process does not read it, null if an optional setting is
 * absent.
 */
type Values = Readonly<Record<string, unknown>>;

const CERTIFICATE = 'TEMPORAL_TLS_CLIENT_CERT_PATH';
const KEY = 'TEMPORAL_TLS_CLIENT_KEY_PATH';

/** The settings of certificates with those of their keys. */
const PAIRS = [
  [CERTIFICATE, KEY],
  ['TLS_CERTIFICATE', 'TLS_KEY'],
] as const;

function checkTemporalAuthentication(values: Values): string | null {
  const isRead = values.TEMPORAL_ADDRESS !== undefined;
  if (!isRead || values.TEMPORAL_API_KEY !== null || values[CERTIFICATE] !== null) return null;
  return `TEMPORAL_API_KEY, or ${CERTIFICATE} with ${KEY}, must be set in production mode: without them every client that reaches Temporal can control its workflows`;
}

/** Rejects a certificate without its key, a key without its certificate, and a key that belongs to another certificate. */
function checkCertificatePairs(values: Values): (string | null)[] {
  return PAIRS.map(([certificateName, keyName]) => {
    const [certificate, key] = [values[certificateName], values[keyName]];
    if (certificate === undefined || key === undefined) return null;
    if ((certificate === null) !== (key === null))
      return `${certificateName} and ${keyName} must be set together`;
    if (!Buffer.isBuffer(certificate) || !Buffer.isBuffer(key) || isPair(certificate, key)) return null;
    return `${keyName} must be the unencrypted key of the certificate in ${certificateName}`;
  });
}

function isPair(certificate: Buffer, key: Buffer): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

function checkDatabasePassword({ DATABASE_URL: address }: Values): string | null {
  if (typeof address !== 'string') return null;
  const url = new URL(address);
  if (url.password !== '' || url.searchParams.has('sslcert')) return null;
  return "DATABASE_URL must contain the role's password in production mode";
}

/**
 * Rejects the environment `production` in every mode except `production`, because the other modes relax the protection of members' data
 * and payments.
 */
function checkProductionMode({
  CARECOVER_ENVIRONMENT: environment,
  CARECOVER_MODE: mode,
}: Values): string | null {
  if (environment !== 'production' || mode === undefined || mode === 'production') return null;
  return 'CARECOVER_MODE must be production if CARECOVER_ENVIRONMENT is production';
}

/** Checks the rules that concern several settings. Returns one message per broken rule. */
function brokenRules(values: Values): string[] {
  const rules = [checkProductionMode];
  if (values.CARECOVER_MODE === 'production') rules.push(checkTemporalAuthentication, checkDatabasePassword);
  return [...checkCertificatePairs(values), ...rules.map((rule) => rule(values))].filter(
    (problem) => problem !== null,
  );
}

/**
 * Reads the settings of `spec`, each from its variable or from the file in `<NAME>_FILE`. An empty value counts as missing.
 *
 * @throws ConfigError with every missing or invalid setting
 * @example const { PORT } = loadConfig({ PORT: setting.integer(0, 65_535) });
 */
export function loadConfig<S extends ConfigSpec>(spec: S, env: Environment = process.env): Config<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(spec)) {
    const found = readText(name, env);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const { text } = found;
    if (text === '') {
      if (reader.fallback === undefined) problems.push(`${name} is not set: it must be ${reader.expects}`);
      else values[name] = reader.fallback.value;
      continue;
    }
    const value = reader.read(text);
    if (value === undefined) problems.push(`${name} is not valid: it must be ${reader.expects}`);
    else values[name] = value;
  }
  problems.push(...brokenRules(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Config<S>;
}

export { type SettingReader, setting } from './config-readers';
export { ISSUERS, type Issuer, type IssuerKeys, newPrivateKey, publicKeyOf } from './context-keys';

/** The settings of every process. */
export const COMMON_SETTINGS = {
  CARECOVER_ENVIRONMENT: setting.choice('sandbox', 'production'),
  CARECOVER_MODE: setting.withDefault(setting.choice('production', 'local', 'test'), 'production'),
  HOST: setting.withDefault(setting.string(), '127.0.0.1'),
  PORT: setting.withDefault(setting.integer(0, 65_535), 0),
  /**
   * How many milliseconds a stopping process still accepts requests, while its readiness check already fails. The default is 5,000 in
   * production mode and 0 in the other modes.
   */
  DRAIN_MS: setting.optional(setting.integer(0, 10_000)),
  LOG_LEVEL: setting.withDefault(setting.choice('fatal', 'error', 'warn', 'info', 'debug', 'silent'), 'info'),
  DATABASE_URL: setting.url('postgres:', 'postgresql:'),
  DATABASE_POOL: setting.withDefault(setting.integer(2, 200), 10),
  /** The public keys by which the process verifies who signed a context. They are the same for all processes. */
  CONTEXT_PUBLIC_KEYS: publicKeysSetting,
  /**
   * Address of the OpenTelemetry collector. OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is instead the complete address of the collector's traces
   * endpoint. Tracing is off if both settings are missing.
   */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.optional(setting.url('http:', 'https:')),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting.optional(setting.url('http:', 'https:')),
  /** The name of the sampler that OpenTelemetry's SDK uses. It is checked here, because the SDK traces every request if it is invalid. */
  OTEL_TRACES_SAMPLER: setting.optional(
    setting.choice(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  ),
} as const;

/** The settings of a process that signs contexts: all but the webhooks service. */
export const ISSUER_SETTINGS = {
  /** The issuer's own key. No other process has it. */
  CONTEXT_PRIVATE_KEY: privateKeySetting,
} as const;

/** Reads addresses of NATS servers. Rejects an address with a user or password, because the NATS client ignores both. */
const natsServers: SettingReader<readonly string[]> = {
  ...setting.urls('nats:', 'tls:'),
  expects: 'addresses that start with nats:// or tls://, separated by commas, without a user or password',
  read: (text) => {
    const servers = setting.urls('nats:', 'tls:').read(text);
    return servers?.some((server) => server.includes('@')) ? undefined : servers;
  },
};

export const NATS_SETTINGS = {
  /** The address of one server, or of the servers of a cluster separated by commas. A process starts if one of them is available. */
  NATS_URL: natsServers,
  /** Password of the NATS user with the service's name. */
  NATS_PASSWORD: setting.secret(20),
} as const;

export const TEMPORAL_SETTINGS = {
  TEMPORAL_ADDRESS: setting.string(),
  TEMPORAL_NAMESPACE: setting.withDefault(setting.string(), 'default'),
  /** The API key for Temporal Cloud. With a key, the connection uses TLS. */
  TEMPORAL_API_KEY: setting.optional(setting.headerSecret(20)),
  /** The client certificate, for a Temporal server that requires client certificates. The TLS settings have the names of Temporal's CLI. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting.optional(setting.pemFile()),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting.optional(setting.pemFile()),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting.optional(setting.pemFile()),
  TEMPORAL_TLS_SERVER_NAME: setting.optional(setting.string()),
  /** The release of a worker. With it, Temporal sends tasks only to workers of the release that `carecover temporal promote` named last. */
  WORKER_BUILD_ID: setting.optional(setting.buildId()),
  /** The number of workflow runs that a worker keeps in memory: at least as many as it executes concurrently. */
  WORKER_CACHED_RUNS: setting.withDefault(setting.integer(128, 1_000_000), DEFAULT_CACHED_RUNS),
} as const;

export { isBuildId } from './config-readers';
