import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from './webhooks';

const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const other = `whsec_${Buffer.from('another of twenty-four by').toString('base64')}`;
const body = '{"id":"evt_1","type":"sandbox.ping"}';
const sentAt = new Date('2027-03-01T10:00:00Z');

function headersOf(signingSecret: string, text = body) {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(sentAt.getTime() / 1000),
    'webhook-signature': new Webhook(signingSecret).sign('evt_1', sentAt, text),
  };
}

test('what the standard library signs is verified', () => {
  expect(verifyWebhook(body, headersOf(secret), secret, sentAt.getTime())).toMatchObject({ id: 'evt_1' });
  expect(
    verifyWebhook(Buffer.from(body), headersOf(secret), secret, sentAt.getTime() + 299_000),
  ).toMatchObject({ id: 'evt_1' });
});

test('one of several signatures is enough, as after a rotation', () => {
  const both = `${headersOf(other)['webhook-signature']} ${headersOf(secret)['webhook-signature']}`;
  expect(
    verifyWebhook(body, { ...headersOf(secret), 'webhook-signature': both }, secret, sentAt.getTime()),
  ).toBeDefined();
});

test.each([
  ['another body', `${body} `, headersOf(secret), sentAt.getTime()],
  ['another secret', body, headersOf(other), sentAt.getTime()],
  ['another id', body, { ...headersOf(secret), 'webhook-id': 'evt_2' }, sentAt.getTime()],
  ['an old timestamp', body, headersOf(secret), sentAt.getTime() + 301_000],
  ['a timestamp of the future', body, headersOf(secret), sentAt.getTime() - 301_000],
  ['no timestamp', body, { ...headersOf(secret), 'webhook-timestamp': undefined }, sentAt.getTime()],
  [
    'a timestamp that is no number',
    body,
    { ...headersOf(secret), 'webhook-timestamp': 'soon' },
    sentAt.getTime(),
  ],
  ['an unknown version', body, { ...headersOf(secret), 'webhook-signature': 'v2,AAAA' }, sentAt.getTime()],
])('%s is not genuine', (_name, text, headers, nowMs) => {
  expect(() => verifyWebhook(text, headers, secret, nowMs)).toThrow(WebhookVerificationError);
});
