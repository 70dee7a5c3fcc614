/**
 * The work of finance staff and examiners in a browser, with the number of clicks and keys of each task: search, the adjudication queue, the
 * assignment of a bank's row, and what axe does not see: the order of the focus, forced colours, and widths from 320 to 1920 px.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@carecover/testing/servers';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';
import type { Page } from 'playwright-core';
import { ON_DESKTOP, ON_PHONE } from '../visit';
import { ConsoleVisitor, during } from './console-visitor';
import { enter, tabTo } from './keyboard';

let visitor: ConsoleVisitor;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
let clients: ReturnType<typeof createStackClients>;
let world: World;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-work-'));
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { stack, operator, moveClock } = visitor.test;
  clients = createStackClients(stack.file);
  const limitEndpoints = createEndpointLimiter(operator, stack.file.project_id);
  world = new World(clients.create(stack.file.secret_key), receivers, moveClock, limitEndpoints);
});
afterAll(async () => {
  await clients?.close();
  receivers?.close();
  await visitor?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const open = (page: Page, path: string) => page.goto(visitor.origin + visitor.inProject(path));

/** Imports a file with one credit that names no remittance. The amount is in minor units. */
async function importRow(reference: string, amount: number): Promise<void> {
  const file = join(folder, `${reference}.csv`);
  const header = 'source_reference,payer_reference,currency,amount,observed_at';
  writeFileSync(file, `${header}\n${reference},unknown,KES,${amount},2026-03-16T14:00:00Z\n`);
  await visitor.test.operator('settlements', 'import', file, '--project', visitor.test.stack.file.project_id);
}

/** The keystroke model (Card, Moran and Newell): seconds for a click with its pointing, a key, and thinking before a page. */
const CLICK_S = 1.1 + 0.2;
const THINKING_S = 1.35;

test('ten natural searches from the head of a page find what they mean', async () => {
  const claim = await world.createAdjudicatedClaim();
  const remittance = await world.createRemittance();
  const settlement = await world.client.settlements.create(world.settlementInput(remittance.id));
  await importRow('FT26110712', 1_238_411);
  const { practitioner_id } = await world.client.claims.links(claim.id);
  const practitioner = await world.client.practitioners.retrieve(practitioner_id);
  const at = new Date().toISOString();
  const [payer] = (await world.client.receivables.retrieve({ at })).currencies[0]?.payers ?? [];
  const invoice = claim.provider_claim_reference ?? '';
  const queries: readonly (readonly [string, string])[] = [
    [invoice, invoice],
    [invoice.slice(0, 12).toLowerCase(), invoice],
    [invoice.slice(0, 16).replaceAll('-', ' '), invoice],
    [` ${invoice.slice(0, 12).toUpperCase()} `, invoice],
    [practitioner.name.split(' ').at(-1)?.slice(0, 4).toLowerCase() ?? '', practitioner.name],
    [payer?.payer_reference?.slice(0, 5) ?? '', payer?.payer_reference ?? ''],
    [remittance.payer_reference.slice(0, 14).toLowerCase(), remittance.payer_reference],
    [settlement.source_reference.slice(0, 12), settlement.source_reference],
    ['ft2611', 'FT26110712'],
    ['12,384.11', 'FT26110712'],
    ['12384.11 KES', 'FT26110712'],
    [claim.id, claim.id],
  ];
  await during(visitor.visit(visitor.inProject('/claims'), 'viewer'), async ({ page, troubles }) => {
    for (const [typed, expected] of queries) {
      await page.keyboard.press('/');
      await page.locator('#head-search:focus').waitFor();
      await page.keyboard.type(typed);
      await enter(page);
      expect([typed, await page.locator('main').innerText()]).toEqual([
        typed,
        expect.stringContaining(expected),
      ]);
    }
    expect(troubles).toEqual([]);
  });
});

