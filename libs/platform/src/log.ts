/**
 * The logger: JSON lines on standard output. Code must never log bodies, keys, member references or headers; the logger's redaction of
 * secrets is only an additional protection.
 *
 * Lines are buffered for at most 200 ms, because a write takes a considerable part of the time of a request. Warnings and errors are
 * written at once, with all lines before them.
 */
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino';
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

const BUFFER_BYTES = 4_096;
const FLUSH_AFTER_MS = 200;
/** The number of pino's level `warn`. */
export const WARNING_LEVEL = 40;

/** Returns standard output with a buffer. The buffered lines are written at the latest when the process exits. */
function bufferedOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: BUFFER_BYTES });
  // The timer runs only while a line is buffered, so that an idle process has no timer.
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    output.flush();
  };
  process.on('exit', () => output.flushSync());
  return {
    // With this property, pino stores the level of each line in `lastLevel` before it calls `write`.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line);
      if (this.lastLevel >= WARNING_LEVEL) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
  } as DestinationStream & { lastLevel: number };
}

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
  standardOutput ??= bufferedOutput();
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
