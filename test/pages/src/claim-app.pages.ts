/** Tests of the MCP app `ui://carecover/claim-slider` in a browser, in a host that follows MCP Apps. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { renderDetails, type Story } from '@carecover/two-times';
import { APP_SCRIPT, readApp } from '@carecover/two-times/assets';
import { STORIES } from '@carecover/two-times/testing';
import type { Browser, Frame, Page } from 'playwright-core';
import { type AppVisit, bundleApp, duringApp, type ToolCall } from './app-visit';
import { launchBrowser } from './browser';
import { LOOKS, type Look, ON_DESKTOP, ON_PHONE, violations } from './visit';

const PICTURES = process.env.PAGES_PICTURES;

const story = Object.values(STORIES)[0] as Story;
const CLAIM = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';

/** Values the claim of the story as the tool `value_claim` does. */
function valueClaim({ valuation_at: at = '', effective_through: through }: Record<string, string>): object {
  const axis = through === undefined ? 'known_then' : 'known_now';
  const step = story[axis].findLast((each) => Date.parse(each.at) <= Date.parse(through ?? at));
  if (step === undefined)
    return { isError: true, content: [{ type: 'text', text: 'resource_not_found: there is no claim' }] };
  const { status, amount } = step;
  const events = story.facts.filter(({ recorded_at }) => Date.parse(recorded_at) <= Date.parse(at));
  const valuation = { claim_id: CLAIM, valuation_at: at, currency: story.currency, status, amount, events };
  return { content: [{ type: 'text', text: JSON.stringify(valuation) }], structuredContent: valuation };
}

let browser: Browser;
let html: string;

beforeAll(async () => {
  bundleApp('libs/two-times/src/app.ts', APP_SCRIPT);
  html = readApp();
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Opens the app as after a call of `value_claim`. @param result the result of that call; absent: that of the tool */
function during(look: Look, work: (visit: AppVisit) => Promise<void>, result?: object): Promise<void> {
  const given = { claim_id: CLAIM, valuation_at: story.now };
  const shown = {
    html,
    given,
    result: result ?? valueClaim(given),
    callTool: ({ arguments: args }: ToolCall) => valueClaim(args),
  };
  return duringApp(browser, look, shown, work);
}

const picture = (frame: Frame) => frame.locator('.tt-picture:visible').waitFor();

test('the app is one file without an address of another one', () => {
  expect(html).toMatch(/^<!doctype html>/);
  expect(html).not.toMatch(/\b(src|href)="(https?:)?\//);
  expect(html).not.toMatch(/\bfetch\(|XMLHttpRequest|WebSocket|import\(/);
  expect(Buffer.byteLength(html)).toBeLessThan(100_000);
});

test('its details equal those of the service at every fact and on both axes, without a further call', () =>
  during(ON_DESKTOP, async ({ page, frame, troubles, calls }) => {
    await picture(frame);
    const read = calls.length;
    expect(new Set(calls.map(({ name }) => name))).toEqual(new Set(['value_claim']));
    const latest = (await frame.locator('#two-times').getAttribute('data-story')) ?? '';
    const { now } = JSON.parse(latest) as Story;
    for (const [link, axis] of [
      ['as known then', 'known_then'],
      ['as known now', 'known_now'],
    ] as const) {
      await frame.getByRole('link', { name: link, exact: true }).click();
      for (const { recorded_at } of story.facts) {
        const at = Date.parse(recorded_at);
        await frame.locator('#slider-a').evaluate((input: HTMLInputElement, value) => {
          input.value = String(value);
          input.dispatchEvent(new Event('input'));
        }, at);
        await frame.locator(`#view[data-at="${new Date(at).toISOString()}"]`).waitFor();
        const expected = renderDetails({ ...story, now }, { at, other: null, axis });
        const shown = await frame.locator('#details').innerText();
        expect(shown).toBe(
          await frame.evaluate((details) => {
            const element = document.querySelector<HTMLElement>('#details')?.cloneNode() as HTMLElement;
            element.innerHTML = details;
            document.querySelector('#two-times')?.append(element);
            const text = element.innerText;
            element.remove();
            return text;
          }, expected),
        );
      }
    }
    expect(calls).toHaveLength(read);
    expect(troubles).toEqual([]);
    expect(await page.evaluate('window.received.map(({ method }) => method)')).toContain(
      'ui/notifications/size-changed',
    );
  }));

test('a person moves the cutoff by the keyboard, and enters an instant', () =>
  during(ON_DESKTOP, async ({ page, frame, troubles }) => {
    await picture(frame);
    await frame.locator('#slider-a').focus();
    const shown = () => frame.locator('#view').getAttribute('data-at');
    const now = await shown();
    await page.keyboard.press('ArrowLeft');
    await frame.locator(`#view:not([data-at="${now}"])`).waitFor();
    const before = String(await shown());
    expect(Date.parse(before)).toBeLessThan(Date.parse(String(now)));
    expect(await frame.locator('#slider-a').getAttribute('aria-valuetext')).toMatch(/\d{4}/);
    await frame.locator('#at').fill(String(now));
    await page.keyboard.press('Enter');
    await frame.locator(`#view[data-at="${now}"]`).waitFor();
    expect(troubles).toEqual([]);
  }));

test.each(LOOKS)('it follows the theme of the host and is accessible (%s)', (name, look) =>
  during(look, async ({ page, frame, troubles }) => {
    await picture(frame);
    const ground = await frame.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground).toBe(look.colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 25, 29)');
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await frame.evaluate(isWide)).toBe(false);
    expect(await violations({ page: frame as unknown as Page, troubles })).toEqual([]);
    expect(troubles).toEqual([]);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    const file = `app ${name}.png`.replaceAll(/,? /g, '-');
    await page.screenshot({ path: join(PICTURES, file), fullPage: true });
  }),
);

test('it follows a change of the theme, and answers the end of its life', () =>
  during(ON_DESKTOP, async ({ page, frame }) => {
    await picture(frame);
    await page.evaluate(
      "window.sendToApp({ method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } })",
    );
    await frame.waitForFunction("getComputedStyle(document.body).backgroundColor === 'rgb(20, 25, 29)'");
    await page.evaluate("window.sendToApp({ id: 'end', method: 'ui/resource-teardown', params: {} })");
    await page.waitForFunction(
      "window.received.some(({ id, result }) => id === 'end' && result !== undefined)",
    );
  }));

test('an error of the tool is shown as text, also if it contains markup', () => {
  const text = 'resource_not_found: <img src=x onerror=alert(1)>';
  return during(
    ON_PHONE,
    async ({ frame, troubles }) => {
      await frame.getByText(text).waitFor();
      expect(await frame.locator('img').count()).toBe(0);
      expect(troubles).toEqual([]);
    },
    { isError: true, content: [{ type: 'text', text }] },
  );
});
