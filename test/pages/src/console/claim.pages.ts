import { readFileSync } from 'node:fs';
import { Carecover, type ClaimId, type ClaimValuation } from '@carecover/client';
import { runJourney } from '@carecover/local/journey';
import { fc } from '@carecover/testing';
import { eventually } from '@carecover/testing/servers';
import type { Page } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { LOOKS, ON_DESKTOP, ON_PHONE, violations } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';
import { confirmEffect, enter, tabTo } from './keyboard';

let visitor: ConsoleVisitor;
let client: Carecover;
let claimId: ClaimId;
let path: string;
/** The paths of the console's pages about the test's project. */
let pages: readonly string[];

beforeAll(async () => {
  visitor = await ConsoleVisitor.start();
  const { file } = visitor.test.stack;
  const dispatcher = new Agent({ connect: { ca: readFileSync(file.ca_certificate) } });
  client = new Carecover({
    apiKey: file.secret_key,
    baseUrl: file.base_url,
    fetch: ((url: string, init: object) =>
      undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch,
  });
  const journey = await runJourney(file, { print: () => undefined, verifyLedger: async () => undefined });
  ({ claimId } = journey);
  path = visitor.inProject(`/claims/${claimId}`);
  const rejected = client.claims.cancel(claimId, { reason_code: 'not_wanted' });
  await expect(rejected).rejects.toMatchObject({ code: 'invalid_state' });
  const run = await client.valuationRuns.create({
    valuation_at: new Date().toISOString(),
    kind: 'development',
    development: { origin: 'service_month', step: 'month', measures: ['outstanding', 'claim_count'] },
  });
  await eventually('the run is ready', async () => {
    return (await client.valuationRuns.retrieve(run.id)).status === 'ready';
  });
  pages = [
    ...['/today', '/search?q=nothing', '/claims', `/claims/${claimId}`, '/preauthorizations', '/remittances'],
    ...['/adjudications', '/bulk-jobs'],
    ...[
      '/close-day',
      '/receivables',
      '/valuation-runs',
      `/valuation-runs/${run.id}`,
      `/remittances/${journey.remittanceId}`,
    ],
    `/preauthorizations/${journey.preauthorizationIds[0]}`,
  ];
});
afterAll(() => visitor?.stop());

/** The texts of the rows of the table at cutoff A, by the name of the row. */
const TABLE = `Object.fromEntries([...document.querySelectorAll('#details .tt-table tr[data-name]')].map((row) => [row.dataset.name,
  [...row.querySelectorAll('td')].map((cell) => cell.textContent)]))`;

function readTable(page: Page): Promise<Record<string, string[]>> {
  return page.evaluate(TABLE);
}

/** Formats an amount as the table does; null: there is no decision. */
function amountText(amount: number | null): string {
  if (amount === null) return 'no decision';
  return (amount / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
}

function textsOf({ status, amount }: ClaimValuation): Record<string, string[]> {
  const amounts = Object.entries(amount).map(([name, value]) => [name, [amountText(value)]]);
  return { status: [status.replaceAll('_', ' ')], ...Object.fromEntries(amounts) };
}

/** Moves cutoff A as the browser does while the slider is dragged. */
async function slideTo(page: Page, cutoff: number): Promise<string> {
  await page.locator('#slider-a').evaluate((input: HTMLInputElement, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event('input'));
  }, cutoff);
  const at = new Date(cutoff).toISOString();
  await page.locator(`#view[data-at="${at}"]`).waitFor();
  return at;
}

/** Collects the addresses that the page requests from now on, but for its files, which the browser requests when it likes. */
function requestsOf(page: Page): readonly string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/assets/')) requests.push(request.url());
  });
  return requests;
}

/** The first fact and the end of the calendar in epoch milliseconds. */
async function calendarOf(page: Page): Promise<{ first: number; now: number }> {
  const story = JSON.parse((await page.locator('#two-times').getAttribute('data-story')) ?? '');
  return { first: Date.parse(story.facts[0].recorded_at), now: Date.parse(story.now) };
}

