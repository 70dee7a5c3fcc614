/**
 * The client's address, directly or behind a proxy. The forwarding headers of a trusted proxy, which a setting names, are used;
 * those of any other peer are ignored.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Parses networks in CIDR notation, separated by commas; an address alone is a network of one. Returns undefined for other text. */
export function parseNetworks(text: string): BlockList | undefined {
  const networks = new BlockList();
  for (const part of text.split(',').map((item) => item.trim())) {
    const [address = '', bits, ...rest] = part.split('/');
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(prefix <= longest)) return undefined;
    networks.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}

function contains(networks: BlockList, address: string): boolean {
  return isIP(address) !== 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Addresses in the cache of {@link ClientAddress}: a lookup in the block list costs fifty times as much. */
const MAX_CACHED = 1_000;

export class ClientAddress {
  private readonly isProxyByAddress = new Map<string, boolean>();

  /** @param proxies the trusted proxies, whose X-Forwarded-* headers are used; null: none */
  constructor(private readonly proxies: BlockList | null) {}

  /** Returns whether the request came over TLS to this process, or to a trusted proxy according to its header. */
  isSecure(request: IncomingMessage): boolean {
    const encrypted = (request.socket as TLSSocket).encrypted === true;
    if (!this.isProxy(request.socket.remoteAddress)) return encrypted;
    const forwarded = request.headers['x-forwarded-proto'];
    return forwarded === undefined ? encrypted : String(forwarded).trim().toLowerCase() === 'https';
  }

  /** Returns the client's address: the last one in X-Forwarded-For that is not a trusted proxy's. An IPv6 address is its /64 network. */
  addressOf(request: IncomingMessage): string {
    let address = request.socket.remoteAddress ?? '';
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (this.isProxy(address)) {
      const next = forwarded.pop()?.trim() ?? '';
      if (isIP(next) === 0) break;
      address = next;
    }
    return networkOf(address);
  }

  /** Returns the address of a connection in the form of {@link addressOf}; null for a trusted proxy, because many clients share it. */
  addressOfConnection(socket: Socket): string | null {
    const address = socket.remoteAddress ?? '';
    return this.isProxy(address) ? null : networkOf(address);
  }

  private isProxy(address: string | undefined): boolean {
    if (this.proxies === null || address === undefined) return false;
    let isProxy = this.isProxyByAddress.get(address);
    if (isProxy === undefined) {
      isProxy = contains(this.proxies, withoutMapping(address));
      if (this.isProxyByAddress.size >= MAX_CACHED) this.isProxyByAddress.clear();
      this.isProxyByAddress.set(address, isProxy);
    }
    return isProxy;
  }
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address unchanged. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** Returns the /64 network of an IPv6 address: one host can use all 2^64 addresses of it. */
function networkOf(given: string): string {
  const address = withoutMapping(given);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const front = head.split(':').filter((group) => group !== '');
  const back = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(Math.max(0, zeros)).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
