import { isAllowedAddress, isThisMachine } from './address-rules';

const production = { allowLoopback: false };
const local = { allowLoopback: true };

const FORBIDDEN: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  'link-local and metadata': [
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '168.63.129.16',
    '192.0.0.192',
  ],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.255', '192.0.0.1', '198.18.0.1', '198.19.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv6 unique local': ['fc00::1', 'fd00::1', 'fd00:ec2::254', 'fdff::1'],
  'IPv6 link-local and site-local': ['fe80::1', 'febf::1', 'fec0::1'],
  'IPv4-mapped': ['::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe'],
  'IPv4-compatible': ['::10.0.0.1', '::8.8.8.8', '::a9fe:a9fe'],
  'IPv4-translated': ['::ffff:0:10.0.0.1'],
  NAT64: ['64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  '6to4': ['2002:0a00:0001::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'discard and segment routing': ['100::1', '5f00::1'],
  'other special purposes': ['2001:2::1', '2001:10::1', '2001:20::1', '192.88.99.1', '4000::1', '1::1'],
  'no address at all': ['', 'example.com', '1.2.3', 'fe80::1%eth0', '256.1.1.1', '1.2.3.4:80', '[::1]'],
};

describe.each(Object.entries(FORBIDDEN))('%s', (_name, addresses) => {
  test.each(addresses)('%j is rejected in both modes', (address) => {
    expect(isAllowedAddress(address, production)).toBe(false);
    expect(isAllowedAddress(address, local)).toBe(false);
  });
});

test.each(['127.0.0.1', '127.255.255.254', '::1'])(
  'loopback %s is allowed only in the local stack',
  (address) => {
    expect(isAllowedAddress(address, production)).toBe(false);
    expect(isAllowedAddress(address, local)).toBe(true);
  },
);

test.each(['::ffff:127.0.0.1', '64:ff9b::127.0.0.1', '::127.0.0.1'])(
  'the embedded loopback address %s is rejected in both modes',
  (address) => {
    expect(isAllowedAddress(address, production)).toBe(false);
    expect(isAllowedAddress(address, local)).toBe(false);
  },
);

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('public %s is allowed', (address) => {
  expect(isAllowedAddress(address, production)).toBe(true);
});

test('every spelling of this machine is recognized', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'api.localhost',
    '127.0.0.1',
    '127.9.9.9',
    '::1',
  ]) {
    expect(isThisMachine(host)).toBe(true);
  }
  for (const host of ['localhost.example.com', 'notlocalhost', 'localhost.com', '8.8.8.8', '10.0.0.1']) {
    expect(isThisMachine(host)).toBe(false);
  }
});
