// Checks that the reference page shows the whole API contract. The requests that it can send are in try-it.pages.ts.
import { eventTypes, operationList } from '@carecover/contract';
import { closeVisit, LOOKS, ON_DESKTOP, seriousFindings, type Visit, Visitor } from './visit';

let visitor: Visitor;
let visit: Visit;

beforeAll(async () => {
  visitor = await Visitor.start();
});
beforeEach(async () => {
  visit = await visitor.visit('/docs/reference', ON_DESKTOP);
});
afterEach(() => closeVisit(visit));
afterAll(() => visitor?.stop());

test('every operation and every event is shown', async () => {
  const { page } = visit;
  for (const { id, summary } of operationList) {
    const shown = page.locator(`[id$="-${id}"]`);
    expect([id, await shown.count()]).toEqual([id, 1]);
    expect(await shown.textContent()).toContain(summary);
  }
  const text = await page.locator('.operations').textContent();
  for (const type of eventTypes) expect(text).toContain(type);
});

test('every section that the list of pages links to exists', async () => {
  const { page } = visit;
  await page.locator('.opblock').first().waitFor();
  const links = `[...document.querySelectorAll('.VPSidebar a[href*="/reference#"]')]`;
  const missing = `${links}.map(({ hash }) => hash.slice(1)).filter((section) => document.getElementById(section) === null)`;
  expect(await page.evaluate(`${links}.length`)).toBeGreaterThan(5);
  expect(await page.evaluate(missing)).toEqual([]);
});

test('the keyboard opens an operation with its fields, example and errors', async () => {
  const { page, troubles } = visit;
  const operation = page.locator('[id$="-createClaim"]');
  await operation.locator('button').first().focus();
  await page.keyboard.press('Enter');
  const body = operation.locator('.opblock-body');
  await body.getByText('Idempotency-Key').first().waitFor();
  const text = await body.textContent();
  for (const expected of ['INV-2025-0042', 'X-RateLimit-Remaining', '422', 'authorization_required']) {
    expect(text).toContain(expected);
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

test('a link to an operation opens it', async () => {
  const { page } = visit;
  await page.goto('about:blank');
  await page.goto(`${visitor.origin}/docs/reference#/Claims/getClaimValuation`);
  await page.locator('[id$="-getClaimValuation"] .responses-table').waitFor();
});

test.each(LOOKS)(
  'on %s: an open operation has no horizontal scrolling and no serious axe findings',
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
    await closeVisit(opened);
  },
);
