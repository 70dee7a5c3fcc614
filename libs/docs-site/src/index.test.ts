import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, eventTypes } from '@carecover/contract';
import { createDocsSite, UNKNOWN_PAGE } from '.';
import { addressOf, navigation, readDocsPages } from './docs-pages';

const BASE = '/docs';
/** The path of the API description. It is not a file of the site: the gateway serves it. */
const DESCRIPTION = '/v1/openapi.json';
const files = createDocsSite();
const pages = [...files]
  .filter(([, { type }]) => type.startsWith('text/html'))
  .map(([path, { content, headers }]) => ({ path, text: String(content), headers }));
const textOf = (path: string) => String(files.get(path)?.content);

function* addressesIn(text: string): Generator<string> {
  for (const [, address = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) yield address;
}

const isLocal = (address: string) => !/^[a-z]+:/.test(address);

test('a folder without a built site has one page, which says how to build it', () => {
  const empty = createDocsSite(join(__dirname, 'nothing'));
  expect([...empty.keys()]).toEqual(['/docs', '/docs/']);
  const page = empty.get('/docs');
  expect(String(page?.content)).toContain('npx turbo run build --filter=@carecover/docs-site');
  expect(page?.headers['Cache-Control']).toBe('no-store');
});

test('every page under docs/ is built, and is in the navigation', () => {
  const addresses = readDocsPages().map(({ file }) => addressOf(file));
  expect(addresses.length).toBeGreaterThan(50);
  expect(addresses.filter((address) => !files.has(BASE + address))).toEqual([]);
  const lists = Object.values(navigation()).map((sections) =>
    sections.flatMap(({ items }) => items.map(({ link }) => link)),
  );
  expect([...new Set(lists.flat())].sort()).toEqual(addresses.sort());
  for (const list of lists)
    for (const each of list) expect(textOf(BASE + list[0])).toContain(`href="${BASE}${each}"`);
});

test('decisions and measurements are not listed beside the guides', () => {
  for (const folder of ['decisions', 'measurements'])
    expect(textOf('/docs/claims')).not.toMatch(new RegExp(`href="${BASE}/${folder}/\\w`));
});

test('every picture of the guides is built', () => {
  const pictures = readdirSync(join(__dirname, '../../../docs/guides/pictures'));
  const built = [...files.keys()].join('\n');
  for (const name of pictures)
    expect(built).toMatch(new RegExp(`/assets/${name.replace('.svg', '')}\\.[\\w-]+\\.svg`));
});

test('every link and every link to a section has a target', () => {
  for (const { path, text } of pages) {
    for (const address of addressesIn(text)) {
      if (!isLocal(address)) continue;
      const [target = '', section] = address.split('#');
      if (target === DESCRIPTION) continue;
      if (target !== '') expect([path, address, files.has(target)]).toEqual([path, address, true]);
      // Swagger UI creates the sections of the API reference in the browser, so the page's file does not contain the sections. A test in a
      // browser checks them.
      if (section === undefined || section.startsWith('operations-tag-')) continue;
      const found = target === '' ? text : textOf(target);
      expect([path, address, found.includes(`id="${section}"`)]).toEqual([path, address, true]);
    }
  }
});

test('no page loads content from another host or contains inline scripts or styles', () => {
  for (const { path, text, headers } of pages) {
    expect([path, text.match(/<(?:script|link|img)[^>]+(?:src|href)="(?!\/docs\/)[^"]*"/g)]).toEqual([
      path,
      null,
    ]);
    expect([path, text.match(/<style|<script(?![^>]* src=)|<[a-z][^>]* style=|<[a-z][^>]* on\w+=/g)]).toEqual(
      [path, null],
    );
    const policy = headers['Content-Security-Policy'];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});

test('a page has its language, one title and a skip link', () => {
  // The page for unknown addresses is rendered in the browser.
  for (const { path, text } of pages.filter((page) => page.path !== UNKNOWN_PAGE)) {
    expect([path, text.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
    expect(text).toContain('<html lang="en"');
    expect(text.indexOf('class="VPSkipLink')).toBeLessThan(text.indexOf('<nav'));
    for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/alt="[^"]{10,}"/);
  }
});

test('every code and event is on its page, and comments for editors are on none', () => {
  for (const code of Object.keys(errorCodes)) expect(textOf('/docs/errors')).toContain(`id="${code}"`);
  for (const type of eventTypes) expect(textOf('/docs/events')).toContain(`<code>${type}</code>`);
  for (const { text } of pages) expect(text).not.toMatch(/&lt;!--|UPDATE_DOCS/);
});

test('a request has its method and path above its tabs', () => {
  expect(textOf('/docs/claims')).toMatch(
    /<code>POST \/v1\/claims<\/code><\/p><div class="vp-code-group[\s\S]{0,600}?curl[\s\S]{0,300}?TypeScript[\s\S]{0,300}?Python[\s\S]{0,300}?Go/,
  );
});

test('the quick start has its whole program in three languages', () => {
  const [, program = ''] = textOf('/docs/quick-start').split('id="the-whole-program"');
  expect(program).toMatch(/data-title="JavaScript"[\s\S]*data-title="Python"[\s\S]*data-title="Go"/);
  expect(program).toContain('createServer');
  expect(program).toContain('ThreadingHTTPServer');
  expect(program).toContain('HandlerFunc');
});

test('the page about webhooks has every receiver, although its Markdown has only the links', () => {
  const [, receivers = ''] = textOf('/docs/webhooks').split('id="example-receivers"');
  expect(receivers).toMatch(
    /data-title="Express"[\s\S]*data-title="Fastify"[\s\S]*data-title="Koa"[\s\S]*data-title="Python"[\s\S]*data-title="Go"/,
  );
  for (const part of ['express', 'Fastify', 'Koa', 'createServer', 'ThreadingHTTPServer', 'HandlerFunc'])
    expect(receivers).toContain(part);
});