test("the table equals the claim's valuation at 50 cutoffs on both axes, without a request", () =>
  during(visitor.visit(path, 'viewer'), async ({ page, troubles }) => {
    await page.waitForLoadState();
    const { first, now } = await calendarOf(page);
    const requests = requestsOf(page);
    for (const [link, knownAt] of [
      ['as known then', null],
      ['as known now', new Date(now).toISOString()],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: first, max: now }), async (cutoff) => {
          const at = await slideTo(page, cutoff);
          const valuation = await client.claims.valuation(
            claimId,
            knownAt === null ? { valuation_at: at } : { valuation_at: knownAt, effective_through: at },
          );
          expect(await readTable(page)).toEqual(textsOf(valuation));
        }),
        { numRuns: 25 },
      );
    }
    expect([requests, troubles]).toEqual([[], []]);
  }));

test('a moved cutoff is in the address, and the page of this address is the same without a script', () =>
  during(visitor.visit(path, 'viewer'), async ({ page }) => {
    await page.waitForLoadState();
    const { first, now } = await calendarOf(page);
    const at = await slideTo(page, Math.round((first + now) / 2));
    await page.waitForURL((url) => url.searchParams.get('at') === at);
    const [sentence, table] = [await page.locator('#sentence').textContent(), await readTable(page)];
    const { pathname, search } = new URL(page.url());
    await during(visitor.visit(pathname + search, 'viewer', ON_DESKTOP, false), async (plain) => {
      expect(await plain.page.locator('#sentence').textContent()).toBe(sentence);
      expect(await plain.page.locator('#details .tt-table').innerText()).toBe(
        await page.locator('#details .tt-table').innerText(),
      );
      expect(await plain.page.locator('#slider-a').isVisible()).toBe(false);
      // A link of the controls, followed without a script.
      await plain.page.getByRole('link', { name: 'before the last change' }).first().click();
      expect(await plain.page.locator('#sentence').textContent()).toContain('as known on');
    });
    expect(table.status).toHaveLength(1);
  }));

test('the keys move a cutoff to the facts, days and ends, and a screen reader gets the instant and the sentence', () =>
  during(visitor.visit(path, 'viewer'), async ({ page, troubles }) => {
    await page.waitForLoadState();
    const { first, now } = await calendarOf(page);
    const at = async () => Date.parse((await page.locator('#view').getAttribute('data-at')) ?? '');
    const press = async (key: string) => {
      const before = await at();
      await page.keyboard.press(key);
      return eventually(`${key} moves the cutoff`, async () => {
        const after = await at();
        return after === before ? undefined : after;
      });
    };
    await tabTo(page, '#slider-a');
    expect(await at()).toBe(now);
    const last = await press('ArrowLeft');
    expect(last).toBeLessThan(now);
    expect(await page.locator('#sentence').textContent()).toContain('The claim was');
    const before = await press('ArrowLeft');
    expect(before).toBeLessThan(last);
    expect(await press('ArrowRight')).toBe(last);
    expect(await press('Home')).toBeLessThan(first);
    expect(await page.locator('#sentence').textContent()).toContain('the claim did not exist');
    expect(await press('ArrowRight')).toBe(first);
    expect(await press('End')).toBe(now);
    const text = await page.locator('#slider-a').getAttribute('aria-valuetext');
    expect(text).toMatch(/^\d+ [A-Z][a-z]{2} \d{4}, /);
    await tabTo(page, '#slider-b');
    await page.keyboard.press('Home');
    await page.locator('.tt-cursor-b').first().waitFor({ state: 'attached' });
    expect(await page.locator('#sentence').textContent()).toMatch(/^Between .* we learned of \d+ facts: /);
    expect((await readTable(page)).settled).toEqual([
      'no claim',
      expect.any(String),
      expect.stringMatching(/^\+/),
    ]);
    expect(troubles).toEqual([]);
  }));

