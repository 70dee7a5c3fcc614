import { destinationOf, requireEndpointUrl } from './endpoint-url';

const production = { allowLoopback: false };
const local = { allowLoopback: true };
const REJECTED = expect.objectContaining({ code: 'webhook_url_not_allowed' });

function verdict(url: string, policy = production): unknown {
  try {
    requireEndpointUrl(url, policy);
    return 'allowed';
  } catch (error) {
    return error;
  }
}

test.each([
  'https://example.com',
  'https://example.com/hooks?tenant=1',
  'https://hooks.example.com:8443/a/b',
  'https://8.8.8.8/hook',
  'https://[2606:4700::1111]/hook',
  'https://bücher.example/hook',
])('%s can be registered', (url) => {
  expect(verdict(url)).toBe('allowed');
});

test('a host with a letter beyond ASCII can be registered however many URLs were checked before', () => {
  const url = 'https://bücher.example/hook';
  for (let count = 0; count < 20_000; count += 1)
    if (verdict(url) !== 'allowed') throw new Error(`at ${count}`);
});

test.each([
  'http://example.com',
  'ftp://example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'not a url',
  'https://',
  'https://user:secret@example.com',
  'https://user@example.com',
  'https://example.com/#fragment',
  'https://example.com/#',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
])('%s is rejected in both modes', (url) => {
  expect(verdict(url)).toEqual(REJECTED);
  expect(verdict(url, local)).toEqual(REJECTED);
});

test.each([
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://localhost:4000/',
  'https://api.localhost./',
  'http://localhost:4000/',
  'http://127.0.0.1:4000/hook',
])('%s is this machine, and allowed only in the local stack', (url) => {
  expect(verdict(url)).toEqual(REJECTED);
  expect(verdict(url, local)).toBe('allowed');
});

test('the local stack sends by plain HTTP only to this machine', () => {
  expect(verdict('http://example.com/', local)).toEqual(REJECTED);
  expect(verdict('http://8.8.8.8/', local)).toEqual(REJECTED);
});

test.each([
  'https://hooks.example.com/a',
  'https://HOOKS.example.com:443/b?c=d',
  'HTTPS://hooks.example.com./a',
  'https://hooks%2Eexample.com',
  'https://hooks。example.com',
])('%s has the same destination as the other spellings of its host and port', (url) => {
  expect(destinationOf(url)).toBe('hooks.example.com:443');
});

test.each([
  ['http://localhost:80/', 'localhost:80'],
  ['https://example.com:8443/', 'example.com:8443'],
  ['https://0x08.8.2056/', '8.8.8.8:443'],
  ['https://[2606:4700:0:0::1]/', '[2606:4700::1]:443'],
])('the destination of %s is %s', (url, destination) => expect(destinationOf(url)).toBe(destination));
