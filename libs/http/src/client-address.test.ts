import type { IncomingMessage } from 'node:http';
import { ClientAddress, parseNetworks } from './client-address';

function request(remoteAddress: string, headers: Record<string, string> = {}, encrypted = false) {
  return { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
}

const behindProxy = new ClientAddress(parseNetworks('10.0.0.0/8, fd00::/8') ?? null);
const direct = new ClientAddress(null);

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0/8',
  'example.com',
  '10.0.0.0/8,',
  'fd00::/129',
  '10.0.0.0/x',
  '012.0.0.0/8',
  '10/8',
  'loopback',
])('%p is not a list of networks', (text) => expect(parseNetworks(text)).toBeUndefined());

test('a direct connection is secure only with TLS; its headers have no effect', () => {
  const headers = { 'x-forwarded-proto': 'https' };
  expect(direct.isSecure(request('10.0.0.1', headers))).toBe(false);
  expect(direct.isSecure(request('10.0.0.1', {}, true))).toBe(true);
  expect(behindProxy.isSecure(request('192.0.2.1', headers))).toBe(false);
});

test('the header of a trusted proxy states whether its client used https', () => {
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'https' }))).toBe(true);
  expect(behindProxy.isSecure(request('::ffff:10.0.0.1', { 'x-forwarded-proto': 'HTTPS' }))).toBe(true);
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'http' }, true))).toBe(false);
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'https, http' }))).toBe(false);
  expect(behindProxy.isSecure(request('10.0.0.1'))).toBe(false);
});

test('the client is the last address that is not a trusted proxy', () => {
  const forwarded = (value: string) => ({ 'x-forwarded-for': value });
  expect(behindProxy.addressOf(request('10.0.0.1', forwarded('198.51.100.7, 203.0.113.9, 10.1.1.1')))).toBe(
    '203.0.113.9',
  );
  expect(behindProxy.addressOf(request('192.0.2.1', forwarded('198.51.100.7')))).toBe('192.0.2.1');
  expect(behindProxy.addressOf(request('10.0.0.1', forwarded('nonsense')))).toBe('10.0.0.1');
  expect(direct.addressOf(request('10.0.0.1', forwarded('198.51.100.7')))).toBe('10.0.0.1');
});

test('only the usual notation of an address in a forwarding header is one', () => {
  for (const text of ['0xc0.0.2.1', '0300.0.2.1', '3221225985', '192.0.2', ''])
    expect(behindProxy.addressOf(request('10.0.0.1', { 'x-forwarded-for': text }))).toBe('10.0.0.1');
});

test('an IPv4-mapped IPv6 address is the IPv4 address', () => {
  for (const mapped of ['::ffff:192.0.2.1', '::ffff:c000:201'])
    expect(direct.addressOf(request(mapped))).toBe('192.0.2.1');
});

test('the address of a connection is known unless it is a trusted proxy', () => {
  const socket = (remoteAddress: string) => request(remoteAddress).socket;
  expect(behindProxy.addressOfConnection(socket('192.0.2.1'))).toBe('192.0.2.1');
  expect(behindProxy.addressOfConnection(socket('10.0.0.1'))).toBeNull();
});

test('all addresses of an IPv6 /64 network count as one', () => {
  const network = direct.addressOf(request('2001:db8:1:2:3:4:5:6'));
  expect(direct.addressOf(request('2001:db8:1:2::99'))).toBe(network);
  expect(direct.addressOf(request('2001:db8:1:3::99'))).not.toBe(network);
  expect(direct.addressOf(request('::1'))).toBe('0:0:0:0::/64');
});
