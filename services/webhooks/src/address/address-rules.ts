/**
 * Which IP addresses a webhook may be sent to: public unicast ones alone, so that no receiver's address reaches into our
 * network or a cloud's metadata service. What is not known to be public is refused.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Public unicast by the registries, yet not a place on the internet: the metadata service of Azure. */
const METADATA = new Set(['168.63.129.16']);

/** IPv6 that is routed on the internet; everything else, such as addresses that embed an IPv4 one, is not. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export interface AddressPolicy {
  /** The local stack alone: receivers on this machine, also by plain HTTP. */
  readonly allowLoopback: boolean;
}

/** Whether a connection to the address (in the usual text form of either family, no zone) may be made. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  if (isIP(address) === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range === 'loopback') return policy.allowLoopback;
  if (range !== 'unicast' || METADATA.has(parsed.toString())) return false;
  return !(parsed instanceof ipaddr.IPv6) || parsed.match(GLOBAL_UNICAST);
}

/** Whether the host is this machine: localhost by RFC 6761, or a loopback address. */
export function isThisMachine(host: string): boolean {
  if (isIP(host) !== 0) return ipaddr.parse(host).range() === 'loopback';
  return /^(.+\.)?localhost\.?$/i.test(host);
}