test.each([
  ['desktop', ON_DESKTOP],
  ['phone', ON_PHONE],
] as const)('the mouse moves A in the picture, with Shift B, and nothing else moves (%s)', (_name, look) =>
  during(visitor.visit(path, 'viewer', look), async ({ page, troubles }) => {
    await page.waitForLoadState();
    const picture = page.locator('.tt-picture').filter({ visible: true });
    const dots = () =>
      picture.evaluate((svg) =>
        [...svg.querySelectorAll('.tt-dot, .tt-label')].map(
          (each) => each.getAttribute('cx') ?? each.textContent,
        ),
      );
    await picture.scrollIntoViewIfNeeded();
    const before = await dots();
    const box = await picture.boundingBox();
    if (box === null) throw new Error('the picture is shown');
    const isTurned = (await picture.getAttribute('data-turned')) !== null;
    const point = (part: number) =>
      isTurned
        ? { x: box.x + box.width * 0.6, y: box.y + box.height * part }
        : { x: box.x + box.width * part, y: box.y + box.height * 0.4 };
    const at = async () => Date.parse((await page.locator('#view').getAttribute('data-at')) ?? '');
    const now = await at();
    const [middle, early] = [point(0.7), point(0.3)];
    await page.mouse.click(middle.x, middle.y);
    await eventually('cutoff A is earlier', async () => (await at()) < now);
    const first = await at();
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(early.x, early.y, { steps: 10 });
    await page.mouse.up();
    await eventually('cutoff A is earlier', async () => (await at()) < first);
    await page.keyboard.down('Shift');
    await page.mouse.click(middle.x, middle.y);
    await page.keyboard.up('Shift');
    await page.locator('.tt-cursor-b').filter({ visible: true }).first().waitFor();
    expect(await page.locator('#sentence').textContent()).toMatch(/^Between /);
    expect(await dots()).toEqual(before);
    expect(troubles).toEqual([]);
  }),
);

test('each link moves the cutoffs without a request, and says which one is shown', () =>
  during(visitor.visit(path, 'viewer'), async ({ page }) => {
    await page.waitForLoadState();
    const compare = page.locator('.tt-links').nth(1);
    const requests = requestsOf(page);
    await compare.getByRole('link', { name: 'before the last change' }).click();
    await page.locator('.tt-ring').first().waitFor({ state: 'attached' });
    expect(await compare.locator('[aria-current]').innerText()).toBe('before the last change');
    expect(await page.locator('#sentence').textContent()).toMatch(/we learned of \d+ facts?: /);
    await compare.getByRole('link', { name: 'nothing' }).click();
    await page.locator('.tt-cursor-b').first().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Show the claim after fact 1', exact: true }).click();
    await page.getByText('The claim was submitted').waitFor();
    expect(requests).toEqual([]);
  }));

/** The drawn boxes of all texts of the picture that is shown, and the ones that meet or leave it. The tags of cursors can be over labels. */
const DRAWN = `(() => {
  const picture = [...document.querySelectorAll('.tt-picture')].find((each) => each.getBoundingClientRect().width > 0);
  const frame = picture.getBoundingClientRect();
  const texts = [...picture.querySelectorAll('text:not(.tt-tag)')].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect(),
    size: parseFloat(getComputedStyle(text).fontSize) * (frame.width / picture.viewBox.baseVal.width) }));
  const meets = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return {
    smallest: Math.min(...texts.map(({ size }) => size)),
    problems: texts.flatMap(({ text, box }, index) => [
      ...(box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1 ? [text + ' leaves the picture'] : []),
      ...texts.slice(index + 1).filter((other) => meets(box, other.box)).map((other) => text + ' meets ' + other.text),
    ]),
  };
})()`;

test.each([320, 390, 768, 1024, 1440, 1920])(
  'at %s px no text of the picture meets another one or is smaller than 11 px, and nothing scrolls sideways',
  (width) =>
    during(
      visitor.visit(path, 'viewer', { viewport: { width, height: 900 }, colorScheme: 'light' }),
      async ({ page }) => {
        await page.waitForLoadState();
        const { smallest, problems } = await page.evaluate<{ smallest: number; problems: string[] }>(DRAWN);
        expect(problems).toEqual([]);
        expect(smallest).toBeGreaterThanOrEqual(10.99);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          width,
        );
      },
    ),
);