test('nothing of another project is found', async () => {
  const other = await visitor.test.operator<{ project_id: string }>(
    ...['projects', 'create', 'Another', '--environment', 'sandbox'],
  );
  const { provider_claim_reference: invoice } = await world.createSubmittedClaim();
  await importRow('OTHER-1', 7_777);
  await during(visitor.visit('/', 'viewer'), async ({ page }) => {
    for (const text of [invoice ?? '', 'OTHER-1', '77.77', 'contract', 'an', '\0a\ud800', '%_']) {
      await page.goto(
        `${visitor.origin}/projects/${other.project_id}/search?q=${encodeURIComponent(text.toWellFormed())}`,
      );
      await expect(page.locator('main').innerText()).resolves.toMatch(/^Search/);
      expect([text, await page.locator('main :is(td, li)').count()]).toEqual([text, 0]);
    }
  });
});

test('an examiner decides a claim of the queue with at most 4 clicks and in at most 20 s', async () => {
  for (let count = 0; count < 4; count++) await world.createSubmittedClaim();
  await during(visitor.visit(visitor.inProject('/adjudications'), 'operator'), async ({ page, troubles }) => {
    let clicks = 0;
    const click = async (selector: string) => {
      clicks += 1;
      await page.locator(selector).first().click();
    };
    await click('main a.button');
    // The policy is typed once: the next claim suggests it.
    await page.locator('#policy_reference').fill('policy:outpatient');
    await page.locator('#policy_version').fill('2027.1');
    await page.locator('#reason_codes').fill('covered');
    for (const _ of [1, 2, 3]) {
      clicks = 0;
      const startedAt = performance.now();
      const title = await page.locator('h1').innerText();
      await click('button[data-fill="billed"]');
      await page.locator('#result .status.approved').waitFor();
      await click('button.main');
      await page.locator('.done:focus').waitFor();
      const seconds = THINKING_S + clicks * CLICK_S + (performance.now() - startedAt) / 1000;
      expect(clicks).toBeLessThanOrEqual(4);
      expect(seconds).toBeLessThanOrEqual(20);
      expect(await page.locator('h1').innerText()).not.toBe(title);
      expect(await page.locator('.done').innerText()).toMatch(
        /: approved, the payer pays [\d,]+\.\d\d KES\.$/,
      );
      await expect(page.locator('#policy_reference').inputValue()).resolves.toBe('policy:outpatient');
    }
    expect(troubles).toEqual([]);
  });
});

test('a claim is decided without JavaScript after its effect was shown', async () => {
  const { id } = await world.createSubmittedClaim();
  const path = visitor.inProject(`/claims/${id}/adjudicate`);
  await during(visitor.visit(path, 'operator', undefined, false), async ({ page }) => {
    await page.locator('#policy_reference').fill('policy:outpatient');
    await page.locator('#policy_version').fill('2027.1');
    await page.locator('#reason_codes').fill('not_covered');
    await page.locator('button[data-fill="nothing"]').click();
    await page.locator('.effect .status.denied').waitFor();
    expect(await page.locator('.effect').innerText()).not.toContain('has changed');
    expect((await world.client.claims.retrieve(id)).status).toBe('submitted');
    await page.locator('.confirm button.main').click();
    await page.locator('.done').waitFor();
    expect((await world.client.claims.retrieve(id)).status).toBe('denied');
  });
});

test('many claims are denied alike without JavaScript: the sums are shown first, and then the job', async () => {
  const claims = [await world.createSubmittedClaim(), await world.createSubmittedClaim()];
  const path = visitor.inProject('/adjudications');
  await during(visitor.visit(path, 'operator', undefined, false), async ({ page }) => {
    for (const { provider_claim_reference: name } of claims) await page.getByLabel(`Choose ${name}`).check();
    await page.locator('#decision').selectOption('nothing');
    await page.locator('#policy_reference').fill('policy:outpatient');
    await page.locator('#policy_version').fill('2027.1');
    await page.locator('#reason_codes').fill('not_covered');
    // Enter in a field shows the effect.
    await page.locator('#reason_codes').press('Enter');
    await page.locator('.effect').waitFor();
    expect(await page.locator('.effect').innerText()).toContain('2 claims will be denied.');
    expect((await world.client.claims.retrieve(claims[0]?.id as never)).status).toBe('submitted');
    await page.locator('.confirm button.main').click();
    await page.locator('.done').waitFor();
    expect(await page.locator('h1').innerText()).toBe('Bulk job of adjudications');
    await eventually('the job has ended', async () => {
      await page.reload();
      return (await page.locator('main .status.completed').count()) > 0 ? true : undefined;
    });
    expect(await page.locator('main').innerText()).toContain('2 of 2 lines have a result.');
    for (const { id } of claims) expect((await world.client.claims.retrieve(id)).status).toBe('denied');
    const downloading = page.waitForEvent('download');
    await page.getByText('Download all results').click();
    expect((await downloading).suggestedFilename()).toMatch(/^results-job_\w+\.csv$/);
  });
});

