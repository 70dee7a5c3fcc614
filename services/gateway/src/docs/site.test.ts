import { errorCodes, eventTypes } from '@carecover/contract';
import { type Answer, codeOf, GatewayFixture, type TestGateway } from '../testing/gateway-fixture';

let fixture: GatewayFixture;
let gateway: TestGateway;

/** Every page that can be reached from the overview, by its path. */
const pages = new Map<string, Answer>();

function* addressesIn({ text }: Answer): Generator<string> {
  for (const [, address = ''] of text.matchAll(/ (?:href|src|data-description)="([^"]+)"/g)) yield address;
}

const isOurs = (address: string) => !/^[a-z]+:/.test(address);

async function readAll(path: string): Promise<void> {
  if (pages.has(path)) return;
  const answer = await gateway.request(path);
  pages.set(path, answer);
  if (!String(answer.headers.get('content-type')).startsWith('text/html')) return;
  for (const address of addressesIn(answer)) {
    if (isOurs(address) && !address.startsWith('#')) await readAll(address.split('#')[0] ?? '');
  }
}

beforeAll(async () => {
  fixture = await GatewayFixture.start();
  gateway = await fixture.gateway();
  await readAll('/docs');
});
afterAll(() => fixture.stop());

const htmlPages = () =>
  [...pages].filter(([, { headers }]) => String(headers.get('content-type')).startsWith('text/html'));

test('from the overview, every page, picture and link within them is reached without a key', () => {
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
      expect.stringMatching(/^\/docs\/assets\/claim-lifecycle\.[\w-]+\.svg$/),
    ]),
  );
  for (const [path, { status }] of pages) expect([path, status]).toEqual([path, 200]);
});

test('every link to a section leads to one', () => {
  for (const [path, answer] of htmlPages()) {
    for (const address of addressesIn(answer)) {
      const [target = '', section] = address.split('#');
      // What the viewer of the reference shows comes into being in the browser.
      if (!isOurs(address) || section === undefined || section.startsWith('operations-tag-')) continue;
      const text = target === '' ? answer.text : pages.get(target)?.text;
      expect([path, address, text?.includes(`id="${section}"`)]).toEqual([path, address, true]);
    }
  }
});

test('nothing is loaded from another host, and nothing inline would be run', () => {
  for (const [path, { text, headers }] of htmlPages()) {
    expect([path, text.match(/<(?:script|link|img)[^>]+(?:src|href)="(?!\/docs\/)[^"]*"/g)]).toEqual([
      path,
      null,
    ]);
    expect([path, text.match(/<style|<script(?! src=)| style=| on\w+=/g)]).toEqual([path, null]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a page has one title, its language, a way past the navigation, and says where one is', () => {
  for (const [path, { text }] of htmlPages()) {
    expect([path, text.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
    expect(text).toContain('<html lang="en"');
    expect(text.indexOf('<a class="skip" href="#content">')).toBeLessThan(text.indexOf('<nav'));
    expect([path, text]).toEqual([path, expect.stringContaining(`href="${path}" aria-current="page"`)]);
    for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/alt="[^"]{10,}" width="\d+"/);
  }
});

test('every code and every event stands on its page; what is for editors does not', () => {
  for (const code of Object.keys(errorCodes))
    expect(pages.get('/docs/errors')?.text).toContain(`id="${code}"`);
  for (const type of eventTypes) expect(pages.get('/docs/events')?.text).toContain(`<code>${type}</code>`);
  for (const [, { text }] of htmlPages()) expect(text).not.toMatch(/<!--|&lt;!--|UPDATE_DOCS/);
});

test('what has a hash in its address may be kept for ever, the rest is asked for again and not sent again', async () => {
  for (const [path, { headers, text }] of pages) {
    const isAsset = path.startsWith('/docs/assets/');
    const kept = isAsset ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
    expect([path, headers.get('cache-control')]).toEqual([path, kept]);
    const tag = headers.get('etag') ?? '';
    const again = await gateway.request(path, {
      headers: { 'if-none-match': tag, 'cache-control': 'max-age=0' },
    });
    expect([path, again.status, again.text, again.headers.get('etag')]).toEqual([path, 304, '', tag]);
    const plain = await gateway.request(path, { headers: { 'accept-encoding': 'identity' } });
    expect([path, plain.headers.get('content-encoding'), plain.text === text]).toEqual([path, null, true]);
    expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(text));
  }
});

test('HEAD answers as GET without a body', async () => {
  for (const [path, { headers }] of pages) {
    const head = await gateway.request(path, { method: 'HEAD' });
    expect([path, head.status, head.text]).toEqual([path, 200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      expect([path, name, head.headers.get(name)]).toEqual([path, name, headers.get(name)]);
    }
  }
});

test('a page has no other methods, and below it there is nothing else', async () => {
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
    '/docs/assets/swagger-ui.css',
    '/docs/__proto__',
  ]) {
    const answer = await gateway.request(path);
    expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'resource_not_found']);
  }
});

test('what one address may ask for in a minute is bounded, and costs its keys nothing', async () => {
  const bounded = await fixture.gateway({ UNAUTHENTICATED_LIMIT: '5' });
  const key = (await fixture.project()).secret_key;
  const paths = ['/docs', '/docs/errors', '/v1/openapi.json', '/docs/reference'];
  const answers: Answer[] = [];
  // So many that the end of a minute among them still leaves too many for one.
  for (let asked = 0; asked < 12; asked++) {
    answers.push(await bounded.request(paths[asked % paths.length] ?? ''));
  }
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited.length).toBeGreaterThan(0);
  for (const answer of limited) {
    expect(codeOf(answer)).toBe('rate_limited');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const limits = ['limit', 'remaining', 'reset'].map((name) => answer.headers.get(`x-ratelimit-${name}`));
    expect(limits).toEqual(['5', '0', expect.stringMatching(/^\d+$/)]);
  }
  expect((await bounded.request('/v1/', { key })).status).toBe(200);
});
