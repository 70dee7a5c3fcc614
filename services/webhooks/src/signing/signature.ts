/** Signatures by the Standard Webhooks specification (standardwebhooks.com), which receivers can verify with existing libraries. */
import { createHmac, randomBytes } from 'node:crypto';
import { credentialPrefixes } from '@carecover/contract';

/** Length of a signing secret in bytes. The Standard Webhooks specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** Generates a signing secret in the form that the API returns. */
export function newSigningSecret(): string {
  return `${credentialPrefixes.signingSecret}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the three signature headers of one attempt. After a rotation every secret that is still valid signs, and a receiver accepts one
 * of the signatures.
 *
 * @param at the time of the attempt; it is signed, so that receivers can reject a copy of an old request
 * @param secrets the valid signing secrets, the newest first
 */
export function signatureHeaders(
  eventId: string,
  payload: string,
  at: Date,
  secrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${eventId}.${timestamp}.${payload}`;
  const sign = (secret: string) => {
    const key = Buffer.from(secret.slice(credentialPrefixes.signingSecret.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };
  return {
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}
