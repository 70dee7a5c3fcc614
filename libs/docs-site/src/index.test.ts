import { errorCodes, eventTypes } from '@carecover/contract';
import { createDocsSite } from '.';

const DESCRIPTION = '/v1/openapi.json';
const files = createDocsSite({ descriptionPath: DESCRIPTION });
const pages = [...files]
  .filter(([, { type }]) => type.startsWith('text/html'))
  .map(([path, { content, headers }]) => ({ path, text: String(content), headers }));
const textOf = (path: string) => String(files.get(path)?.content);

function* addressesIn(text: string): Generator<string> {
  for (const [, address = ''] of text.matchAll(/ (?:href|src|data-description)="([^"]+)"/g)) yield address;
}

const isLocal = (address: string) => !/^[a-z]+:/.test(address);

test('every page and picture is reachable from the overview by links, and every link has a target', () => {
  const reached = new Set<string>();
  const read = (path: string) => {
    if (reached.has(path) || path === DESCRIPTION) return;
    expect([path, files.has(path)]).toEqual([path, true]);
    reached.add(path);
    if (!files.get(path)?.type.startsWith('text/html')) return;
    for (const address of addressesIn(textOf(path)))
      if (isLocal(address) && !address.startsWith('#')) read(address.split('#')[0] ?? '');
  };
  read('/docs');
  // The overview has the paths `/docs` and `/docs/`. Links use `/docs`.
  expect([...reached, '/docs/'].sort()).toEqual([...files.keys()].sort());
});

test('every link to a section has a target', () => {
  for (const { path, text } of pages) {
    for (const address of addressesIn(text)) {
      const [target = '', section] = address.split('#');
      // Anchors that start with `operations-tag-` are not checked, because Swagger UI creates these sections in the browser.
      if (!isLocal(address) || section === undefined || section.startsWith('operations-tag-')) continue;
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
    expect([path, text.match(/<style|<script(?! src=)| style=| on\w+=/g)]).toEqual([path, null]);
    const policy = headers['Content-Security-Policy'];
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  }
});

test('a page has one title, its language, a skip link, and marks its entry in the navigation', () => {
  for (const { path, text } of pages.filter((page) => page.path !== '/docs/')) {
    expect([path, text.match(/<h1[ >]/g)?.length]).toEqual([path, 1]);
    expect(text).toContain('<html lang="en"');
    expect(text.indexOf('<a class="skip" href="#content">')).toBeLessThan(text.indexOf('<nav'));
    expect([path, text]).toEqual([path, expect.stringContaining(`href="${path}" aria-current="page"`)]);
    for (const [image] of text.matchAll(/<img [^>]*>/g)) expect(image).toMatch(/alt="[^"]{10,}" width="\d+"/);
  }
});

test('every code and event is on its page, and comments for editors are on none', () => {
  for (const code of Object.keys(errorCodes)) expect(textOf('/docs/errors')).toContain(`id="${code}"`);
  for (const type of eventTypes) expect(textOf('/docs/events')).toContain(`<code>${type}</code>`);
  for (const { text } of pages) expect(text).not.toMatch(/<!--|&lt;!--|UPDATE_DOCS/);
});
