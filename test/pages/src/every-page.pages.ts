// Checks every documentation page: no console messages, no requests to other hosts, nothing clipped, accessibility, keyboard, search.
import { addressOf, readDocsPages } from '@carecover/docs-site/pages';
import { closeVisit, LOOKS, ON_DESKTOP, ON_PHONE, PHONE, seriousFindings, Visitor } from './visit';

const pathOf = ({ file }: { file: string }) => `/docs${addressOf(file)}`;
/** The paths of all documentation pages. The list is read from the pages' sources, so that it includes every new page. */
const PATHS = readDocsPages().map(pathOf);
/** The paths of the pages for the detailed checks: the guides, the reference, and an operators' page with wide tables. */
const KINDS = PATHS.filter((path) => path.split('/').length === 3 || path === '/docs/operators/settings');

let visitor: Visitor;

beforeAll(async () => {
  visitor = await Visitor.start();
});
afterAll(() => visitor?.stop());

/** JavaScript that the page executes. It returns the focused element, whether its focus is visible, and whether it is in the viewport. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  window.visited ??= new Set();
  window.visited.add(element);
  return {
    name: element.outerHTML.slice(0, 120),
    marked: (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1.5) || style.boxShadow !== 'none',
    inView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
  };
})()`;

/**
 * JavaScript that the page executes. It returns the interactive elements that did not get the focus. In a group of radio buttons, the Tab
 * key reaches the checked one, and the arrow keys the others.
 */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0)
  .filter((element) => !window.visited.has(element) && (element.type !== 'radio' || element.checked))
  .map((element) => element.outerHTML.slice(0, 120))`;

interface Focused {
  readonly name: string;
  readonly marked: boolean;
  readonly inView: boolean;
}

/**
 * JavaScript that the page executes. It returns the elements that extend beyond the right edge of the window and are in no scrollable
 * region.
 */
const CLIPPED = `[...document.querySelectorAll('.vp-doc *')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
  .filter((element) => {
    for (let region = element.parentElement; region !== null; region = region.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(region).overflowX)) return false;
    return true;
  })
  .map((element) => element.outerHTML.slice(0, 120))`;

test.each(LOOKS)(
  'at %s, every page has no console messages, requests to other hosts or serious axe findings, and nothing is clipped',
  async (_name, look) => {
    const found: unknown[] = [];
    for (const path of PATHS) {
      const visit = await visitor.visit(path, look);
      const width = await visit.page.evaluate<number>('document.documentElement.scrollWidth');
      const clipped = await visit.page.evaluate<string[]>(CLIPPED);
      const wide = width > look.viewport.width ? [`${width} px wide`] : [];
      const problems = [...visit.troubles, ...clipped, ...wide, ...(await seriousFindings(visit))];
      if (problems.length > 0) found.push([path, problems]);
      await closeVisit(visit);
    }
    expect(found).toEqual([]);
  },
  600_000,
);

describe.each(KINDS)('%s', (path) => {
  test.each([
    ['desktop', ON_DESKTOP],
    ['phone', ON_PHONE],
  ])('on %s: the keyboard reaches every element, and the focus is always visible', async (_name, look) => {
    const visit = await visitor.visit(path, look);
    const { page } = visit;
    const invisible: Focused[] = [];
    for (let steps = 0; ; steps++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused | null>(FOCUSED);
      if (focused === null || steps > 1_000) break;
      if (steps === 0) expect(focused.name).toMatch(/class="(skip|VPSkipLink)/);
      if (!focused.marked || !focused.inView) invisible.push(focused);
    }
    expect(invisible).toEqual([]);
    expect(await page.evaluate(MISSED)).toEqual([]);
    await closeVisit(visit);
  });

  test('the skip link moves the focus past the navigation to the content', async () => {
    const visit = await visitor.visit(path, ON_DESKTOP);
    // The test waits for the script of the page. Before the script has started, the skip link scrolls to the content but does not move the
    // focus.
    await visit.page.waitForFunction(`'__vue_app__' in document.querySelector('#app')`);
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('VPContent');
    await closeVisit(visit);
  });

  test('on a phone the keyboard opens and closes the list of pages', async () => {
    const visit = await visitor.visit(path, ON_PHONE);
    const { page } = visit;
    const list = page.locator('.VPSidebar');
    await list.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Menu', exact: true }).focus();
    await page.keyboard.press('Enter');
    await list.waitFor({ state: 'visible' });
    await page.keyboard.press('Tab');
    const hasFocus = `document.querySelector(".VPSidebar").contains(document.activeElement)`;
    expect(await page.evaluate(hasFocus)).toBe(true);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await closeVisit(visit);
  });
});

test('a request has its method and path, and tabs that change its text', async () => {
  const visit = await visitor.visit('/docs/claims', ON_DESKTOP);
  const group = visit.page.locator('.vp-code-group').first();
  expect(await group.locator('.active').innerText()).toContain('curl -X POST');
  await group.getByText('TypeScript', { exact: true }).click();
  expect(await group.locator('.active').innerText()).toContain('await carecover.claims.submit(');
  expect(visit.troubles).toEqual([]);
  await closeVisit(visit);
});

test('a chosen language is shown in every group of tabs, on other pages and after a reload', async () => {
  const visit = await visitor.visit('/docs/claims', ON_DESKTOP);
  const { page, troubles } = visit;
  const last = page.locator('.vp-code-group').last();
  const tab = last.getByText('Python', { exact: true });
  // Returns the tab's vertical position in the window, rounded to a pixel. It must not change when other groups of tabs change their
  // height.
  const position = async () => Math.round((await tab.boundingBox())?.y ?? Number.NaN);
  await tab.scrollIntoViewIfNeeded();
  const before = await position();
  await tab.click();
  expect(Math.abs((await position()) - before)).toBeLessThanOrEqual(1);
  const titles = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.vp-code-group input:checked + label')].map((label) => label.textContent)`,
    );
  const shown = () => page.locator('.vp-code-group .blocks > .active').allInnerTexts();
  expect(new Set(await titles())).toEqual(new Set(['Python']));
  for (const text of await shown()) expect(text).toContain('import');
  await page.locator('.VPSidebar').getByText('Quick start', { exact: true }).click();
  await page.waitForURL('**/docs/quick-start');
  const receiver = page.locator('.vp-code-group', { hasText: 'ThreadingHTTPServer' });
  await receiver.waitFor();
  expect(new Set(await titles())).toEqual(new Set(['Python']));
  expect(await receiver.locator('.blocks > .active').innerText()).toContain('ThreadingHTTPServer');
  await receiver.getByText('JavaScript', { exact: true }).click();
  await page.goto(`${visitor.origin}/docs/claims`);
  await page.waitForFunction(`document.querySelector('.vp-code-group .active').innerText.startsWith('ts')
    || document.querySelector('.vp-code-group .active').innerText.includes('await carecover')`);
  expect(new Set(await titles())).toEqual(new Set(['TypeScript']));
  expect(troubles).toEqual([]);
  await closeVisit(visit);
});

test('the search finds a page without a request to another host', async () => {
  const visit = await visitor.visit('/docs/', ON_DESKTOP);
  const { page } = visit;
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('rate_limited');
  await page.locator('.results a').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/errors#rate_limited');
  expect(visit.troubles).toEqual([]);
  await closeVisit(visit);
});

test('the reader can change the color scheme', async () => {
  const visit = await visitor.visit('/docs/', ON_DESKTOP);
  await visit.page.locator('.VPNavBarAppearance button').click();
  expect(await visit.page.evaluate(`document.documentElement.classList.contains('dark')`)).toBe(true);
  expect(visit.troubles).toEqual([]);
  await closeVisit(visit);
});

test('the link of an error scrolls its section into view', async () => {
  const visit = await visitor.visit('/docs/errors#rate_limited', ON_PHONE);
  const position = `document.getElementById('rate_limited').getBoundingClientRect().top`;
  await visit.page.waitForFunction(`${position} < ${PHONE.height / 2}`);
  expect(await visit.page.evaluate<number>(position)).toBeGreaterThanOrEqual(0);
  await closeVisit(visit);
});
