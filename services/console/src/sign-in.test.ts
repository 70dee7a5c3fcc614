import { MinuteLimiter } from '@carecover/telemetry';
import { ConsoleFixture, cookieOf, type StartedSignIn } from './testing/console-fixture';
import { hiddenFields } from './testing/visitor';

let fixture: ConsoleFixture;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await fixture.stop();
});

const ANA = { email: 'ana@example.com', email_verified: true };

/** Opens a page as the person, and returns its HTML and the authority of its request to the gateway. */
async function openPage(session: string) {
  const page = await fixture.request('/', session);
  return { status: page.status, html: await page.text(), authority: fixture.received.at(-1)?.authority };
}

const openPageAs = async (claims: Record<string, unknown>) => openPage(await fixture.sessionOf(claims));

const complete = ({ callback, cookie }: Pick<StartedSignIn, 'callback' | 'cookie'>) =>
  fixture.request(callback, cookie);

const entries = () =>
  fixture.received.flatMap(({ path, authority, body }) =>
    path === '/operator/audit_entries' ? [{ authority, ...body }] : [],
  );

describe('who a person is', () => {
  test('two persons whose tokens have the same e-mail address are two persons', async () => {
    const first = await openPageAs({ sub: '17', ...ANA });
    const second = await openPageAs({ sub: '18', ...ANA });
    expect([first.authority, second.authority]).toEqual(['operator:17', 'operator:18']);
    expect(entries()).toMatchObject([
      { authority: 'operator:17', action: 'console.sign_in', subject: '17' },
      { authority: 'operator:18', action: 'console.sign_in', subject: '18' },
    ]);
  });

  test('a person whose e-mail address changes stays one person, also for the limit of requests', async () => {
    const count = jest.spyOn(MinuteLimiter.prototype, 'count');
    await openPageAs({ sub: '17', ...ANA });
    const { html, authority } = await openPageAs({ sub: '17', ...ANA, email: 'ana.new@example.com' });
    expect(html).toContain('17 (ana.new@example.com)');
    expect(authority).toBe('operator:17');
    expect(entries().map(({ authority: recorded }) => recorded)).toEqual(['operator:17', 'operator:17']);
    // The requests of the sign-ins are counted for the network of the client.
    expect(new Set(count.mock.calls.map(([key]) => key))).toEqual(new Set(['127.0.0.1', '17']));
  });

  test('a verified e-mail address is shown beside the subject, and recorded with the sign-in only', async () => {
    const { html, authority } = await openPageAs({ sub: '17', ...ANA });
    expect(html).toContain('17 (ana@example.com)');
    expect(authority).toBe('operator:17');
    expect(entries()).toMatchObject([{ details: { email: 'ana@example.com', roles: ['operator'] } }]);
  });

  test('an e-mail address that the identity provider has not verified is neither shown nor recorded', async () => {
    for (const email_verified of [false, undefined, null, 'true', 1]) {
      const { html } = await openPageAs({ sub: '17', email: 'ana@example.com', email_verified });
      expect(html).toContain('<span>17 <');
      expect(html).not.toContain('ana@example.com');
    }
    expect(JSON.stringify(fixture.received)).not.toContain('ana@example.com');
  });

  test('a verified e-mail address is escaped, and left out if it has spaces or invisible characters', async () => {
    const hostile = '"><script>x</script>@example.com';
    expect((await openPageAs({ sub: '17', email: hostile, email_verified: true })).html).not.toContain(
      '<script>',
    );
    for (const email of [
      'ana@example.com x',
      'ana@example.com\n',
      'ana\u202e@example.com',
      '',
      'a'.repeat(300),
    ])
      expect((await openPageAs({ sub: '17', email, email_verified: true })).html).toContain('<span>17 <');
  });

  test('a person without a role, or whose subject is no text of OpenID Connect, gets no session', async () => {
    for (const claims of [
      { sub: '17', roles: [] },
      { sub: '17', roles: ['root'] },
      { sub: 'a\nb' },
      { sub: 'é' },
      { sub: 'a'.repeat(256) },
    ]) {
      const response = await fixture.signIn(claims);
      expect([response.status, cookieOf(response, 'session')]).toEqual([403, '']);
    }
    expect(entries()).toEqual([]);
  });
});

