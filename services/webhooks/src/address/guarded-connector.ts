/**
 * Connects to receivers and checks the address of every connection, because a host name that was public when the endpoint was registered
 * can later resolve to an internal address (DNS rebinding).
 *
 * Failure policy: closed. Connections are opened only to the allowed addresses of a name. A connection whose remote address is not allowed
 * is destroyed before any byte is sent.
 */
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressPolicy, isAllowedAddress, isThisMachine } from './address-rules';

/** Resolves a host name to its IPv4 and IPv6 addresses. @throws Error if the name has none or can't be resolved */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  readonly code = 'ADDRESS_NOT_ALLOWED';
}

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];
const CONNECT_TIMEOUT_MS = 15_000;
/** Timeout per address of a host that has several: enough for a distant host even if one packet is lost and sent again. */
const ADDRESS_TIMEOUT_MS = 4_000;

/**
 * Returns a resolver that queries the name servers directly. The resolver of the operating system has few threads, which a few names
 * without response would block.
 */
export function dnsResolver(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const [first] = results;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

function guardedLookup(policy: AddressPolicy, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const found = isThisMachine(hostname) ? Promise.resolve(LOOPBACK_ADDRESSES) : resolve(hostname);
    found
      .then((addresses) => {
        const allowed = addresses
          .filter((address) => isAllowedAddress(address, policy))
          .map((address) => ({ address, family: isIP(address) }));
        const [first] = allowed;
        if (first === undefined) throw new AddressNotAllowed('the host name has no allowed address');
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

/** Returns a connector for the HTTP client undici. @param ca certificates in PEM that are trusted in addition to the default ones */
export function guardedConnector(
  policy: AddressPolicy,
  resolve: ResolveName,
  ca?: string,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    lookup: guardedLookup(policy, resolve),
    ...(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) {
      callback(new AddressNotAllowed('the address is not allowed'), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (!isAllowedAddress(socket.remoteAddress ?? '', policy)) {
        const rejection = new AddressNotAllowed('the remote address is not allowed');
        socket.destroy(rejection);
        callback(rejection, null);
      } else {
        callback(null, socket);
      }
    });
  };
}
