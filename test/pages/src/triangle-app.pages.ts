/** Tests of the MCP app `ui://carecover/triangle` in a browser, in a host that follows MCP Apps. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { APP_SCRIPT, readApp } from '@carecover/charts/assets';
import { exampleIdentifier, operations, type ValuationRun } from '@carecover/contract';
import type { Browser, Frame, Page } from 'playwright-core';
import { type AppVisit, bundleApp, duringApp } from './app-visit';
import { launchBrowser } from './browser';
import { LOOKS, type Look, ON_DESKTOP, ON_PHONE, violations } from './visit';

const PICTURES = process.env.PAGES_PICTURES;

const RUN = exampleIdentifier('valuationRun');
const [schema] = operations.getValuationRun.success;
const [totals] = (schema.schema as unknown as { examples: [ValuationRun] }).examples;

const triangle: ValuationRun['triangle'] = {
  origins: ['2026-03-01', '2026-04-01', '2026-05-01'],
  valuation_dates: ['2026-03-31', '2026-04-30', '2026-05-31'],
  currencies: [
    {
      currency: 'KES',
      measures: [
        {
          measure: 'outstanding',
          rows: [
            [10_000_000, 19_000_000, -4_000_001],
            [null, 0, 10_000_000],
            [null, null, 123_456],
          ],
        },
        {
          measure: 'claim_count',
          rows: [
            [2, 3, 3],
            [null, 1, 1],
            [null, null, 4],
          ],
        },
      ],
    },
  ],
};
const development = { origin: 'service_month', step: 'month', measures: ['outstanding', 'claim_count'] };
const ready = {
  ...totals,
  kind: 'development',
  group_by: [],
  groups: [],
  group_count: 0,
  development,
  triangle,
};

/** Returns a run as the result of the tool `get_valuation_run`. */
function resultOf(run: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(run) }], structuredContent: run };
}

let browser: Browser;
let html: string;

