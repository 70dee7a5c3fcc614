/**
 * The one logger: JSON lines on standard output. Bodies, keys, member references and headers are never given to it;
 * the redaction below is the second line of defence, not the first.
 */
import pino, { type DestinationStream, type Logger } from 'pino';

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

/** A logger whose every line names the service. */
export function createLog(
  service: string,
  level = 'info',
  destination: DestinationStream = pino.destination(1),
): Log {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  };
  return pino(options, destination);
}
