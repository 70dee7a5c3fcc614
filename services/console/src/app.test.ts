import { ACTS } from './pages';
import { ConsoleFixture } from './testing/console-fixture';

let fixture: ConsoleFixture;
let session: string;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  session = await fixture.sessionOf({ sub: '17', roles: ['administrator'] });
});
afterEach(() => fixture.stop());

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

test('the audit entry of a form has the start of long texts, without characters that can not be stored', async () => {
  const csrf = await tokenOf(session);
  const form = { csrf, key: 'k', reversal_reason: `\0${'a'.repeat(299)}😀${'b'.repeat(100_000)}` };
  await post('/projects/prj_1/claims/clm_x%00/reversals', form);
  const entry = fixture.received.findLast(({ path }) => path === '/operator/audit_entries');
  expect(entry?.body).toMatchObject({
    action: 'claim.reverse',
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

test('a signed-out session is of no use, and the cookie is removed', async () => {
  const response = await post('/sign-out', { csrf: await tokenOf(session) });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/signed-out']);
  expect(response.headers.getSetCookie().join()).toMatch(/^session=; path=\/; expires=Thu, 01 Jan 1970/i);
  expect((await fixture.request('/', session)).status).toBe(302);
});
