/** Signatures by the Standard Webhooks specification, so that receivers can use the libraries that there are. */
import { createHmac, randomBytes } from 'node:crypto';
import { credentialPrefixes } from '@carecover/contract';

/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** A new signing secret, as its owner sees it. */
export function newSigningSecret(): string {
  return `${credentialPrefixes.signingSecret}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * The three headers of one try. While a rotation lasts each live secret signs, the newest first; a receiver accepts any.
 *
 * @param at the time of this try, whose seconds are signed, so that an old try can't be played again
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
