/**
 * Who is at the other end, where a proxy may stand between. Only a proxy named by a setting is believed; anybody else's
 * forwarding headers are ignored.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A list of networks in CIDR notation, separated by commas (a bare address is a network of one); undefined if it isn't one. */
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

/** Addresses of which is remembered whether they are a proxy's: a look-up in the list costs fifty times as much. */
const REMEMBERED = 1_000;

export class ClientAddress {
  private readonly known = new Map<string, boolean>();

  /** @param proxies whose X-Forwarded-* headers are believed; null for nobody's */
  constructor(private readonly proxies: BlockList | null) {}

  /** Whether the request came over TLS all the way: to us, or to a believed proxy that says so. */
  isSecure(request: IncomingMessage): boolean {
    const encrypted = (request.socket as TLSSocket).encrypted === true;
    if (!this.isProxy(request.socket.remoteAddress)) return encrypted;
    const forwarded = request.headers['x-forwarded-proto'];
    return forwarded === undefined ? encrypted : String(forwarded).trim().toLowerCase() === 'https';
  }

  /** The client's address: the last one in X-Forwarded-For that is not itself a believed proxy's. An IPv6 address is its /64 network. */
  of(request: IncomingMessage): string {
    let address = request.socket.remoteAddress ?? '';
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (this.isProxy(address)) {
      const next = forwarded.pop()?.trim() ?? '';
      if (isIP(next) === 0) break;
      address = next;
    }
    return networkOf(address);
  }

  /** Whose connection it is, as {@link of} names addresses; null where a believed proxy's, behind which many stand. */
  ofConnection(socket: Socket): string | null {
    const address = socket.remoteAddress ?? '';
    return this.isProxy(address) ? null : networkOf(address);
  }

  private isProxy(address: string | undefined): boolean {
    if (this.proxies === null || address === undefined) return false;
    let isProxy = this.known.get(address);
    if (isProxy === undefined) {
      isProxy = contains(this.proxies, withoutMapping(address));
      if (this.known.size >= REMEMBERED) this.known.clear();
      this.known.set(address, isProxy);
    }
    return isProxy;
  }
}

/** An IPv4 address that comes in IPv6's clothes. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** A host with an IPv6 address has 2^64 of them, so a /64 network counts as one address. */
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
