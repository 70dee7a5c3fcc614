/**
 * What may be registered as an endpoint's address. Names are resolved at each connection, not here (see
 * guarded-connector): what a name means today says nothing about tomorrow.
 */
import { isIP } from 'node:net';
import { ApiError } from '@carecover/platform';
import { type AddressPolicy, isAllowedAddress, isThisMachine } from './address-rules';

function reject(reason: string): never {
  throw new ApiError('webhook_url_not_allowed', `/url ${reason}`);
}

/** The host as a connection would name it: an IPv6 address without its brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Rejects an address that no try would ever connect to. The URL parser has already made one form of the many in which an
 * IPv4 address can be written (`0x7f.1`, `2130706433`).
 *
 * @throws ApiError webhook_url_not_allowed
 */
export function assertEndpointUrl(text: string, policy: AddressPolicy): void {
  if (!URL.canParse(text)) reject('is not a web address.');
  const url = new URL(text);
  const host = hostOf(url);
  const hereAllowed = isThisMachine(host) && policy.allowLoopback;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && hereAllowed)) {
    reject('must be an https address.');
  }
  if (url.username !== '' || url.password !== '') reject('must not carry credentials.');
  if (text.includes('#')) reject('must not have a fragment.');
  const outside = isIP(host) === 0 ? !isThisMachine(host) : isAllowedAddress(host, policy);
  if (!outside && !hereAllowed) reject('must be reachable from the internet.');
}
