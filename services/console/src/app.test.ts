import { request as sendRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { ACTS, PAGES } from './pages';
import { ConsoleFixture } from './testing/console-fixture';

jest.mock('node:zlib', () => {
  const original = jest.requireActual<typeof zlib>('node:zlib');
  const { gzip, gzipSync, createGzip, createBrotliCompress } = original;
  const observed = Object.entries({ gzip, gzipSync, createGzip, createBrotliCompress });
  return {
    ...original,
    ...Object.fromEntries(observed.map(([name, compress]) => [name, jest.fn(compress as () => unknown)])),
  };
});

let fixture: ConsoleFixture;
let session: string;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  session = await fixture.sessionOf({ sub: '17', roles: ['administrator'] });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.stop();
});

async function tokenOf(cookie: string): Promise<string> {
  const html = await (await fixture.request('/', cookie)).text();
  return /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
}

function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
  cookie = session,
) {
  return fixture.request(path, cookie, { method: 'POST', body: new URLSearchParams(form), headers });
}

test('no act and no sign-out is executed for a form of another session, of another site or without a session', async () => {
  const other = await tokenOf(await fixture.sessionOf({ sub: '18' }));
  const token = await tokenOf(session);
  const before = fixture.received.length;
  for (const path of [
    '/sign-out',
    ...ACTS.map((act) => `/projects/prj_1${act.path.replaceAll(/:\w+/g, 'x')}`),
  ]) {
    const responses = await Promise.all([
      post(path, {}),
      post(path, { csrf: other }),
      post(path, { csrf: token }, { origin: 'https://example.com' }),
      post(path, { csrf: token }, { origin: 'null' }),
      post(path, { csrf: token }, {}, ''),
    ]);
    expect([path, ...responses.map(({ status }) => status)]).toEqual([path, 403, 403, 403, 403, 403]);
  }
  expect(fixture.received).toHaveLength(before);
  expect((await fixture.request('/', session)).status).toBe(200);
});

