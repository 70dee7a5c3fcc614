// Checks every documentation page: no console messages, no requests to other hosts, no horizontal scrolling, accessibility.
import { closeVisit, LOOKS, ON_DESKTOP, ON_PHONE, PHONE, seriousFindings, Visitor } from './visit';

const PATHS = [
  '/docs',
  '/docs/quick-start',
  '/docs/idempotency-and-retries',
  '/docs/claims',
  '/docs/valuation',
  '/docs/valuation-runs',
  '/docs/webhooks',
  '/docs/events',
  '/docs/errors',
  '/docs/money',
  '/docs/sandbox',
  '/docs/versioning',
  '/docs/reference',
];

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

/** JavaScript that the page executes. It returns the interactive elements that did not get the focus. */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0)
  .filter((element) => !window.visited.has(element))
  .map((element) => element.outerHTML.slice(0, 120))`;

interface Focused {
  readonly name: string;
  readonly marked: boolean;
  readonly inView: boolean;
}

test('PATHS contains all pages', async () => {
  const visit = await visitor.visit('/docs', ON_DESKTOP);
  const listed = await visit.page.evaluate<string[]>(
    `[...document.querySelectorAll('#pages > ul > li > a')].map((link) => link.getAttribute('href'))`,
  );
  expect(listed.sort()).toEqual([...PATHS].sort());
  await closeVisit(visit);
});

describe.each(PATHS)('%s', (path) => {
  test.each(LOOKS)(
    'on %s: no console messages or requests to other hosts, no horizontal scrolling, no serious axe findings',
    async (_name, look) => {
      const visit = await visitor.visit(path, look);
      const width = await visit.page.evaluate<number>('document.documentElement.scrollWidth');
      expect([width <= look.viewport.width, visit.troubles]).toEqual([true, []]);
      expect(await seriousFindings(visit)).toEqual([]);
      await closeVisit(visit);
    },
  );

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
      if (steps === 0) expect(focused.name).toContain('class="skip"');
      if (!focused.marked || !focused.inView) invisible.push(focused);
    }
    expect(invisible).toEqual([]);
    expect(await page.evaluate(MISSED)).toEqual([]);
    await closeVisit(visit);
  });

  test('the skip link moves the focus past the navigation to the content', async () => {
    const visit = await visitor.visit(path, ON_DESKTOP);
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('content');
    await closeVisit(visit);
  });

  test('on a phone the keyboard opens and closes the list of pages', async () => {
    const visit = await visitor.visit(path, ON_PHONE);
    const { page } = visit;
    const list = page.locator('#pages');
    expect(await list.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pages', exact: true }).focus();
    await page.keyboard.press('Enter');
    expect(await list.isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.getElementById('pages').contains(document.activeElement)`)).toBe(
      true,
    );
    await page.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    await closeVisit(visit);
  });
});

test('the link of an error scrolls its section into view', async () => {
  const visit = await visitor.visit('/docs/errors#rate_limited', ON_PHONE);
  const top = await visit.page.evaluate<number>(
    `document.getElementById('rate_limited').getBoundingClientRect().top`,
  );
  const header = await visit.page.evaluate<number>(
    `document.querySelector('.top').getBoundingClientRect().bottom`,
  );
  expect(top).toBeGreaterThanOrEqual(header);
  expect(top).toBeLessThan(PHONE.height / 2);
  await closeVisit(visit);
});
