import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import vectors from './testing/webhook-vectors.json';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

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

test.each([{ id: 'evt_1' }, null, undefined, 1])('a parsed body, such as %j, is named', async (parsed) => {
  const verified = verifyWebhook(parsed as unknown as string, headersOf(secret), secret, sentAt.getTime());
  await expect(verified).rejects.toThrow(
    new WebhookVerificationError('the body must be the unparsed text or bytes of the request'),
  );
});

test.each([
  ['text with headers of a Node server', body, headersOf(secret)],
  ['bytes with headers of the Fetch API', Buffer.from(body), new Headers(headersOf(secret))],
  ['an ArrayBuffer', new TextEncoder().encode(body).buffer as ArrayBuffer, headersOf(secret)],
  [
    'headers in capitals',
    body,
    Object.fromEntries(Object.entries(headersOf(secret)).map(([k, v]) => [k.toUpperCase(), v])),
  ],
])('a webhook signed by the standardwebhooks library is verified: %s', async (_name, received, headers) => {
  const latest = sentAt.getTime() + 299_000;
  await expect(verifyWebhook(received, headers, secret, latest)).resolves.toMatchObject({ id: 'evt_1' });
});

test('one of several signatures is enough, as after a rotation', async () => {
  const both = `${headersOf(other)['webhook-signature']} ${headersOf(secret)['webhook-signature']}`;
  await expect(
    verifyWebhook(body, { ...headersOf(secret), 'webhook-signature': both }, secret, sentAt.getTime()),
  ).resolves.toBeDefined();
});

test.each(['', 'whsec_', 'whsec_*'])('%p is not a secret, so verification fails', async (none) => {
  await expect(verifyWebhook(body, headersOf(secret), none, sentAt.getTime())).rejects.toThrow(
    WebhookVerificationError,
  );
});

test.each(['\n', '\r\n', '\t', ' ', '\0', '\u00e9', '\ufeff'])(
  'a secret with %j is named as the reason, and no error contains the secret',
  async (character) => {
    const base64 = secret.slice('whsec_'.length);
    for (const wrong of [
      `${character}${secret}`,
      `${secret}${character}`,
      secret.replace('s', `s${character}`),
    ]) {
      const verified = verifyWebhook(body, headersOf(secret), wrong, sentAt.getTime());
      const error = await verified.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(WebhookVerificationError);
      expect(String(error)).toMatch(
        /the secret must be the signing secret of the endpoint \(whsec_…\); it has a /,
      );
      expect(inspect(error, { showHidden: true })).not.toContain(base64.slice(0, 8));
    }
  },
);

test.each([undefined, null, 17])('the secret %p is named as the reason', async (wrong) => {
  const verified = verifyWebhook(body, headersOf(secret), wrong as unknown as string, sentAt.getTime());
  await expect(verified).rejects.toThrow(/the secret must be .*; it is /);
});

test.each([
  ['another body', `${body} `, headersOf(secret), sentAt.getTime()],
  ['another secret', body, headersOf(other), sentAt.getTime()],
  ['another id', body, { ...headersOf(secret), 'webhook-id': 'evt_2' }, sentAt.getTime()],
  ['an old timestamp', body, headersOf(secret), sentAt.getTime() + 301_000],
  ['a future timestamp', body, headersOf(secret), sentAt.getTime() - 301_000],
  ['no timestamp', body, { ...headersOf(secret), 'webhook-timestamp': undefined }, sentAt.getTime()],
  [
    'a timestamp that is no number',
    body,
    { ...headersOf(secret), 'webhook-timestamp': 'soon' },
    sentAt.getTime(),
  ],
  [
    'an unknown signature version',
    body,
    { ...headersOf(secret), 'webhook-signature': 'v2,AAAA' },
    sentAt.getTime(),
  ],
  [
    'a signature that is no base64',
    body,
    { ...headersOf(secret), 'webhook-signature': 'v1,*' },
    sentAt.getTime(),
  ],
  ['an empty signature', body, { ...headersOf(secret), 'webhook-signature': 'v1,' }, sentAt.getTime()],
])('a webhook with %s is rejected', async (_name, text, headers, nowMs) => {
  await expect(verifyWebhook(text, headers, secret, nowMs)).rejects.toThrow(WebhookVerificationError);
});

// The clients for Python and Go have the same vectors.
test.each(vectors)(
  'the vector: $name',
  async ({ body: text, headers, secret: signingSecret, now, problem }) => {
    const verified = verifyWebhook(text, headers, signingSecret, now * 1_000);
    if (problem === null) return expect(verified).resolves.toHaveProperty('id');
    const error = await verified.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(String(error)).toContain(problem);
  },
);
