/**
 * The one logger: JSON lines on standard output. Bodies, keys, member references and headers are never given to it;
 * the redaction below is the second line of defence, not the first.
 *
 * Lines go out together, since each write costs as much as a good part of a request: within a fraction of a second, or at
 * once where one is a warning or worse. A process that is killed takes its last such fraction of mere information with it.
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
  // PostgreSQL's words about the values that it refused.
  'detail',
];

const GATHERED_BYTES = 4_096;
const GATHERED_MS = 200;
const WARNING = 40;

/** Standard output, some lines at a time; all of them are out when the process exits. */
function gatheringOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: GATHERED_BYTES });
  setInterval(() => output.flush(), GATHERED_MS).unref();
  process.on('exit', () => output.flushSync());
  return {
    // With it pino tells each line's level.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line);
      if (this.lastLevel >= WARNING) output.flush();
    },
  } as DestinationStream & { lastLevel: number };
}

/** An error as pino writes it, without the secrets that its words repeat: errors are where others' texts come in. */
function redactedError(error: Error): unknown {
  const seen = new WeakSet<object>();
  const redact = (_key: string, value: unknown) => {
    if (typeof value === 'string') return redactSecrets(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null) return value;
    // An error's properties may refer to each other, as the certificates of a failed TLS handshake do.
    if (seen.has(value)) return '[repeated]';
    seen.add(value);
    return value;
  };
  return JSON.parse(JSON.stringify(pino.stdSerializers.err(error), redact) ?? 'null');
}

let standardOutput: DestinationStream | undefined;

function outputOnce(): DestinationStream {
  standardOutput ??= gatheringOutput();
  return standardOutput;
}

/** Whether a line is not to be written; given the logger, the level's number, what the line has beside its message, and that. */
export type LineFilter = (log: Log, level: number, subject: unknown, message: unknown) => boolean;

/** A logger whose every line names the service; to standard output unless told where. */
export function createLog(
  service: string,
  level = 'info',
  destination = outputOnce(),
  isLeftOut?: LineFilter,
): Log {
  const options: LoggerOptions = {
    ...(isLeftOut && {
      hooks: {
        logMethod(args, method, number) {
          if (!isLeftOut(this, number, args[0], args[1])) method.apply(this, args);
        },
      },
    }),
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    // As the engine's own lines name it; ours say `err`, which pino knows by itself.
    serializers: { err: redactedError, error: redactedError },
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination);
}
