/**
 * Connects to receivers, checking the address connected to at the moment of connecting: a name that was public at
 * registration, or a second ago, can lead anywhere now.
 *
 * Failure policy: closed. Of a name's addresses only allowed ones are tried, where there is none nothing is connected,
 * and a connection that nevertheless ended elsewhere is destroyed before a byte is sent.
 */
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressPolicy, isAllowedAddress, isThisMachine } from './address-rules';

/** All addresses of a name, of both families. @throws where it has none or can't be resolved */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
  readonly code = 'ADDRESS_NOT_ALLOWED';
}

const LOOPBACK = ['127.0.0.1', '::1'];
const CONNECT_TIMEOUT_MS = 15_000;
/** For each address but the last: time for one across the world that must ask twice, and still for others. */
const ADDRESS_TIMEOUT_MS = 4_000;

/**
 * Asks the name servers without the operating system's resolver, whose few threads a handful of names that never answer
 * would occupy.
 */
export function nameServers(): ResolveName {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

function guardedLookup(policy: AddressPolicy, resolve: ResolveName): LookupFunction {
  return (hostname, options, callback) => {
    const found = isThisMachine(hostname) ? Promise.resolve(LOOPBACK) : resolve(hostname);
    found
      .then((addresses) => {
        const allowed = addresses
          .filter((address) => isAllowedAddress(address, policy))
          .map((address) => ({ address, family: isIP(address) }));
        const [first] = allowed;
        if (first === undefined) throw new AddressNotAllowed('the name has no allowed address');
        if (options.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

/** A connector for undici. @param ca certificates to trust beside the usual ones */
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
        const rejection = new AddressNotAllowed('the connection ended at an address that is not allowed');
        socket.destroy(rejection);
        callback(rejection, null);
      } else {
        callback(null, socket);
      }
    });
  };
}