test('a file of adjudications is executed after its dry run, without JavaScript', async () => {
  const { id } = await world.createSubmittedClaim();
  const lines = [id, `clm_${'0'.repeat(32)}`].map((claim_id) =>
    JSON.stringify({ claim_id, ...world.adjudicationInput() }),
  );
  const hasEnded = (page: Page) =>
    eventually('the job has ended', async () => {
      await page.reload();
      return (await page.locator('main .status.completed').count()) > 0 ? true : undefined;
    });
  const path = visitor.inProject('/bulk-jobs');
  await during(visitor.visit(path, 'operator', undefined, false), async ({ page }) => {
    await page.locator('#file').setInputFiles({
      name: 'decisions.jsonl',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(lines.join('\n')),
    });
    await page.locator('.form #kind').selectOption('adjudications');
    await page.locator('.form button.main').click();
    await page.locator('.done').waitFor();
    await hasEnded(page);
    expect((await world.client.claims.retrieve(id)).status).toBe('submitted');
    expect(await page.locator('main').innerText()).toContain('resource_not_found');
    await page.getByRole('button', { name: 'Execute decisions.jsonl' }).click();
    expect(await page.locator('.effect').innerText()).toContain('2 lines of the kind adjudications');
    await page.locator('.confirm button.main').click();
    await page.locator('.done').waitFor();
    await hasEnded(page);
    expect((await world.client.claims.retrieve(id)).adjudication?.version).toBe(1);
  });
});

test('the remittance that lacks the amount of a row is first, and is assigned with two clicks', async () => {
  const exact = await world.createRemittance();
  await world.createRemittance();
  // The first remittance lacks less than its total after a partial settlement, so it is not the nearest by its total.
  await world.client.settlements.create(world.settlementInput(exact.id, 111_100));
  await importRow('BANK-EXACT', exact.amount.paid - 111_100);
  await importRow('BANK-TOO-MUCH', 1_238_400);
  await during(visitor.visit(visitor.inProject('/unmatched-rows'), 'finance'), async ({ page }) => {
    await page.locator('tr', { hasText: 'BANK-TOO-MUCH' }).locator('a').click();
    await page.locator('main tbody tr').first().locator('button').click();
    await expect(page.locator('.effect').innerText()).resolves.toContain('It will be an exception');
    await page.getByRole('button', { name: 'Change' }).click();
    await open(page, '/unmatched-rows');
    await page.locator('tr', { hasText: 'BANK-EXACT' }).locator('a').click();
    const first = page.locator('main tbody tr').first();
    await expect(first.innerText()).resolves.toContain(exact.payer_reference);
    await expect(first.innerText()).resolves.toContain('exact');
    await first.locator('button').click();
    await expect(page.locator('.effect').innerText()).resolves.toContain('will be reconciled');
    await page.locator('.confirm button.main').click();
    await expect(page.locator('.done:focus').innerText()).resolves.toContain('BANK-EXACT');
    expect((await world.client.remittances.retrieve(exact.id)).status).toBe('reconciled');
  });
});

const PATHS = [
  '/today',
  '/adjudications',
  '/bulk-jobs',
  '/claims',
  '/remittances',
  '/bank-files',
  '/unmatched-rows',
  '/receivables?compare=yesterday',
  '/webhooks',
];

