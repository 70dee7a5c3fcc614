import { inspect } from 'node:util';
import { fc } from '@carecover/testing';
import { type CallOptions, Carecover, CarecoverConnectionError, type ClaimInput } from './index.ts';

/** Parts of a key that no error can contain. A character that a key can't have is put before, between or after them. */
const [HEAD, TAIL] = ['sk_test_HeadOfTheKey', 'TailOfTheKey1234567'];
const baseUrl = 'https://api.example/v1';

let requests: RequestInit[] = [];
beforeEach(() => {
  requests = [];
});
const fetchStub = (async (_url: string, init: RequestInit) => {
  requests.push(init);
  return new Response('{"id":"clm_1"}');
}) as typeof fetch;

function client(options: object = {}) {
  return new Carecover({ apiKey: HEAD + TAIL, baseUrl, fetch: fetchStub, ...options });
}

async function thrownBy(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Returns everything that a program can print of a value, with its causes, hidden properties and getters. */
function printed(value: unknown): string {
  const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true, maxStringLength: null };
  return [inspect(value, options), String(value), JSON.stringify(value), (value as Error).stack].join('\n');
}

function expectNone(value: unknown, ...secrets: string[]): void {
  for (const secret of secrets) expect(printed(value)).not.toContain(secret);
}

const CHARACTERS: readonly [string, string][] = [
  ['\n', 'it has a line end'],
  ['\r\n', 'it has a line end'],
  ['\r', 'it has a line end'],
  ['\t', 'it has a control character'],
  ['\0', 'it has a control character'],
  ['\u001b', 'it has a control character'],
  ['\u007f', 'it has a control character'],
  ['\u0085', 'it has a control character'],
  [' ', 'it has a space'],
  ['\u00a0', 'it has a character that is not ASCII'],
  ['\u00e9', 'it has a character that is not ASCII'],
  ['\u2028', 'it has a character that is not ASCII'],
  ['\ufeff', 'it has a character that is not ASCII'],
  ['\u20ac', 'it has a character that is not ASCII'],
  ['\u{1f600}', 'it has a character that is not ASCII'],
  ['\ud800', 'it has a character that is not ASCII'],
];

test.each(CHARACTERS)('a key with %j fails at once, without the key', async (character, problem) => {
  for (const apiKey of [character + HEAD + TAIL, HEAD + character + TAIL, HEAD + TAIL + character]) {
    const error = await thrownBy(() => client({ apiKey }).api.retrieve());
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toBe(`TypeError: apiKey must be a secret key (sk_…) or a token (pt_…); ${problem}`);
    expectNone(error, HEAD, TAIL);
  }
  expect(requests).toEqual([]);
});

test.each([
  ['', 'it is empty'],
  [undefined, 'it is undefined'],
  [null, 'it is null'],
  [17, 'it is of the type number'],
])('the key %p fails at once', (apiKey, problem) => {
  expect(() => client({ apiKey })).toThrow(
    new TypeError(`apiKey must be a secret key (sk_…) or a token (pt_…); ${problem}`),
  );
});

test('a key with any text inside is sent unchanged, or fails at once without the key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 3 }), async (inside) => {
      requests = [];
      const apiKey = HEAD + inside + TAIL;
      try {
        await client({ apiKey }).api.retrieve();
      } catch (error) {
        expect([error, requests]).toEqual([expect.any(TypeError), []]);
        expectNone(error, HEAD, TAIL);
        return;
      }
      expect(new Headers(requests[0]?.headers).get('authorization')).toBe(`Bearer ${apiKey}`);
    }),
  );
});

test('a client prints no key', () => {
  expectNone(client(), HEAD, TAIL);
});

test('no error of a valid key contains the key, the token of a response or its text', async () => {
  const text = '{"object":"token","token":"pt_test_OfAResponse",oops}';
  const answers: (() => Response)[] = [
    () => new Response(text),
    () => new Response(text, { status: 404 }),
    () => new Response(text, { status: 502 }),
    () => new Response('', { status: 302 }),
    () => Response.json({ error: { code: 'invalid_state', message: 'm', docs: 'd' } }, { status: 409 }),
    () => {
      throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
    },
  ];
  for (const answer of answers) {
    const error = await thrownBy(() => client({ fetch: async () => answer(), maxRetries: 0 }).api.retrieve());
    expectNone(error, HEAD, TAIL, 'OfARe');
  }
});

