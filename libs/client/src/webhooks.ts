/**
 * Verifies a webhook by the Standard Webhooks specification: an HMAC-SHA256 over `id.timestamp.body`, compared in constant
 * time, within five minutes of now. By the Web Crypto API, so in every runtime. Closed: whatever can't be verified throws.
 */
import type { Event } from './generated/types.ts';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** Headers as Node's servers or as the Fetch API give them. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'object' ? value?.[0] : value;
  if (text === undefined || text === '') throw new WebhookVerificationError(`the header ${name} is missing`);
  return text;
}

/** The bytes of a base64 text; null where it is none. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function importSecret(secret: string) {
  const bytes = fromBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  if (bytes === null || bytes.length === 0) {
    throw new WebhookVerificationError('the secret is not a signing secret (whsec_…)');
  }
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
}

/**
 * The event of a webhook, if it is genuine.
 *
 * @param body the exact bytes or text received, before any parsing
 * @param secret the endpoint's signing secret, `whsec_…`
 * @param nowMs epoch milliseconds
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  nowMs = Date.now(),
): Promise<Event> {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError('the timestamp is too far from now');
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await importSecret(secret);
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    const given = version === 'v1' ? fromBase64(value) : null;
    if (given !== null && (await crypto.subtle.verify('HMAC', key, given, signed))) return JSON.parse(text);
  }
  throw new WebhookVerificationError('no signature fits');
}