describe('a callback', () => {
  test('without the cookie of the sign-in is rejected without a request to the identity provider', async () => {
    const { callback } = await fixture.startSignIn();
    fixture.claims = { sub: '17' };
    expect((await fixture.request(callback)).status).toBe(403);
    expect([fixture.tokenRequests, fixture.lines]).toEqual([0, []]);
  });

  test('of a sign-in of another browser is rejected, and the own sign-in can be completed', async () => {
    const [own, other] = [await fixture.startSignIn(), await fixture.startSignIn()];
    fixture.claims = { sub: '17', roles: ['operator'], nonce: own.nonce };
    expect((await complete({ ...other, cookie: own.cookie })).status).toBe(403);
    expect(fixture.tokenRequests).toBe(0);
    expect((await complete(own)).status).toBe(302);
  });

  test('with a cookie that was changed, or that another process wrote, is rejected without a request', async () => {
    const other = await ConsoleFixture.start();
    const { cookie, callback } = await fixture.startSignIn();
    const content = { verifier: 'v', state: 's', nonce: 'n', next: '/' };
    const plain = Buffer.from(JSON.stringify(content)).toString('base64url');
    const foreign = await other.startSignIn();
    await other.stop();
    const changed = [...cookie.matchAll(/\./g)].map(
      ({ index }) =>
        cookie.slice(0, index - 2) + (cookie[index - 2] === 'A' ? 'B' : 'A') + cookie.slice(index - 1),
    );
    for (const value of changed) expect((await complete({ callback, cookie: value })).status).toBe(403);
    expect((await complete(foreign)).status).toBe(403);
    for (const value of [plain, `${plain}.AAAA`, `e30.${plain}.`, ''])
      expect(
        (await complete({ callback: callback, cookie: `${cookie.split('=')[0]}=${value}` })).status,
      ).toBe(403);
    expect([changed.length, fixture.tokenRequests, fixture.lines]).toEqual([4, 0, []]);
  });

  test('is accepted within ten minutes of the start of the sign-in, and rejected later', async () => {
    const [inTime, late] = [await fixture.startSignIn(), await fixture.startSignIn()];
    const startMs = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(startMs + 9 * 60_000);
    fixture.claims = { sub: '17', roles: ['operator'], nonce: inTime.nonce };
    expect((await complete(inTime)).status).toBe(302);
    clock.mockReturnValue(startMs + 10 * 60_000 + 1_000);
    expect((await complete(late)).status).toBe(403);
    expect(fixture.tokenRequests).toBe(1);
  });

  test('is accepted once', async () => {
    const started = await fixture.startSignIn();
    fixture.claims = { sub: '17', roles: ['operator'], nonce: started.nonce };
    const statuses = await Promise.all([1, 2, 3].map(async () => (await complete(started)).status));
    expect(statuses.sort()).toEqual([302, 403, 403]);
    expect((await complete(started)).status).toBe(403);
    expect(fixture.tokenRequests).toBe(1);
  });

  test('with a wrong nonce in the ID token, or an error of the identity provider, is rejected', async () => {
    expect((await fixture.signIn({ sub: '17', nonce: 'another' })).status).toBe(403);
    const { cookie, callback } = await fixture.startSignIn();
    const denied = callback.replace('code=x', 'error=access_denied');
    expect((await complete({ cookie, callback: denied })).status).toBe(403);
    expect(fixture.lines).toMatchObject([{ msg: 'a sign-in failed' }, { err: { error: 'access_denied' } }]);
  });
});