test('the content is at most six stops of the key Tab from the start of a page', () =>
  during(visitor.visit('/', 'administrator'), async ({ page }) => {
    for (const path of PATHS) {
      await open(page, path);
      let stops = 0;
      // A page without a link in its content goes on to the menu after it.
      const isInContent = 'document.activeElement?.closest(".top, .skip") === null';
      do {
        await page.keyboard.press('Tab');
        stops += 1;
      } while (stops <= 6 && !(await page.evaluate<boolean>(isInContent)));
      expect([path, stops <= 6]).toEqual([path, true]);
    }
  }));

test('no page scrolls sideways from 320 to 1920 px, and the head of a phone has at most 64 px', () =>
  during(visitor.visit('/', 'administrator', ON_PHONE), async ({ page }) => {
    for (const width of [320, 390, 600, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of PATHS) {
        await open(page, path);
        const found = Number(await page.evaluate('document.documentElement.scrollWidth'));
        expect([path, width, found <= width]).toEqual([path, width, true]);
        const { height = 0 } = (await page.locator('.top').boundingBox()) ?? {};
        expect([path, width, height <= 64]).toEqual([path, width, true]);
      }
    }
  }));

test('a claim has at most 3,000 px on a phone, and its sections open', async () => {
  const { id } = await world.createAdjudicatedClaim();
  await during(visitor.visit(visitor.inProject(`/claims/${id}`), 'viewer', ON_PHONE), async ({ page }) => {
    await page.waitForLoadState();
    expect(await page.locator('details.section[open]').count()).toBe(0);
    expect(Number(await page.evaluate('document.querySelector("main").scrollHeight'))).toBeLessThanOrEqual(
      3_000,
    );
    await page.locator('summary', { hasText: 'Postings' }).click();
    await page.getByRole('table', { name: 'Postings' }).waitFor();
  });
});

test('in forced colours the current entry of the menu differs from the others', () =>
  during(visitor.visit(visitor.inProject('/claims'), 'viewer', ON_DESKTOP), async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    const colour = (selector: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
      );
    expect(await colour('.side [aria-current]')).not.toBe(await colour('.side a:not([aria-current])'));
  }));

test('receivables of two days have the changes beside them, a wrong day is explained, and the tables are CSV', () =>
  during(visitor.visit(visitor.inProject('/receivables?compare=yesterday'), 'finance'), async ({ page }) => {
    await expect(page.locator('main').innerText()).resolves.toMatch(/\+[\d,]+\.\d\d/);
    await page.locator('#at').fill('31 Feb 2026');
    await page.keyboard.press('Enter');
    await page.locator('#at[aria-invalid]').waitFor();
    await expect(page.locator('#at-problem').innerText()).resolves.toBe('must be a date that exists');
    await expect(page.locator('#at').inputValue()).resolves.toBe('31 Feb 2026');
    const address = visitor.origin + visitor.inProject('/receivables?csv=receivables-payers-KES');
    const response = await page.request.get(address);
    expect(response.headers()['content-type']).toContain('text/csv');
    expect(await response.text()).toMatch(/^Name,Currency,Claims,Total,.*\r\n[^\r]+,KES,\d+,\d+\.\d\d,/);
  }));

test('the audit log hides sign-ins, and is filtered by person and day', () =>
  during(visitor.visit(visitor.inProject('/audit-log'), 'administrator'), async ({ page }) => {
    expect(await page.locator('td', { hasText: 'console.sign_in' }).count()).toBe(0);
    await tabTo(page, '#actor');
    await page.keyboard.type('demo-finance');
    await tabTo(page, '#day');
    await page.keyboard.type('today');
    await enter(page);
    const persons = await page.locator('td[data-label="Person"]').allInnerTexts();
    expect(new Set(persons)).toEqual(new Set(['demo-finance']));
    await open(page, '/audit-log?sign_ins=yes');
    expect(await page.locator('td', { hasText: 'console.sign_in' }).count()).toBeGreaterThan(0);
  }));
