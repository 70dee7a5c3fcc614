import { type Answer, codeOf, GatewayFixture, type TestGateway } from './testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

/** Every documentation page that can be reached by links from the overview, by its path. */
const pages = new Map<string, Answer>();

function* addressesIn({ text }: Answer): Generator<string> {
  for (const [, address = ''] of text.matchAll(/ (?:href|src|data-description)="([^"]+)"/g)) yield address;
}

const isLocal = (address: string) => !/^[a-z]+:/.test(address);

async function readRecursively(path: string): Promise<void> {
  if (pages.has(path)) return;
  const answer = await gateway.request(path);
  pages.set(path, answer);
  if (!String(answer.headers.get('content-type')).startsWith('text/html')) return;
  for (const address of addressesIn(answer)) {
    if (isLocal(address) && !address.startsWith('#')) await readRecursively(address.split('#')[0] ?? '');
  }
}

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  await readRecursively('/docs');
});
afterAll(() => fixture.stop());

test('every page and picture is reachable from the overview by links, without a key', () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      '/docs/quick-start',
      '/docs/idempotency-and-retries',
      '/docs/claims',
      '/docs/valuation',
      '/docs/webhooks',
      '/docs/events',
      '/docs/errors',
      '/docs/money',
      '/docs/sandbox',
      '/docs/versioning',
      '/docs/reference',
      '/v1/openapi.json',
      '/docs/operators/',
      '/docs/glossary',
      expect.stringMatching(/^\/docs\/assets\/claim-lifecycle\.[\w-]+\.svg$/),
    ]),
  );
  for (const [path, { status }] of pages) expect([path, status]).toEqual([path, 200]);
});

test('every response has the header that forbids guessing its type', () => {
  for (const [path, { headers }] of pages)
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
});

test('a file with a hash in its address is cached without a limit; a page is revalidated and not sent again', async () => {
  for (const [path, { headers, text }] of pages) {
    const isAsset = path.startsWith('/docs/assets/');
    const expected = isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
    expect([path, headers.get('cache-control')]).toEqual([path, expected]);
    const tag = headers.get('etag') ?? '';
    const revalidated = await gateway.request(path, {
      headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' },
    });
    expect([path, revalidated.status, revalidated.text, revalidated.headers.get('etag')]).toEqual([
      path,
      304,
      '',
      tag,
    ]);
    const plain = await gateway.request(path, { headers: { 'accept-encoding': 'identity' } });
    expect([path, plain.headers.get('content-encoding'), plain.text === text]).toEqual([path, null, true]);
    expect([path, Number(plain.headers.get('content-length'))]).toEqual([path, plain.bytes]);
  }
});

test('HEAD has the headers of GET and no body', async () => {
  for (const [path, { headers }] of pages) {
    const head = await gateway.request(path, { method: 'HEAD' });
    expect([path, head.status, head.text]).toEqual([path, 200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      expect([path, name, head.headers.get(name)]).toEqual([path, name, headers.get(name)]);
    }
  }
});

test('other methods of a page are 405, and unknown paths below it are 404', async () => {
  const { secret_key: key } = await fixture.project();
  for (const path of ['/docs/errors', '/v1/openapi.json']) {
    const posted = await gateway.request(path, { method: 'POST', key });
    expect([path, posted.status, posted.headers.get('allow'), codeOf(posted)]).toEqual([
      path,
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
  }
  for (const path of [
    '/docs/nothing',
    '/docs/errors/',
    '/docs/README',
    '/docs/errors.md',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/assets/',
    '/docs/404',
    '/docs/errors.html',
    '/docs/__proto__',
  ]) {
    const answer = await gateway.request(path);
    expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'resource_not_found']);
  }
});

test('a browser gets a page for an unknown address of the documentation, and is led from / to the documentation', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const unknown = await gateway.request('/docs/nothing', { headers });
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(unknown.headers.get('content-security-policy')).toContain("script-src 'self'");
  // The client follows the redirect.
  const start = await gateway.request('/', { headers });
  expect([start.status, start.text]).toEqual([200, pages.get('/docs')?.text]);
  for (const path of ['/', '/v1/nothing']) {
    const answer = await gateway.request(path, path === '/' ? {} : { headers });
    expect([path, answer.status, codeOf(answer)]).toEqual([
      path,
      path === '/' ? 404 : 401,
      expect.any(String),
    ]);
  }
});

test('a long header of content negotiation names no format, and is not parsed', async () => {
  const long = (value: string) => value + ', a/b'.repeat(2_000);
  const unknown = await gateway.request('/docs/nothing', { headers: { accept: long('text/html') } });
  expect([unknown.status, codeOf(unknown)]).toEqual([404, 'resource_not_found']);
  const page = await gateway.request('/docs', { headers: { 'accept-encoding': long('gzip') } });
  expect([page.status, page.headers.get('content-encoding')]).toEqual([200, null]);
});

test('requests for pages per address and minute are limited, without an effect on requests with a key', async () => {
  const limitedGateway = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  const key = (await fixture.project()).secret_key;
  const paths = ['/docs', '/docs/errors', '/v1/openapi.json', '/docs/reference'];
  const answers: Answer[] = [];
  // 12 requests exceed the limit of 5 even if a new minute starts between two of them.
  for (let index = 0; index < 12; index++) {
    answers.push(await limitedGateway.request(paths[index % paths.length] ?? ''));
  }
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  for (const answer of limited) {
    expect(codeOf(answer)).toBe('rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const limits = ['limit', 'remaining', 'reset'].map((name) => answer.headers.get(`x-ratelimit-${name}`));
    expect(limits).toEqual(['5', '0', expect.stringMatching(/^\d+$/)]);
  }
  expect((await limitedGateway.request('/v1/', { key })).status).toBe(200);
});
