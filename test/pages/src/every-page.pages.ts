// What holds for every page: it is quiet, asks nobody else, fits a phone, and is whole for keyboards and screen readers.
import { LOOKS, leave, ON_DESKTOP, ON_PHONE, PHONE, seriousFindings, Visitor } from './visit';

const PATHS = [
  '/docs',
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
];

let visitor: Visitor;

beforeAll(async () => {
  visitor = await Visitor.start();
});
afterAll(() => visitor?.stop());

/** Runs in the page: what is focused, whether one can see that and it, and a name to know it by. */
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

/** Runs in the page: what can be used or scrolled and was never focused. */
const MISSED = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0)
  .filter((element) => !window.visited.has(element))
  .map((element) => element.outerHTML.slice(0, 120))`;

interface Focused {
  readonly name: string;
  readonly marked: boolean;
  readonly inView: boolean;
}

test('these are all the pages', async () => {
  const visit = await visitor.visit('/docs', ON_DESKTOP);
  const listed = await visit.page.evaluate<string[]>(
    `[...document.querySelectorAll('#pages > ul > li > a')].map((link) => link.getAttribute('href'))`,
  );
  expect(listed.sort()).toEqual([...PATHS].sort());
  await leave(visit);
});

describe.each(PATHS)('%s', (path) => {
  test.each(LOOKS)(
    'on %s: it is quiet, asks nobody else, fits the screen, and axe finds nothing serious',
    async (_name, look) => {
      const visit = await visitor.visit(path, look);
      const width = await visit.page.evaluate<number>('document.documentElement.scrollWidth');
      expect([width <= look.viewport.width, visit.troubles]).toEqual([true, []]);
      expect(await seriousFindings(visit)).toEqual([]);
      await leave(visit);
    },
  );

  test.each([
    ['desktop', ON_DESKTOP],
    ['phone', ON_PHONE],
  ])('on %s: the keyboard reaches everything, and one always sees where one is', async (_name, look) => {
    const visit = await visitor.visit(path, look);
    const { page } = visit;
    const lost: Focused[] = [];
    for (let steps = 0; ; steps++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused | null>(FOCUSED);
      if (focused === null || steps > 1_000) break;
      if (steps === 0) expect(focused.name).toContain('class="skip"');
      if (!focused.marked || !focused.inView) lost.push(focused);
    }
    expect(lost).toEqual([]);
    expect(await page.evaluate(MISSED)).toEqual([]);
    await leave(visit);
  });

  test('the first key leads past the navigation to the text', async () => {
    const visit = await visitor.visit(path, ON_DESKTOP);
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    expect(await visit.page.evaluate('document.activeElement.id')).toBe('content');
    await leave(visit);
  });

  test('on a phone the list of pages opens and closes by keyboard', async () => {
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
    await leave(visit);
  });
});

test('the link of an error leads to its place on the page, in sight', async () => {
  const visit = await visitor.visit('/docs/errors#rate_limited', ON_PHONE);
  const top = await visit.page.evaluate<number>(
    `document.getElementById('rate_limited').getBoundingClientRect().top`,
  );
  const header = await visit.page.evaluate<number>(
    `document.querySelector('.top').getBoundingClientRect().bottom`,
  );
  expect(top).toBeGreaterThanOrEqual(header);
  expect(top).toBeLessThan(PHONE.height / 2);
  await leave(visit);
});
