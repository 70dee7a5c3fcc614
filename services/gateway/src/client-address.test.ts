import type { IncomingMessage } from 'node:http';
import { ClientAddress, parseNetworks } from './client-address';

function request(remoteAddress: string, headers: Record<string, string> = {}, encrypted = false) {
  return { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
}

const behindProxy = new ClientAddress(parseNetworks('10.0.0.0/8, fd00::/8') ?? null);
const direct = new ClientAddress(null);

test.each(['', '10.0.0.0/33', '10.0.0/8', 'example.com', '10.0.0.0/8,', 'fd00::/129', '10.0.0.0/x'])(
  '%p is no list of networks',
  (text) => expect(parseNetworks(text)).toBeUndefined(),
);

test('only TLS makes a direct connection secure, whatever it says of itself', () => {
  const headers = { 'x-forwarded-proto': 'https' };
  expect(direct.isSecure(request('10.0.0.1', headers))).toBe(false);
  expect(direct.isSecure(request('10.0.0.1', {}, true))).toBe(true);
  expect(behindProxy.isSecure(request('192.0.2.1', headers))).toBe(false);
});

test('a believed proxy says how it was reached', () => {
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'https' }))).toBe(true);
  expect(behindProxy.isSecure(request('::ffff:10.0.0.1', { 'x-forwarded-proto': 'HTTPS' }))).toBe(true);
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'http' }, true))).toBe(false);
  expect(behindProxy.isSecure(request('10.0.0.1', { 'x-forwarded-proto': 'https, http' }))).toBe(false);
  expect(behindProxy.isSecure(request('10.0.0.1'))).toBe(false);
});

test('the client is the last address that no believed proxy has', () => {
  const forwarded = (value: string) => ({ 'x-forwarded-for': value });
  expect(behindProxy.of(request('10.0.0.1', forwarded('198.51.100.7, 203.0.113.9, 10.1.1.1')))).toBe(
    '203.0.113.9',
  );
  expect(behindProxy.of(request('192.0.2.1', forwarded('198.51.100.7')))).toBe('192.0.2.1');
  expect(behindProxy.of(request('10.0.0.1', forwarded('nonsense')))).toBe('10.0.0.1');
  expect(direct.of(request('10.0.0.1', forwarded('198.51.100.7')))).toBe('10.0.0.1');
});

test('whoever has an IPv6 network counts as one', () => {
  const one = direct.of(request('2001:db8:1:2:3:4:5:6'));
  expect(direct.of(request('2001:db8:1:2::99'))).toBe(one);
  expect(direct.of(request('2001:db8:1:3::99'))).not.toBe(one);
  expect(direct.of(request('::1'))).toBe('0:0:0:0::/64');
});
