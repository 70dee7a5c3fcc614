/**
 * Registers endpoints for addresses that are not public in every spelling that a URL, a resolver or another parser could read as the address:
 * each network that is not public, with each spelling, in each place of a URL.
 */
import ipaddr from 'ipaddr.js';
import { isAllowedAddress } from './address-rules';
import { requireEndpointUrl } from './endpoint-url';
import { guardedConnector } from './guarded-connector';

const production = { allowLoopback: false };

/** One or two addresses of each IPv4 network that is not public. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254'],
  'this network': ['0.0.0.0', '0.1.2.3'],
  'private 10/8': ['10.0.0.1', '10.255.255.255'],
  'private 172.16/12': ['172.16.0.1', '172.31.255.255'],
  'private 192.168/16': ['192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254'],
  'metadata of Azure': ['168.63.129.16'],
  multicast: ['224.0.0.1', '239.255.255.255'],
  reserved: ['240.0.0.1', '255.255.255.255'],
  benchmarks: ['198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '203.0.113.255'],
};

const bytesOf = (address: string) => ipaddr.IPv4.parse(address).toByteArray();
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0');
/** The last 32 bits of an IPv6 address that embeds the IPv4 address. */
const groups = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
};
const FULLWIDTH_ZERO = 0xff10;

/** The spellings of an IPv4 address as a host of a URL. */
const SPELLINGS: Readonly<Record<string, (address: string) => string>> = {
  usual: (address) => address,
  'with a final dot': (address) => `${address}.`,
  decimal: (address) => String(numberOf(address)),
  hexadecimal: (address) => `0x${hex(numberOf(address))}`,
  'capital hexadecimal': (address) => `0X${hex(numberOf(address)).toUpperCase()}`,
  octal: (address) => `0${numberOf(address).toString(8)}`,
  'hexadecimal parts': (address) =>
    bytesOf(address)
      .map((byte) => `0x${hex(byte)}`)
      .join('.'),
  'octal parts': (address) =>
    bytesOf(address)
      .map((byte) => `0${byte.toString(8)}`)
      .join('.'),
  'padded octal parts': (address) =>
    bytesOf(address)
      .map((byte) => byte.toString(8).padStart(8, '0'))
      .join('.'),
  'mixed parts': (address) =>
    bytesOf(address)
      .map((byte, index) => (index % 2 === 0 ? byte : `0x${hex(byte, 4)}`))
      .join('.'),
  'three parts': (address) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
    return `${a}.${b}.${c * 256 + d}`;
  },
  'two parts': (address) => `${bytesOf(address)[0]}.${numberOf(address) % 2 ** 24}`,
  'percent-encoded': (address) => [...address].map((char) => `%${hex(char.charCodeAt(0), 2)}`).join(''),
  'fullwidth digits': (address) =>
    address.replaceAll(/\d/g, (digit) => String.fromCharCode(FULLWIDTH_ZERO + Number(digit))),
  'circled digits': (address) =>
    address.replaceAll(/[1-9]/g, (digit) => String.fromCharCode(0x245f + Number(digit))).replaceAll('0', '⓪'),
  'ideographic full stops': (address) => address.replaceAll('.', '。'),
  'a soft hyphen within': (address) => address.replace('.', '\u00ad.'),
  'a zero-width space within': (address) => address.replace('.', '\u200b.'),
  'IPv4-mapped': (address) => `[::ffff:${address}]`,
  'IPv4-mapped in groups': (address) => `[::ffff:${groups(address)}]`,
  'IPv4-mapped, long': (address) => `[0:0:0:0:0:ffff:${groups(address)}]`,
  'IPv4-compatible': (address) => `[::${address}]`,
  'IPv4-translated': (address) => `[::ffff:0:${address}]`,
  NAT64: (address) => `[64:ff9b::${address}]`,
  'local NAT64': (address) => `[64:ff9b:1::${groups(address)}]`,
  '6to4': (address) => `[2002:${groups(address)}::1]`,
  Teredo: (address) => `[2001:0:${groups(address)}::1]`,
  ISATAP: (address) => `[fe80::5efe:${address}]`,
};

/** Places in a URL at which the host can stand, and tricks that make a reader see another host. */
const URLS: Readonly<Record<string, (host: string) => string>> = {
  plain: (host) => `https://${host}/`,
  'with a port': (host) => `https://${host}:8443/hook?a=b`,
  'in capitals': (host) => `HTTPS://${host}/`,
  'with backslashes': (host) => `https:\\\\${host}\\`,
  'with more slashes': (host) => `https:////${host}/`,
  'after a user': (host) => `https://example.com@${host}/`,
  'with a tab': (host) => `https://${host.slice(0, 2)}\t${host.slice(2)}/`,
};

const tries = Object.entries(NETWORKS).flatMap(([network, addresses]) =>
  addresses.flatMap((address) =>
    Object.entries(SPELLINGS).flatMap(([spelling, spell]) =>
      Object.values(URLS).map((place) => ({ network, address, spelling, url: place(spell(address)) })),
    ),
  ),
);

/** Returns the code of the rejection; null if the URL can be registered. */
function rejectionOf(url: string): string | null {
  try {
    requireEndpointUrl(url, production);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test('the tries are many', () => {
  expect(tries.length).toBeGreaterThan(1_200);
});

test.each(Object.keys(NETWORKS))('no spelling of an address (%s) can be registered', (network) => {
  const accepted = tries.filter(
    (each) => each.network === network && rejectionOf(each.url) !== 'webhook_url_not_allowed',
  );
  expect(accepted).toEqual([]);
});

/** Whether a spelling is an IPv6 address. */
const isIPv6Spelling = (spelling: string) => SPELLINGS[spelling]?.('8.8.8.8').startsWith('[') ?? false;

test('a public address can be registered in the same spellings, unless IPv6 embeds it', () => {
  const rejected = Object.entries(SPELLINGS).flatMap(([spelling, spell]) =>
    rejectionOf(`https://${spell('8.8.8.8')}/`) === null ? [] : [spelling],
  );
  expect(rejected.filter((spelling) => !isIPv6Spelling(spelling))).toEqual([]);
});

describe('a name', () => {
  /** Connects to a name with the addresses. Returns the addresses to which a connection was tried, or the code of the rejection. */
  async function connectTo(addresses: readonly string[]): Promise<string> {
    const connector = guardedConnector(production, async () => addresses);
    return new Promise((resolve) => {
      connector({ hostname: 'rebinding.example', protocol: 'https:', port: '9' }, (...[error, socket]) => {
        socket?.destroy();
        resolve(error === null ? 'connected' : ((error as NodeJS.ErrnoException).code ?? error.message));
      });
    });
  }

  test('is not connected to if it resolves to any of the addresses, in IPv4 or embedded in IPv6', async () => {
    for (const address of Object.values(NETWORKS).flat()) {
      const embedded = ['::ffff:', '::', '64:ff9b::', '::ffff:0:'].map((prefix) => prefix + address);
      for (const resolved of [address, ...embedded, `2002:${groups(address)}::1`]) {
        expect([resolved, isAllowedAddress(resolved, production)]).toEqual([resolved, false]);
        expect([resolved, await connectTo([resolved])]).toEqual([resolved, 'ADDRESS_NOT_ALLOWED']);
      }
    }
    expect(await connectTo(Object.values(NETWORKS).flat())).toBe('ADDRESS_NOT_ALLOWED');
  });
});