test('in forced colors the parts of the picture are drawn with the colors of the system', () =>
  during(visitor.visit(path, 'viewer'), async ({ page }) => {
    await page.waitForLoadState();
    const fill = () =>
      page
        .locator('.tt-known .tt-dot')
        .first()
        .evaluate((dot) => getComputedStyle(dot).fill);
    const before = await fill();
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await fill()).not.toBe(before);
    expect(await page.locator('.tt-picture').filter({ visible: true }).count()).toBe(1);
  }));

test('a claim shows the commands that were rejected', () =>
  during(visitor.visit(path, 'viewer'), async ({ page }) => {
    const row = page.locator('tr', { hasText: 'invalid_state' });
    expect((await row.locator('td').allTextContents())[1]).toBe('cancel claim');
  }));

test.each(LOOKS)('axe finds nothing on any page, and no page scrolls sideways (%s)', (_name, look) =>
  during(visitor.visit('/', 'administrator', look), async (visit) => {
    for (const name of pages) {
      await visit.page.goto(visitor.origin + visitor.inProject(name));
      expect([name, await violations(visit)]).toEqual([name, []]);
      const width = await visit.page.evaluate('document.documentElement.scrollWidth');
      expect([name, Number(width) <= look.viewport.width]).toEqual([name, true]);
      if (process.env.PICTURES)
        await visit.page.screenshot({
          path: `${process.env.PICTURES}/${_name.replace(', ', '-')}-${name.replace(/\W/g, '')}.png`,
          fullPage: true,
        });
    }
    expect(visit.troubles).toEqual([]);
  }),
);

test('each page has at most 60 kB compressed, with its stylesheet and scripts', () =>
  during(visitor.visit('/', 'administrator', ON_DESKTOP), async ({ page }) => {
    for (const name of pages) {
      await page.goto(visitor.origin + visitor.inProject(name));
      const bytes = Number(
        await page.evaluate(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`),
      );
      expect([name, bytes > 1_000 && bytes <= 60_000, bytes]).toEqual([name, true, bytes]);
    }
  }));

test('an operator reverses a claim with the keyboard alone, and the audit log names the person', () =>
  during(visitor.visit(path, 'operator'), async ({ page }) => {
    await page.locator('#reversal_reason').focus();
    await page.keyboard.type('duplicate_payment');
    await enter(page);
    await confirmEffect(page);
    await page.waitForURL(`${visitor.origin}${path}`);
    await page.locator('p > .status.reversed').waitFor();
    const entries = await visitor.test.operator<{ actor: string; action: string; subject: string }[]>(
      'audit',
      'list',
      '--limit',
      '5',
    );
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'demo-operator',
        action: 'claim.reverse',
        subject: claimId,
      }),
    );
  }));

test('a person without the permission sees no form, and an act of theirs is an unknown page', () =>
  during(visitor.visit(path, 'viewer'), async ({ page }) => {
    expect(await page.getByRole('heading', { name: 'Acts', exact: true }).count()).toBe(0);
    const csrf = (await page.locator('input[name="csrf"]').first().getAttribute('value')) ?? '';
    const answer = await page.request.post(`${visitor.origin}${path}/reversals`, {
      form: { csrf, key: 'a-key-of-the-test', reversal_reason: 'duplicate_payment' },
    });
    expect(answer.status()).toBe(404);
  }));

test('a claim of another project is shown as an unknown one', async () => {
  const other = await visitor.test.operator<{ project_id: string }>(
    'projects',
    'create',
    'Another',
    '--environment',
    'sandbox',
  );
  await during(visitor.visit('/', 'administrator'), async ({ page }) => {
    const texts: string[] = [];
    for (const id of [claimId, 'clm_unknown', 'nonsense']) {
      const response = await page.goto(`${visitor.origin}/projects/${other.project_id}/claims/${id}`);
      expect(response?.status()).toBe(404);
      texts.push(await page.locator('main').innerText());
    }
    expect(new Set(texts).size).toBe(1);
  });
});
