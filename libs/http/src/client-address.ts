/**
 * Finds the address of a client that is connected directly or through a proxy. X-Forwarded-* headers are used only from the trusted
 * proxies, which a setting names.
 */
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { SettingReader } from '@carecover/config';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { all as forwardedAddresses } from 'proxy-addr';

/** A network: an address, and the number of leading bits that all addresses of the network share. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses networks in CIDR notation, separated by commas; a single address is a network too. Returns undefined for other text. */
export function parseNetworks(text: string): readonly Network[] | undefined {
  const networks: Network[] = [];
  for (const part of text.split(',').map((item) => item.trim())) {
    const network = part.includes('/') ? part : `${part}/${isIPv4(part) ? 32 : 128}`;
    if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(network) && !ipaddr.IPv6.isValidCIDR(network))
      return undefined;
    networks.push(ipaddr.parseCIDR(network));
  }
  return networks;
}

/** Reads the networks of the trusted proxies from a setting. */
export const networksSetting: SettingReader<readonly Network[]> = {
  expects: 'networks in CIDR notation, separated by commas',
  read: parseNetworks,
};

/** Returns whether an IP address is in one of the networks. An IPv4-mapped IPv6 address counts as the IPv4 address. */
export function isInNetworks(text: string, networks: readonly Network[]): boolean {
  // ipaddr.js also accepts notations that other programs read differently, such as octal numbers.
  if (isIP(text) === 0) return false;
  const address = ipaddr.process(text);
  return networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

/** A client or a proxy, identified by the address of its connection or by an entry in X-Forwarded-For. */
interface Peer {
  readonly isProxy: boolean;
  /** The IPv4 address, or the /64 network of an IPv6 address: one host can use all 2^64 addresses of the network. */
  readonly network: string;
}

const MAX_CACHED = 1_000;

export class ClientAddress {
  private readonly peers = new LRUCache<string, Peer>({ max: MAX_CACHED });

  /** Reads addresses of clients. @param proxies the trusted proxies, whose X-Forwarded-* headers are used; null: none */
  constructor(private readonly proxies: readonly Network[] | null) {}

  /** Returns whether the request arrived over TLS, at this process or, by X-Forwarded-Proto, at a trusted proxy. */
  isSecure(request: IncomingMessage): boolean {
    const encrypted = (request.socket as TLSSocket).encrypted === true;
    if (!this.peer(request.socket.remoteAddress).isProxy) return encrypted;
    const forwarded = request.headers['x-forwarded-proto'];
    return forwarded === undefined ? encrypted : String(forwarded).trim().toLowerCase() === 'https';
  }

  /** Returns the client's address: the last one in X-Forwarded-For that is not a trusted proxy's. An IPv6 address is its /64 network. */
  addressOf(request: IncomingMessage): string {
    const connected = this.peer(request.socket.remoteAddress);
    if (!connected.isProxy) return connected.network;
    const addresses = forwardedAddresses(request, (address) => this.peer(address).isProxy);
    // The search stops at an entry that is not an IP address: the client is then the trusted proxy that added this entry.
    return this.peer(addresses.findLast((address) => isIP(address) !== 0)).network;
  }

  /** Returns the address of a connection in the form of {@link addressOf}; null for a trusted proxy, because many clients share it. */
  addressOfConnection(socket: Socket): string | null {
    const { isProxy, network } = this.peer(socket.remoteAddress);
    return isProxy ? null : network;
  }

  private peer(address = ''): Peer {
    // ipaddr.js also accepts notations that other programs read differently, such as octal numbers.
    if (isIP(address) === 0) return { isProxy: false, network: address };
    let peer = this.peers.get(address);
    if (peer === undefined) {
      peer = describePeer(address, this.proxies ?? []);
      this.peers.set(address, peer);
    }
    return peer;
  }
}

function describePeer(text: string, proxies: readonly Network[]): Peer {
  // An IPv4-mapped IPv6 address becomes the IPv4 address.
  const address = ipaddr.process(text);
  return {
    isProxy: isInNetworks(text, proxies),
    network:
      address instanceof ipaddr.IPv6 ? `${hexadecimal(address.parts.slice(0, 4))}::/64` : address.toString(),
  };
}

function hexadecimal(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
