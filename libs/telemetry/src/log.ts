/**
 * The logger: JSON lines on standard output, see {@link bufferedOutput}. Code must never log bodies, keys, member references or headers;
 * the logger's redaction of secrets is only an additional protection.
 */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { bufferedOutput } from './buffered-output';
import { redactSecrets } from './redact';

export type Log = Logger;

const REDACTED = [
  'authorization',
  'api_key',
  'secret_key',
  'signing_secret',
  'token',
  'password',
  'member_reference',
  'tenant_reference',
  'body',
  // The detail of a PostgreSQL error, which can quote values of a row.
  'detail',
];

/** Serializes an error as pino does, without secrets: an error's message can contain text of other programs. */
function redactedError(error: Error): unknown {
  const seen = new WeakSet<object>();
  const redact = (_key: string, value: unknown) => {
    if (typeof value === 'string') return redactSecrets(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    // An error's properties can refer to each other in a cycle, as the certificates of a failed TLS handshake do. JSON can't represent a
    // cycle, so a repeated object is replaced by a text.
    if (seen.has(value)) return '[repeated]';
    seen.add(value);
    return value;
  };
  return JSON.parse(JSON.stringify(pino.stdSerializers.err(error), redact) ?? 'null');
}

let standardOutput: DestinationStream | undefined;

function sharedOutput(): DestinationStream {
  standardOutput ??= bufferedOutput(1);
  return standardOutput;
}

/**
 * Returns whether a log line is suppressed. `level` is the line's level as a number of pino, `subject` the object that is logged with the
 * message.
 */
export type LineFilter = (log: Log, level: number, subject: unknown, message: unknown) => boolean;

/**
 * Makes a logger whose lines have the service's name.
 *
 * @param destination standard output by default
 */
export function createLog(
  service: string,
  level = 'info',
  destination = sharedOutput(),
  isSuppressed?: LineFilter,
): Log {
  const options: LoggerOptions = {
    ...(isSuppressed && {
      hooks: {
        logMethod(args, method, number) {
          if (!isSuppressed(this, number, args[0], args[1])) method.apply(this, args);
        },
      },
    }),
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Errors are redacted under both field names: Temporal's SDK logs an error as the field `error`, and Carecover as the field `err`.
    serializers: { err: redactedError, error: redactedError },
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination);
}
