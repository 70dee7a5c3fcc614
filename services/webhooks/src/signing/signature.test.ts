import { Webhook } from 'standardwebhooks';
import { newSigningSecret, signatureHeaders } from './signature';
import vectors from './signature-vectors.json';

const payload = '{"id":"evt_1","data":{"message":"pöng"}}';

test.each(vectors)('returns the signature of the test vector: $name', (vector) => {
  const headers = signatureHeaders(
    vector.id,
    vector.payload,
    new Date(vector.timestamp * 1000),
    vector.secrets,
  );
  expect(headers).toEqual({
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestamp),
    'webhook-signature': vector.signature,
  });
});

test('during a rotation a receiver with either secret accepts, and one with another secret does not', () => {
  const [next, old, other] = [newSigningSecret(), newSigningSecret(), newSigningSecret()];
  const headers = signatureHeaders('evt_1', payload, new Date(), [next, old]);
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [next, old]) {
    expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload));
  }
  expect(() => new Webhook(other).verify(payload, headers)).toThrow();
});

test('a changed body, a changed id or an old timestamp is not accepted', () => {
  const secret = newSigningSecret();
  const headers = signatureHeaders('evt_1', payload, new Date(), [secret]);
  const receiver = new Webhook(secret);
  expect(() => receiver.verify(payload.replace('pöng', 'ping'), headers)).toThrow();
  expect(() => receiver.verify(payload, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  const old = signatureHeaders('evt_1', payload, new Date(Date.now() - 10 * 60_000), [secret]);
  expect(() => receiver.verify(payload, old)).toThrow('too old');
});

test('a secret is its prefix and 32 random bytes', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
});