describe('several tabs of a browser', () => {
  /** A browser: it keeps the cookies of all responses, and sends them with each request. */
  class Browser {
    private readonly cookies = new Map<string, string>();

    get cookie() {
      return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    }

    get names() {
      return [...this.cookies.keys()];
    }

    keep(response: Response): Response {
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value === '') this.cookies.delete(name);
        else this.cookies.set(name, value);
      }
      return response;
    }

    async request(path: string, init: RequestInit = {}): Promise<Response> {
      return this.keep(await fixture.request(path, this.cookie, init));
    }

    /** Starts a sign-in. @param cookie the cookies that the browser had when it sent the request */
    async start(next = '/', cookie = this.cookie) {
      const response = this.keep(await fixture.request(`/sign-in?next=${encodeURIComponent(next)}`, cookie));
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      const state = searchParams.get('state');
      return { nonce: searchParams.get('nonce'), callback: `/sign-in/callback?code=x&state=${state}` };
    }

    async complete({ nonce, callback }: Pick<StartedSignIn, 'nonce' | 'callback'>, sub = '17') {
      fixture.claims = { sub, roles: ['administrator'], nonce };
      return this.request(callback);
    }
  }

  const formTokenOf = async (browser: Browser) =>
    /name="csrf" value="([^"]+)"/.exec(await (await browser.request('/')).text())?.[1] ?? '';

  test('that start at the same time all complete, in any order, each at its own page', async () => {
    const browser = new Browser();
    const pages = ['/one', '/two', '/three', '/four'];
    const started = await Promise.all(pages.map((page) => browser.start(page, '')));
    expect(browser.names).toHaveLength(4);
    for (const index of [2, 0, 3, 1]) {
      const response = await browser.complete(started[index] ?? { nonce: null, callback: '' });
      expect([response.status, response.headers.get('location')]).toEqual([302, pages[index]]);
    }
    expect(browser.names).toEqual(['session']);
    expect((await browser.request('/')).status).toBe(200);
  });

  test('can send a form that was opened before another tab completed its sign-in, but not another person', async () => {
    const browser = new Browser();
    const [first, second, third] = [await browser.start(), await browser.start(), await browser.start()];
    await browser.complete(first);
    const csrf = await formTokenOf(browser);
    const session = browser.cookie;
    await browser.complete(second);
    expect(browser.cookie).not.toBe(session);
    const send = () =>
      browser.request('/projects/prj_1/keys', {
        method: 'POST',
        body: new URLSearchParams({ csrf, key: `k${Math.random()}`, name: 'A key', scope: 'claims:read' }),
      });
    fixture.responses.set('/operator/projects/prj_1/keys', [
      201,
      { key_id: 'key_1', secret_key: 'sk_test_1' },
    ]);
    expect((await send()).status).toBe(200);
    await browser.complete(third, '18');
    expect((await send()).status).toBe(403);
  });

  test('can send a form whose session has ended after the next sign-in of the person, with all that was typed', async () => {
    const browser = new Browser();
    await browser.complete(await browser.start());
    const csrf = await formTokenOf(browser);
    const path = '/projects/prj_1/keys';
    const fields = { csrf, key: 'k1', name: '"A" <key>', scope: 'claims:read' };
    const send = (sent: Record<string, string>, headers: Record<string, string> = {}) =>
      browser.request(path, { method: 'POST', body: new URLSearchParams(sent), headers });
    await browser.request('/sign-out', { method: 'POST', body: new URLSearchParams({ csrf }) });
    fixture.responses.set('/operator/projects/prj_1/keys', [
      201,
      { key_id: 'key_1', secret_key: 'sk_test_1' },
    ]);

    const ended = await send(fields, { referer: `http://console.example${path}?a=1` });
    const html = await ended.text();
    expect(ended.status).toBe(403);
    expect(html).toContain(`href="/sign-in?next=${encodeURIComponent(`${path}?a=1`)}" target="_blank"`);
    expect(hiddenFields(html, path)).toEqual(fields);
    const foreign = await send(fields, { origin: 'https://example.com' });
    expect(await foreign.text()).not.toContain('A key');

    await browser.complete(await browser.start(), '18');
    expect((await send(fields)).status).toBe(403);
    await browser.complete(await browser.start());
    expect((await send(fields)).status).toBe(200);
  });

  test('keep the newest ten sign-ins, so that the cookies of a browser are bounded', async () => {
    const browser = new Browser();
    const started = [];
    for (let count = 0; count < 25; count++) started.push(await browser.start(`/${'a'.repeat(990)}`));
    expect(browser.names).toHaveLength(10);
    expect(browser.cookie.length).toBeLessThan(32 * 1024);
    const statuses = [];
    for (const each of started) statuses.push((await browser.complete(each)).status);
    expect(statuses).toEqual([...Array(15).fill(403), ...Array(10).fill(302)]);
  });

  test('with cookies of other names, of any number, can sign in', async () => {
    const cookies = Array.from(
      { length: 40 },
      (_, count) => `sign-in-${count}=a; sign-in- ${count}; sign-in-\u00e9${count}=`,
    );
    const started = await fixture.startSignIn();
    fixture.claims = { sub: '17', roles: ['operator'], nonce: started.nonce };
    const header = `${cookies.join('; ')}; ${started.cookie}`;
    expect((await fixture.request('/sign-in', header)).headers.getSetCookie()).toHaveLength(1);
    expect((await fixture.request(started.callback, header)).status).toBe(302);
  });

  test('that are opened at once, such as after a restart of the browser, all sign in', async () => {
    const browser = new Browser();
    const started = await Promise.all(
      Array.from({ length: 60 }, () => browser.start('/projects/prj_1/claims', '')),
    );
    for (const each of started) expect((await browser.complete(each)).status).toBe(302);
    expect(browser.names).toEqual(['session']);
  });
});

test('a sign-in or callback with thousands of parameters searches its query once', async () => {
  const many = 'a&'.repeat(7_000);
  const searches = jest.spyOn(URLSearchParams.prototype, 'getAll');
  expect((await fixture.request(`/sign-in?${many}`)).status).toBe(302);
  expect((await fixture.request(`/sign-in/callback?${many}`)).status).toBe(403);
  expect(searches.mock.calls).toEqual([['next'], ['state']]);
});