describe('with a session and the token of a form,', () => {
  const placesOf = (places: readonly { readonly path: string }[]) =>
    new Set(places.map(({ path }) => `/projects/prj_1${path.replaceAll(/:\w+/g, 'x')}`));
  const [pages, acts] = [placesOf(PAGES), placesOf(ACTS)];
  const actsWithFile = placesOf(ACTS.filter(({ takesFile }) => takesFile === true));
  const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];

  /** Sends a request with the token in its body, and where other frameworks look for it. */
  async function send(method: string, path: string, headers: Record<string, string> = {}) {
    const before = fixture.received.length;
    const csrf = await tokenOf(session);
    const fields = new URLSearchParams({ csrf, key: 'k', _method: 'POST', name: 'n', scope: 'claims:read' });
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const { status } = await fixture.request(`${path}?${fields}`, session, {
      method,
      headers: { 'x-csrf-token': csrf, 'x-http-method-override': 'POST', ...headers },
      ...(hasBody ? { body: fields } : {}),
    });
    const written = fixture.received.slice(before).filter((request) => request.method !== 'GET');
    return { status, written };
  }

  test('an act is executed by POST alone, whatever method a request asks for', async () => {
    for (const path of acts)
      for (const method of ['GET', 'HEAD', ...OTHER_METHODS]) {
        const { status, written } = await send(method, path);
        expect([method, path, written]).toEqual([method, path, []]);
        if (!pages.has(path) || OTHER_METHODS.includes(method))
          expect([method, path, status]).toEqual([method, path, 404]);
      }
  });

  test('a page is not shown for another method, and a form that is sent to it changes nothing', async () => {
    for (const path of pages)
      for (const method of ['POST', ...OTHER_METHODS]) {
        if (method === 'POST' && acts.has(path)) continue;
        const { status, written } = await send(method, path);
        expect([method, path, status, written]).toEqual([method, path, 404, []]);
      }
  });

  test('a form of JSON, text or parts is not one of the session', async () => {
    const csrf = await tokenOf(session);
    for (const [type, body] of [
      ['application/json', JSON.stringify({ csrf, key: 'k' })],
      ['text/plain', `csrf: ${csrf}`],
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n--x--`,
      ],
    ] as const)
      for (const path of acts) {
        // A form with a file is sent in parts.
        if (type.startsWith('multipart') && actsWithFile.has(path)) continue;
        const before = fixture.received.length;
        const { status } = await fixture.request(path, session, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
        });
        expect([type, path, status, fixture.received.length - before]).toEqual([type, path, 403, 0]);
      }
  });
});

test('answers that the gateway did not sign are not shown, and do not let an act be executed', async () => {
  const csrf = await tokenOf(session);
  fixture.signsAnswers = false;
  fixture.responses.set('/operator/projects', [
    200,
    { data: [{ id: 'prj_1', name: 'Forged' }], has_more: false },
  ]);
  const page = await fixture.request('/', session);
  expect([page.status, (await page.text()).includes('Forged')]).toEqual([500, false]);
  const act = { csrf, key: 'k', reversal_reason: 'duplicate' };
  expect((await post('/projects/prj_1/claims/clm_x/reversals', act)).status).toBe(500);
  expect(fixture.received.filter(({ path }) => path?.startsWith('/v1/'))).toEqual([]);
  expect(fixture.lines.map(({ err }) => (err as Error).message)).toEqual([
    expect.stringMatching(/^the answer 200 to GET \/operator\/projects\S* is not signed by the gateway$/),
    'the answer 200 to GET /operator/projects/prj_1 is not signed by the gateway',
  ]);
  expect((await fixture.signIn({ sub: '18' })).status).toBe(500);
});

test('the audit entry of a form has the start of long texts, without characters that can not be stored', async () => {
  const csrf = await tokenOf(session);
  const form = { csrf, key: 'k', reason_code: `\0${'a'.repeat(299)}😀${'b'.repeat(100_000)}` };
  await post('/projects/prj_1/claims/clm_x%00/information-requests', form);
  const entry = fixture.received.findLast(({ path }) => path === '/operator/audit_entries');
  expect(entry?.body).toMatchObject({
    action: 'claim.request_information',
    subject: 'clm_x',
    details: { reason_code: `${'a'.repeat(299)}\ufffd` },
  });
});

test('every response has the security headers: pages, redirects, errors and files', async () => {
  const html = await (await fixture.request('/', session)).text();
  const [, file = ''] = /href="(\/assets\/[^"]+\.css)"/.exec(html) ?? [];
  for (const [path, cookie, status] of [
    ['/', session, 200],
    ['/', '', 302],
    ['/sign-in', '', 302],
    ['/sign-in/callback', '', 403],
    ['/signed-out', '', 200],
    ['/nothing', session, 404],
    ['/projects/prj_unknown/claims', session, 404],
    [file, '', 200],
  ] as const) {
    const response = await fixture.request(path, cookie);
    expect([path, response.status]).toEqual([path, status]);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self' \S+; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    });
    if (path !== file) expect(headers['cache-control']).toBe('no-store');
  }
});

test('a request target that is not a URL is rejected: 400', async () => {
  const socket = connect(Number(new URL(fixture.origin).port), '127.0.0.1');
  socket.write('GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const response = await text(socket);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toContain('The request target must be a path or a valid URL.');
});

test('a signed-out session is of no use, and the cookie is removed', async () => {
  const response = await post('/sign-out', { csrf: await tokenOf(session) });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/signed-out']);
  expect(response.headers.getSetCookie().join()).toMatch(/^session=; path=\/; expires=Thu, 01 Jan 1970/i);
  expect((await fixture.request('/', session)).status).toBe(302);
});

async function stylesheetPath(): Promise<string> {
  const html = await (await fixture.request('/signed-out')).text();
  return /href="(\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? '';
}

/** Sends a GET request and returns the response with its body as received: compressed if the console compressed it. */
function fetchRaw(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const request = sendRequest(new URL(path, fixture.origin), { headers }, (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk) => chunks.push(chunk))
          .on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
          );
      });
      request.on('error', reject).end();
    },
  );
}

describe('compression', () => {
  test('files and long pages are compressed with gzip, also for a client that accepts Brotli', async () => {
    for (const path of [await stylesheetPath(), '/projects/prj_1/search']) {
      const compressed = await fetchRaw(path, { cookie: session, 'accept-encoding': 'br, gzip, deflate' });
      expect([path, compressed.headers]).toEqual([
        path,
        expect.objectContaining({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' }),
      ]);
      const plain = await fetchRaw(path, { cookie: session, 'accept-encoding': 'identity' });
      expect([path, plain.headers]).toEqual([
        path,
        expect.not.objectContaining({ 'content-encoding': expect.anything() }),
      ]);
      expect(zlib.gunzipSync(compressed.body)).toHaveLength(plain.body.length);
      expect(plain.headers['content-type']).toBe(compressed.headers['content-type']);
    }
  });

  test('a file is compressed once, and not sent again to a client that has it', async () => {
    const path = await stylesheetPath();
    jest.clearAllMocks();
    for (const encoding of ['gzip', 'br, gzip', 'identity']) {
      const { status, headers } = await fetchRaw(path, { 'accept-encoding': encoding });
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      const again = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) };
      expect((await fetchRaw(path, again)).status).toBe(304);
    }
    const { gzip, gzipSync, createGzip, createBrotliCompress } = zlib;
    for (const compress of [gzip, gzipSync, createGzip, createBrotliCompress])
      expect(compress).not.toHaveBeenCalled();
  });
});

describe('requests without a session', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const LIMIT = 300;

  test('are limited per network and minute, with a short page and the time to wait', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const paths = ['/', '/signed-out', '/nothing', await stylesheetPath()];
    for (let count = 0; count < LIMIT; count++) {
      const path = paths[count % paths.length] ?? '';
      const { status } = await fixture.request(path, '', { headers: from('198.51.100.7') });
      expect(status).not.toBe(429);
    }
    for (const path of paths) {
      const limited = await fixture.request(path, 'session=unknown', { headers: from('198.51.100.7') });
      expect([path, limited.status, limited.headers.get('content-type')]).toEqual([
        path,
        429,
        'text/html; charset=utf-8',
      ]);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(limited.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await limited.text()).toContain('Too many requests without a sign-in');
    }
    expect((await fixture.request('/signed-out', '', { headers: from('198.51.100.8') })).status).toBe(200);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect((await fixture.request('/signed-out', '', { headers: from('198.51.100.7') })).status).toBe(200);
  });

  test('do not limit requests with a session from the same network, which are not counted', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const path = await stylesheetPath();
    const headers = from('198.51.100.7');
    for (let count = 0; count <= LIMIT; count++)
      expect((await fixture.request(path, session, { headers })).status).toBe(200);
    for (let count = 0; count < LIMIT; count++)
      expect((await fixture.request('/signed-out', '', { headers })).status).toBe(200);
    expect((await fixture.request('/signed-out', '', { headers })).status).toBe(429);
    expect((await fixture.request('/', session, { headers })).status).toBe(200);
  });

  test('that a client sends on one connection without waiting for responses are limited too', async () => {
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const path = await stylesheetPath();
    const request = (close: boolean) =>
      [
        `GET ${path} HTTP/1.1`,
        'Host: console.example',
        'X-Forwarded-For: 198.51.100.7',
        'Accept-Encoding: br',
        `Connection: ${close ? 'close' : 'keep-alive'}`,
        '\r\n',
      ].join('\r\n');
    const socket = connect(Number(new URL(fixture.origin).port), '127.0.0.1');
    socket.write(request(false).repeat(LIMIT + 99) + request(true));
    const received = await text(socket);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    const count = (status: string) => statuses.filter((other) => other === status).length;
    expect([count('200'), count('429'), statuses.length]).toEqual([LIMIT, 100, LIMIT + 100]);
  });
});