test.each([
  ['', 'it is empty'],
  [undefined, 'it is undefined'],
  ['/v1-secret', 'it is no URL'],
  ['api.example:8443/v1-secret', 'it does not start with https:// or http://'],
  ['ftp://api.example/v1-secret', 'it does not start with https:// or http://'],
  [`${HEAD}${TAIL}`, 'it is no URL'],
  ['https://user:secret@api.example/v1', 'it has a user or a password'],
  ['https://secret@api.example/v1', 'it has a user or a password'],
  ['https://api.example/v1?key=secret', 'it has a query or a fragment'],
  ['https://api.example/v1#secret', 'it has a query or a fragment'],
  ['https://api.example/v1-secret#', 'it has a query or a fragment'],
  ['https://api.example/v1-secret?', 'it has a query or a fragment'],
  ['https://api.example/v1-secret\n', 'it has a line end'],
  ['https://api.exa\tmple/v1-secret', 'it has a control character'],
  [' https://api.example/v1-secret', 'it has a space'],
  ['https://api.example:secret/v1', 'it is no URL'],
])('the base URL %j fails at once and is not in the message', async (url, problem) => {
  const error = await thrownBy(() => client({ baseUrl: url }));
  expect(String(error)).toBe(
    `TypeError: baseUrl must be the URL of the API with its version, such as https://localhost:8443/v1; ${problem}`,
  );
  expectNone(error, 'secret', HEAD, TAIL);
});

test.each([Number.NaN, 0, -1, '30000', null])('the timeout %p is no time', (timeoutMs) => {
  expect(() => client({ timeoutMs })).toThrow(
    new TypeError('timeoutMs must be a number of milliseconds above 0'),
  );
});

test('fetch must be a function', () => {
  expect(() => client({ fetch: {} })).toThrow(
    new TypeError('fetch must be a function; it is of the type object'),
  );
});

test.each(CHARACTERS.filter(([character]) => character !== ' '))(
  'an idempotency key with %j fails at once, without the idempotency key',
  async (character, problem) => {
    for (const idempotencyKey of [
      `${character}of-a-claim`,
      `of-${character}a-claim`,
      `of-a-claim${character}`,
    ]) {
      const options: CallOptions = { idempotencyKey };
      const error = await thrownBy(() =>
        client().claims.cancel('clm_1', { reason_code: 'in_error' }, options),
      );
      expect(error).toEqual(
        new TypeError(
          `the header idempotency-key must be visible ASCII characters, with spaces only between them; ${problem}`,
        ),
      );
      expectNone(error, 'a-claim', HEAD, TAIL);
    }
    expect(requests).toEqual([]);
  },
);

test('a header with a space at its end or an invalid name fails at once, one with a space inside is sent', async () => {
  const { transport } = client();
  const send = (headers: Record<string, string>) => transport.raw('getApi', { headers });
  await expect(send({ 'x-request-id': 'one ' })).rejects.toThrow('it starts or ends with a space');
  await expect(send({ 'x-request-id': '' })).rejects.toThrow('it is empty');
  await expect(send({ 'x request\nsecret': 'one' })).rejects.toThrow(
    new TypeError('the name of a header must be letters, digits and hyphens'),
  );
  expect(requests).toEqual([]);
  await send({ 'x-request-id': 'one two' });
  expect(requests).toHaveLength(1);
});

const cyclic: Record<string, unknown> = { name: 'secret' };
cyclic.lines = [{ parent: cyclic }];

test.each([
  [{ lines: [{ units: Number.NaN }] }, '/lines/0/units must be a finite number'],
  [{ name: '\ud83d' }, '/name must be text without half a surrogate pair'],
  [{ lines: [{ units: Number.POSITIVE_INFINITY }] }, '/lines/0/units must be a finite number'],
  [{ amount: 12345n }, '/amount must be a JSON value, not a bigint'],
  [{ 'a/b': { c: () => 'secret' } }, '/a~1b/c must be a JSON value, not a function'],
  [{ a: [Symbol('secret')] }, '/a/0 must be a JSON value, not a symbol'],
  [cyclic, '/lines/0/parent contains itself'],
  [12345n, 'it must be a JSON value, not a bigint'],
  [() => 'secret', 'it must be a JSON value, not a function'],
  [{ toJSON: () => undefined }, 'it must be a JSON value, not undefined'],
])('a body that is no JSON fails at once, and the error names the field: %p', async (body, problem) => {
  const error = await thrownBy(() => client().claims.submit(body as unknown as ClaimInput));
  expect(error).toEqual(new TypeError(`the body can't be sent as JSON: ${problem}`));
  expectNone(error, 'secret', '12345');
  expect(requests).toEqual([]);
});

test('a body is sent as JSON.stringify writes it, also with an object in two places', async () => {
  const line = { code_system: 'CPT', service_code: 'visit', units: 1.1 * 3, amount: 1, note: undefined };
  const body = { lines: [line, line], at: new Date(0), none: null };
  await client().claims.submit(body as unknown as ClaimInput);
  expect(requests[0]?.body).toBe(JSON.stringify(body));
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      requests = [];
      await client().claims.submit(value as unknown as ClaimInput);
      expect(requests[0]?.body).toBe(JSON.stringify(value));
    }),
  );
});

test("an error of the body's own toJSON is thrown unchanged", async () => {
  const own = new CarecoverConnectionError('own');
  const body = {
    toJSON: () => {
      throw own;
    },
  };
  expect(await thrownBy(() => client().claims.submit(body as unknown as ClaimInput))).toBe(own);
});
