/**
 * Verifies a webhook by the Standard Webhooks specification: an HMAC-SHA256 over `id.timestamp.body`, compared in constant
 * time, within five minutes of now. Closed: whatever can't be verified throws.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Event } from './generated/types';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function header(headers: Headers, name: string): string {
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (text === undefined || text === '') throw new WebhookVerificationError(`the header ${name} is missing`);
  return text;
}

/**
 * The event of a webhook, if it is genuine.
 *
 * @param body the exact bytes or text received, before any parsing
 * @param secret the endpoint's signing secret, `whsec_…`
 * @param nowMs epoch milliseconds
 * @throws WebhookVerificationError
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers,
  secret: string,
  nowMs = Date.now(),
): Event {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  const age = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) throw new WebhookVerificationError('the timestamp is too far from now');
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  const key = Buffer.from(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret,
    'base64',
  );
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest();
  const genuine = signatures.some((signature) => {
    const [version, value = ''] = signature.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!genuine) throw new WebhookVerificationError('no signature fits');
  return JSON.parse(text);
}