describe('many callbacks', () => {
  const flood = async (count: number) => {
    const started = await Promise.all(Array.from({ length: count }, () => fixture.startSignIn()));
    return Promise.all(started.map(complete));
  };

  test('send at most four requests to the identity provider at a time, and the rest wait or are rejected', async () => {
    fixture.tokenResponseMs = 50;
    const statuses = (await flood(40)).map(({ status }) => status);
    expect(fixture.mostConcurrent).toBe(4);
    expect(new Set(statuses)).toEqual(new Set([403, 429]));
    expect(statuses.filter((status) => status === 403)).toHaveLength(fixture.tokenRequests);
  });

  test('that fail are limited per minute; a later sign-in succeeds; the log has few lines', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let count = 0; count < 4; count++) await flood(10);
    expect(fixture.tokenRequests).toBeGreaterThanOrEqual(30);
    expect(fixture.tokenRequests).toBeLessThan(34);
    const rejected = await fixture.signIn({ sub: '17' });
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(fixture.lines).toHaveLength(10);
    clock.mockReturnValue(Date.now() + 60_000);
    expect((await fixture.signIn({ sub: '17' })).status).toBe(302);
    fixture.claims = null;
    await flood(1);
    expect(fixture.lines.at(-1)).toMatchObject({
      msg: 'a sign-in failed',
      suppressed_lines: fixture.tokenRequests - 12,
    });
  });

  test('that fail are limited per client, also behind a trusted proxy', async () => {
    // The console counts per minute of the process's clock, so the test stops this clock.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const signInFrom = async (address: string, nonce?: string) => {
      const started = await fixture.startSignIn();
      fixture.claims = { sub: '17', roles: ['operator'], nonce: nonce ?? started.nonce };
      const init = { headers: { 'x-forwarded-for': address } };
      return (await fixture.request(started.callback, started.cookie, init)).status;
    };
    for (let count = 0; count < 30; count++) expect(await signInFrom('198.51.100.7', 'another')).toBe(403);
    expect(await signInFrom('198.51.100.7')).toBe(429);
    expect(await signInFrom('198.51.100.8')).toBe(302);
  });
});

describe('the session', () => {
  test('has a new ID after each sign-in, and the earlier session of the browser has ended', async () => {
    const chosen = 'session=an-id-that-an-attacker-chose';
    const first = cookieOf(await fixture.signIn({ sub: '17' }, chosen), 'session');
    const second = cookieOf(await fixture.signIn({ sub: '18' }, first), 'session');
    expect(new Set([chosen, first, second]).size).toBe(3);
    for (const [cookie, status] of [
      [chosen, 302],
      [first, 302],
      [second, 200],
    ] as const)
      expect((await fixture.request('/', cookie)).status).toBe(status);
  });

  test('of a person ends after ten further sign-ins of the person; sessions of others continue', async () => {
    const other = await fixture.sessionOf({ sub: '18', ...ANA });
    const own: string[] = [];
    for (let count = 0; count < 11; count++) own.push(await fixture.sessionOf({ sub: '17', ...ANA }));
    const statuses = await Promise.all(
      [other, ...own].map(async (cookie) => (await fixture.request('/', cookie)).status),
    );
    expect(statuses).toEqual([200, 302, ...Array(10).fill(200)]);
  });

  test('starts at a page of the console, never at another site', async () => {
    for (const next of [
      '//example.com/',
      '/\\example.com/',
      'https://example.com/',
      '/%09/example.com/',
      '/\t/example.com/',
      'javascript:alert(1)',
      '',
    ]) {
      const response = await fixture.signIn({ sub: '17' }, '', `?next=${encodeURIComponent(next)}`);
      const { origin } = new URL(response.headers.get('location') ?? '', 'http://console.example');
      expect([next, response.status, origin]).toEqual([next, 302, 'http://console.example']);
    }
    const { headers } = await fixture.signIn(
      { sub: '17' },
      '',
      `?next=${encodeURIComponent('/projects/a?b=c')}`,
    );
    expect(headers.get('location')).toBe('/projects/a?b=c');
  });

  test('starts behind a proxy that terminates TLS, with cookies for exactly this host and TLS', async () => {
    const behindProxy = await ConsoleFixture.start('https://console.example');
    const start = await behindProxy.request('/sign-in');
    const [set = ''] = start.headers.getSetCookie();
    const { searchParams } = new URL(start.headers.get('location') ?? '');
    behindProxy.claims = { sub: '17', roles: ['operator'], nonce: searchParams.get('nonce') };
    const done = await behindProxy.request(
      `/sign-in/callback?code=x&state=${searchParams.get('state')}`,
      set.split(';')[0],
    );
    const session = done.headers.getSetCookie().find((text) => text.startsWith('__Host-session=')) ?? '';
    await behindProxy.stop();
    expect(set).toMatch(/^__Host-sign-in-[\w-]{17}=/);
    for (const cookie of [set, session])
      expect(cookie.toLowerCase()).toMatch(/; path=\/; (expires=[^;]+; )?samesite=lax; secure; httponly$/);
  });
});
