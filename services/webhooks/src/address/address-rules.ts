/**
 * The rules for IP addresses to which webhooks can be sent: only public unicast addresses, so that no webhook reaches the internal network
 * or the metadata service of a cloud provider. An address that is not known to be public is rejected.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that are public by the IANA registries but are rejected: the metadata service of Azure. */
const METADATA = new Set(['168.63.129.16']);

/** The only IPv6 addresses that are routed on the internet. Others, such as those that embed an IPv4 address, are rejected. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export interface AddressPolicy {
  /** Whether receivers on this machine are permitted, by plain HTTP too. True only in the local stack and tests. */
  readonly allowLoopback: boolean;
}

/** Returns whether webhooks can be sent to an address (IPv4 or IPv6 in text form, without zone). */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** Returns whether a host is this machine: localhost (RFC 6761) or a loopback address. */
export function isThisMachine(host: string): boolean {
  if (isIP(host) !== 0) return ipaddr.parse(host).range() === 'loopback';
  return /^(.+\.)?localhost\.?$/i.test(host);
}
