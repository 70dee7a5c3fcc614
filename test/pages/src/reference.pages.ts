// The reference shows the whole contract, to be read and not to be sent from.
import { eventTypes, operationList } from '@carecover/contract';
import { LOOKS, leave, ON_DESKTOP, seriousFindings, type Visit, Visitor } from './visit';

let visitor: Visitor;
let visit: Visit;

beforeAll(async () => {
  visitor = await Visitor.start();
});
beforeEach(async () => {
  visit = await visitor.visit('/docs/reference', ON_DESKTOP);
});
afterEach(() => leave(visit));
afterAll(() => visitor?.stop());

test('every operation and every event is shown', async () => {
  const { page } = visit;
  for (const { id, summary } of operationList) {
    const shown = page.locator(`[id$="-${id}"]`);
    expect([id, await shown.count()]).toEqual([id, 1]);
    expect(await shown.textContent()).toContain(summary);
  }
  const text = await page.locator('#reference').textContent();
  for (const type of eventTypes) expect(text).toContain(type);
});

test('an operation opens by keyboard, with its fields, its example and its errors, and nothing goes wrong', async () => {
  const { page, troubles } = visit;
  const operation = page.locator('[id$="-createClaim"]');
  await operation.locator('button').first().focus();
  await page.keyboard.press('Enter');
  const body = operation.locator('.opblock-body');
  await body.getByText('Idempotency-Key').first().waitFor();
  const text = await body.textContent();
  for (const words of ['INV-2027-0042', 'X-RateLimit-Remaining', '422', 'authorization_required']) {
    expect(text).toContain(words);
  }
  expect(troubles).toEqual([]);
});

test('every operation opens without an error', async () => {
  const { page, troubles } = visit;
  for (const { id } of operationList) {
    const operation = page.locator(`[id$="-${id}"]`);
    await operation.locator('button').first().click();
    await operation.locator('.responses-table').waitFor();
    await operation.locator('button').first().click();
  }
  expect(troubles).toEqual([]);
}, 300_000);

test('no key is asked for and nothing is sent from the page', async () => {
  const { page } = visit;
  await page.locator('[id$="-createClaim"] button').first().click();
  await page.locator('[id$="-createClaim"] .responses-table').waitFor();
  for (const name of [/authorize/i, /try it out/i, /execute/i]) {
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  }
});

test('a link into the reference opens its operation', async () => {
  const { page } = visit;
  await page.goto('about:blank');
  await page.goto(`${visitor.origin}/docs/reference#/Claims/getClaimValuation`);
  await page.locator('[id$="-getClaimValuation"] .responses-table').waitFor();
});

test.each(LOOKS)(
  'on %s: an open operation fits the screen, and axe finds nothing serious in it',
  async (_name, look) => {
    const opened = await visitor.visit('/docs/reference#/Claims/adjudicateClaim', look);
    const operation = opened.page.locator('[id$="-adjudicateClaim"]');
    await operation.locator('.responses-table').waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(look.viewport.width);
    expect(await seriousFindings(opened)).toEqual([]);
    await operation.getByRole('tab', { name: 'Schema' }).first().click();
    await operation.getByText('line_number').first().waitFor();
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(look.viewport.width);
    expect(await seriousFindings(opened)).toEqual([]);
    await leave(opened);
  },
);
