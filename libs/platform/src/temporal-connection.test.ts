import { connectionOptions } from './temporal-connection';

test('with an API key the connection is over TLS; without one it is plain', () => {
  const own = { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_NAMESPACE: 'default' };
  expect(connectionOptions(own)).toEqual({ address: 'temporal:7233' });
  expect(connectionOptions({ ...own, TEMPORAL_API_KEY: null })).toEqual({ address: 'temporal:7233' });
  expect(connectionOptions({ ...own, TEMPORAL_API_KEY: 'a key' })).toEqual({
    address: 'temporal:7233',
    apiKey: 'a key',
    tls: true,
  });
});
