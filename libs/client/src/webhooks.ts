/**
 * Verifies webhooks by the Standard Webhooks specification: an HMAC-SHA256 over `id.timestamp.body` and a timestamp within five
 * minutes. Uses the Web Crypto API, which every runtime has.
 */
import { brand } from './brand.ts';
import { findSecretProblem } from './caller-input.ts';
import type { Event } from './generated/types.ts';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Thrown if the webhook was not signed with the secret, or if its timestamp is not within five minutes of now. Respond with 400. */
export class WebhookVerificationError extends Error {
  static {
    brand(WebhookVerificationError, 'WebhookVerificationError');
  }

  override readonly name = 'WebhookVerificationError';
}

/** The headers of a request in a Node server or in the Fetch API. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'object' ? value?.[0] : value;
  if (text === undefined || text === '') throw new WebhookVerificationError(`the header ${name} is required`);
  return text;
}

/** Decodes base64; returns null for invalid text. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

async function importSecret(secret: string) {
  const problem = findSecretProblem(secret);
  const text =
    problem === null && secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const bytes = problem === null ? decodeBase64(text) : null;
  if (bytes === null || bytes.length === 0) {
    throw new WebhookVerificationError(
      `the secret must be the signing secret of the endpoint (whsec_…); ${problem ?? 'it is no base64'}`,
    );
  }
  return crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify']);
}

function parseEvent(text: string): Event {
  try {
    const event = JSON.parse(text);
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) return event;
  } catch {
    // The error of the parser quotes the body.
  }
  throw new WebhookVerificationError('the body is signed, but it is no JSON object');
}

/** Returns whether the value is an ArrayBuffer of any realm, such as that of a test runner. */
const isArrayBuffer = (value: unknown) => Object.prototype.toString.call(value) === '[object ArrayBuffer]';

/**
 * Verifies a webhook's signature and timestamp, and returns its event.
 *
 * @param body the exact bytes or text of the request body, before any parsing
 * @param secret the endpoint's signing secret, `whsec_…`
 * @param nowMs epoch milliseconds
 * @throws WebhookVerificationError if the signature or the timestamp is not valid, or the body is no JSON object
 * @example const event = await verifyWebhook(await request.text(), request.headers, signingSecret);
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  nowMs = Date.now(),
): Promise<Event> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body) && !isArrayBuffer(body))
    throw new WebhookVerificationError('the body must be the unparsed text or bytes of the request');
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = requireHeader(headers, 'webhook-timestamp');
  const signatures = requireHeader(headers, 'webhook-signature').split(' ');
  const ageSeconds = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError(
      'webhook-timestamp must be within five minutes of the current time; check the clock',
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const key = await importSecret(secret);
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    const signatureBytes = version === 'v1' ? decodeBase64(value) : null;
    if (signatureBytes !== null && (await crypto.subtle.verify('HMAC', key, signatureBytes, signed)))
      return parseEvent(text);
  }
  throw new WebhookVerificationError(
    'no signature matches; check the secret, and that the body is the unparsed text',
  );
}
