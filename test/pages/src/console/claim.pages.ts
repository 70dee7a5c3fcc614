import { readFileSync } from 'node:fs';
import { Carecover, type ClaimId, type ClaimValuation } from '@carecover/client';
import { runJourney } from '@carecover/local/journey';
import { eventually } from '@carecover/local/testing';
import { fc } from '@carecover/testing';
import type { Page } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { LOOKS, ON_DESKTOP, violations } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';
import { confirmEffect, enter } from './keyboard';

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
    ...[
      '/receivables',
      '/valuation-runs',
      `/valuation-runs/${run.id}`,
      `/remittances/${journey.remittanceId}`,
    ],
    `/preauthorizations/${journey.preauthorizationIds[0]}`,
  ];
});
afterAll(() => visitor?.stop());

/** Returns the amounts that the bars on the page of a claim show. */
function readBars(page: Page): Promise<Record<string, string>> {
  return page
    .locator('#picture .bars tr')
    .evaluateAll((rows) => Object.fromEntries(rows.map(({ dataset }) => [dataset.name, dataset.value])));
}

function amountsOf({ amount }: ClaimValuation): Record<string, string> {
  return Object.fromEntries(Object.entries(amount).map(([name, value]) => [name, String(value)]));
}

test("the slider's picture equals the claim's valuation at 50 cutoffs", () =>
  during(visitor.visit(path, 'viewer'), async ({ page, troubles }) => {
    const slider = page.locator('#slider');
    const [first, last] = await slider.evaluate(({ min, max }: HTMLInputElement) => [
      Number(min),
      Number(max),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: first ?? 0, max: last ?? 0 }), async (cutoff) => {
        await slider.evaluate((input: HTMLInputElement, value) => {
          input.value = String(value);
          input.dispatchEvent(new Event('input'));
        }, cutoff);
        const at = new Date(cutoff).toISOString();
        await page.locator(`#picture[data-at="${at}"]`).waitFor();
        const valuation = await client.claims.valuation(claimId, { valuation_at: at });
        expect(await readBars(page)).toEqual(amountsOf(valuation));
        expect(new URL(page.url()).searchParams.get('at')).toBe(at);
      }),
      { numRuns: 50 },
    );
    expect(troubles).toEqual([]);
  }));

test('a slider that is moved fast requests few pages, one at a time, and shows the last position', () =>
  during(visitor.visit(path, 'viewer'), async ({ page, troubles }) => {
    let [open, most, total] = [0, 0, 0];
    const isPage = (url: string) => url.includes('?at=');
    page.on('request', (request) => {
      if (!isPage(request.url())) return;
      total += 1;
      open += 1;
      most = Math.max(most, open);
    });
    page.on('requestfinished', (request) => {
      if (isPage(request.url())) open -= 1;
    });
    const at = await page.locator('#slider').evaluate(async (slider: HTMLInputElement) => {
      const [first, last] = [Number(slider.min), Number(slider.max)];
      for (let step = 0; step <= 200; step++) {
        slider.value = String(Math.round(first + ((last - first) * step) / 200));
        slider.dispatchEvent(new Event('input'));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return new Date(Number(slider.value)).toISOString();
    });
    await page.locator(`#picture[data-at="${at}"]`).waitFor();
    expect([most, total < 100, troubles]).toEqual([1, true, []]);
  }));

test('an arrow key moves the slider by a hundredth of its range, and a screen reader gets the cutoff and the status', () =>
  during(visitor.visit(path, 'viewer'), async ({ page, troubles }) => {
    const slider = page.locator('#slider');
    const { min, value } = await slider.evaluate(({ min, value }: HTMLInputElement) => ({ min, value }));
    await slider.press('ArrowLeft');
    const cutoff = Number(value) - Math.max(1, Math.round((Number(value) - Number(min)) / 100));
    const at = new Date(cutoff).toISOString();
    await page.locator(`#picture[data-at="${at}"]`).waitFor();
    const text = `${at.replace('T', ' ').replace('Z', '')} UTC`;
    expect(await slider.getAttribute('aria-valuetext')).toBe(text);
    expect(await page.locator('#shown-cutoff').textContent()).toMatch(
      new RegExp(`^Status .* at ${text}\\.$`),
    );
    expect(troubles).toEqual([]);
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
