/**
 * Settings of a process, read once from the environment at start. Every wrong setting is named at once, so that an
 * operator mends them in one go; a value is never printed, since it may be a secret. Any setting may instead stand in a
 * file that `<NAME>_FILE` names, as secrets do in a container.
 */
import { readFileSync } from 'node:fs';
import { CONFIG_READERS, type Reader } from './config-readers';
import { brokenRules } from './config-rules';

export type Spec = Record<string, Reader<unknown>>;
export type Config<S extends Spec> = { readonly [K in keyof S]: S[K] extends Reader<infer T> ? T : never };

/** Thrown by {@link loadConfig}: one line for each setting that is missing or wrong. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting's text, or a sentence on why it can't be had. The text of a file ends before its last line break. */
function textOf(name: string, env: Environment): { readonly text: string } | { readonly problem: string } {
  const text = env[name] ?? '';
  const file = env[`${name}_FILE`] ?? '';
  if (file === '') return { text };
  if (text !== '') return { problem: `${name} and ${name}_FILE are both set: one must go` };
  try {
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return { problem: `${name}_FILE names a file that can't be read: ${code}` };
  }
}

/**
 * Reads the settings that `spec` names, each from its variable or from the file that `<NAME>_FILE` names; an empty value
 * counts as missing. @throws ConfigError
 */
export function loadConfig<S extends Spec>(spec: S, env: Environment = process.env): Config<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(spec)) {
    const found = textOf(name, env);
    if ('problem' in found) {
      problems.push(found.problem);
      continue;
    }
    const { text } = found;
    if (text === '') {
      if (reader.fallback === undefined) problems.push(`${name} is not set: ${reader.expects}`);
      else values[name] = reader.fallback.value;
      continue;
    }
    const value = reader.read(text);
    if (value === undefined) problems.push(`${name} is not valid: ${reader.expects}`);
    else values[name] = value;
  }
  problems.push(...brokenRules(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as Config<S>;
}

export const { string, secret, integer, choice, url, urls, pemFile, optional, withDefault } = CONFIG_READERS;
export type { Reader };

/** What every process of the system needs to know. */
export const COMMON_SETTINGS = {
  CARECOVER_ENVIRONMENT: choice('sandbox', 'production'),
  CARECOVER_MODE: withDefault(choice('production', 'local', 'test'), 'production'),
  HOST: withDefault(string(), '127.0.0.1'),
  PORT: withDefault(integer(0, 65_535), 0),
  LOG_LEVEL: withDefault(choice('fatal', 'error', 'warn', 'info', 'debug', 'silent'), 'info'),
  DATABASE_URL: url('postgres:', 'postgresql:'),
  DATABASE_POOL: withDefault(integer(2, 200), 10),
  CONTEXT_SECRET: secret(32),
  /** Where spans go, as OpenTelemetry names it: the collector's address, or that of its traces alone. Neither: no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url('http:', 'https:')),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(url('http:', 'https:')),
  /** Which requests are traced; read by OpenTelemetry's SDK, and here so that a wrong name does not mean all of them. */
  OTEL_TRACES_SAMPLER: optional(
    choice(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
  ),
} as const;

/** The client passes over a user and password in an address, so they would only lie about in it. */
const natsServers: Reader<readonly string[]> = {
  ...urls('nats:', 'tls:'),
  expects: 'addresses that start with nats:// or tls://, separated by commas, without a user or password',
  read: (text) => {
    const servers = urls('nats:', 'tls:').read(text);
    return servers?.some((server) => server.includes('@')) ? undefined : servers;
  },
};

export const NATS_SETTINGS = {
  /** One server, or those of a cluster separated by commas, so that a process starts while one of them is away. */
  NATS_URL: natsServers,
  /** Of the NATS user that bears the service's name. */
  NATS_PASSWORD: secret(20),
} as const;

export const TEMPORAL_SETTINGS = {
  TEMPORAL_ADDRESS: string(),
  TEMPORAL_NAMESPACE: withDefault(string(), 'default'),
  /** For Temporal Cloud: the connection is then over TLS. */
  TEMPORAL_API_KEY: optional(secret(20)),
  /** For a server that asks for a client certificate; named as Temporal's own tools name them. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: optional(pemFile()),
  TEMPORAL_TLS_CLIENT_KEY_PATH: optional(pemFile()),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: optional(pemFile()),
  TEMPORAL_TLS_SERVER_NAME: optional(string()),
} as const;
