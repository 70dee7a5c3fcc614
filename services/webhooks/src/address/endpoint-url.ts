/** The rules for the URL of an endpoint. Host names are not resolved here but at every connection, because their addresses can change. */
import { isIP } from 'node:net';
import { parseUrl } from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { type AddressPolicy, isAllowedAddress, isThisMachine } from './address-rules';

function reject(reason: string): never {
  throw new ApiError('webhook_url_not_allowed', `/url ${reason}`);
}

/** Returns the host of a URL in the form that connections use: an IPv6 address without brackets. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Returns the destination of a URL: its host in canonical form and its port. All spellings of a destination give the same text. */
export function destinationOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/**
 * Checks that webhooks can be sent to a URL. Other spellings of IPv4 addresses (`0x7f.1`, `2130706433`) need no check, because the URL
 * parser converts them to the usual form.
 *
 * @throws ApiError webhook_url_not_allowed
 */
export function requireEndpointUrl(text: string, policy: AddressPolicy): void {
  const url = parseUrl(text) ?? reject('is not a URL; send an https URL.');
  const host = hostOf(url);
  const isLocalAllowed = isThisMachine(host) && policy.allowLoopback;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocalAllowed)) {
    reject('must be an https URL.');
  }
  if (url.username !== '' || url.password !== '') reject('must not contain a user name or password.');
  if (text.includes('#')) reject('must not have a fragment.');
  const isPublic = isIP(host) === 0 ? !isThisMachine(host) : isAllowedAddress(host, policy);
  if (!isPublic && !isLocalAllowed) reject('must have a public host.');
}