beforeAll(async () => {
  bundleApp('libs/charts/src/app.ts', APP_SCRIPT);
  html = readApp();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Opens the app as after a call of `get_valuation_run`. @param later the run that the tool returns to the app */
function during(
  look: Look,
  result: object,
  work: (visit: AppVisit) => Promise<void>,
  later: object = ready,
): Promise<void> {
  const given = { valuation_run_id: RUN };
  return duringApp(browser, look, { html, given, result, callTool: () => resultOf(later) }, work);
}

const map = (frame: Frame) => frame.getByRole('group', { name: 'Heat map of outstanding' });
const cell = (frame: Frame) => frame.locator('#cell').innerText();

test('the app is one file without an address of another one', () => {
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).not.toMatch(/\b(src|href)="(https?:)?\//);
  expect(html).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|import\(/);
  expect(Buffer.byteLength(html)).toBeLessThan(40_000);
});

test('it shows the run of the tool with its cutoffs, and every value as it is in the run, without a further call', () =>
  during(ON_DESKTOP, resultOf(ready), async ({ frame, troubles, calls }) => {
    await map(frame).waitFor();
    const text = await frame.locator('main').innerText();
    for (const shown of ['2025-03-31 23:59:59.999 UTC', RUN, String(ready.result_sha256)])
      expect(text).toContain(shown);
    await frame.locator('summary').click();
    expect(await frame.locator('tbody tr').allInnerTexts()).toEqual([
      '2026-03-01\tKES 100,000.00\tKES 190,000.00\tKES -40,000.01',
      '2026-04-01\t\tKES 0.00\tKES 100,000.00',
      '2026-05-01\t\t\tKES 1,234.56',
    ]);
    expect(calls).toEqual([]);
    expect(troubles).toEqual([]);
  }));

test('a person chooses values by keys, by clicks and in both drawings, and another measure', () =>
  during(ON_DESKTOP, resultOf(ready), async ({ page, frame, troubles }) => {
    await map(frame).waitFor();
    expect(await cell(frame)).toBe(
      'outstanding, 2026-03-01, valued at 2026-05-31 (3 months): KES -40,000.01',
    );
    await map(frame).focus();
    await page.keyboard.press('ArrowLeft');
    expect(await cell(frame)).toContain('valued at 2026-04-30 (2 months): KES 190,000.00');
    await page.keyboard.press('ArrowDown');
    expect(await cell(frame)).toContain('2026-04-01, valued at 2026-04-30 (1 month): KES 0.00');
    expect(await frame.locator('.chosen-point').count()).toBe(1);
    await map(frame).locator('g').last().click();
    expect(await cell(frame)).toContain('2026-05-01, valued at 2026-05-31 (1 month): KES 1,234.56');
    await frame.locator('circle').first().click();
    expect(await cell(frame)).toContain('2026-03-01, valued at 2026-03-31 (1 month): KES 100,000.00');
    await frame.locator('#measure').selectOption({ label: 'claim count, KES' });
    expect(await cell(frame)).toBe('claim count, 2026-03-01, valued at 2026-05-31 (3 months): 3');
    expect(troubles).toEqual([]);
  }));

test('its axes have a label per period, valuation date and age, and round values', () =>
  during(ON_DESKTOP, resultOf(ready), async ({ frame }) => {
    await map(frame).waitFor();
    const labels = await frame.locator('svg > text').allTextContents();
    expect(labels).toEqual(
      expect.arrayContaining(['2026-03', '2026-05', '2026-03-01', '1', '3', '-50k', '0', '50k', '200k']),
    );
  }));

test.each(LOOKS)('it follows the theme of the host and is accessible (%s)', (name, look) =>
  during(look, resultOf(ready), async ({ page, frame, troubles }) => {
    await map(frame).waitFor();
    await frame.locator('summary').click();
    const ground = await frame.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(look.colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 25, 29)');
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await frame.evaluate(isWide)).toBe(false);
    expect(await violations({ page: frame as unknown as Page, troubles })).toEqual([]);
    expect(troubles).toEqual([]);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    const file = `triangle app ${name}.png`.replaceAll(/,? /g, '-');
    await page.screenshot({ path: join(PICTURES, file), fullPage: true });
  }),
);

test('it reads a pending run again until it has ended', () =>
  during(
    ON_DESKTOP,
    resultOf({ ...ready, status: 'pending', progress: 40, triangle: null }),
    async ({ frame, calls }) => {
      await frame.getByText('The run is at 40 %.').waitFor();
      await map(frame).waitFor();
      expect(calls).toEqual([{ name: 'get_valuation_run', arguments: { valuation_run_id: RUN } }]);
    },
  ));

test('it stops reading when its life ends', () =>
  during(
    ON_DESKTOP,
    resultOf({ ...ready, status: 'pending', progress: 40, triangle: null }),
    async ({ page, frame, calls }) => {
      await frame.getByText('The run is at 40 %.').waitFor();
      await page.evaluate("window.sendToApp({ id: 'end', method: 'ui/resource-teardown', params: {} })");
      await page.waitForTimeout(4_000);
      expect(calls).toEqual([]);
    },
  ));

test('totals and groups are tables with the amounts of the run', () =>
  during(ON_DESKTOP, resultOf({ ...totals, group_count: 2 }), async ({ page, frame, troubles }) => {
    await frame.getByText('2 groups').waitFor();
    const rows = await frame.locator('tbody tr').allInnerTexts();
    expect(rows[0]).toMatch(/^KES\t2\t6,500.00\t3,000.00/);
    expect(rows[1]).toMatch(/^approved\tKES\t1\t3,500.00/);
    expect(await violations({ page: frame as unknown as Page, troubles })).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  }));

test('a run that failed, and an error of the tool, are shown as text, also if they contain markup', async () => {
  const text = 'result_too_large: <img src=x onerror=alert(1)>';
  const failed = { ...ready, status: 'failed', failure: '<img src=x> too many periods', triangle: null };
  for (const [result, shown] of [
    [{ isError: true, content: [{ type: 'text', text }] }, text],
    [resultOf(failed), '<img src=x> too many periods'],
  ] as const)
    await during(ON_PHONE, result, async ({ frame, troubles }) => {
      await frame.getByText(shown).waitFor();
      expect(await frame.locator('img').count()).toBe(0);
      expect(troubles).toEqual([]);
    });
});
