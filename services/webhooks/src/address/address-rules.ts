/**
 * Which IP addresses webhooks can be sent to: public unicast addresses only, so that no endpoint reaches the internal network or the
 * metadata service of a cloud provider. An address that is not known to be public is rejected.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public unicast by the registries, but not on the internet: the metadata service of Azure. */
const METADATA = new Set(['168.63.129.16']);

/** The IPv6 addresses that are routed on the internet; others, such as addresses that embed an IPv4 address, are not. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export interface AddressPolicy {
  /** Permits receivers on this machine, also by plain HTTP; only for the local stack. */
  readonly allowLoopback: boolean;
}

/** Whether connections to the address (IPv4 or IPv6 in text form, without zone) are allowed. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** Whether the host is this machine: localhost (RFC 6761) or a loopback address. */
export function isThisMachine(host: string): boolean {
  if (isIP(host) !== 0) return ipaddr.parse(host).range() === 'loopback';
  return /^(.+\.)?localhost\.?$/i.test(host);
}
