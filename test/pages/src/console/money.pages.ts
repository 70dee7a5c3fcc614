import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClaimId } from '@carecover/client';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';
import type { Page } from 'playwright-core';
import { LOOKS, violations } from '../visit';
import { ConsoleVisitor, during, type Role } from './console-visitor';
import { confirmEffect, enter } from './keyboard';

let visitor: ConsoleVisitor;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
let clients: ReturnType<typeof createStackClients>;
let world: World;
let folder: string;
/** The IDs of an adjudicated claim and of the remittance that allocates an amount to this claim. */
let claimId: string;
let remittanceId: string;
let otherProject: string;

/** Imports a file of one credit that matches no remittance. */
async function importRow(reference: string, amount: number): Promise<void> {
  const { project_id } = visitor.test.stack.file;
  const file = join(folder, `${reference}.csv`);
  const rows = [
    'source_reference,payer_reference,currency,amount,observed_at',
    `${reference},unknown,KES,${amount},2026-03-16T14:00:00Z`,
  ];
  writeFileSync(file, `${rows.join('\n')}\n`);
  await visitor.test.operator('settlements', 'import', file, '--project', project_id);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-bank-'));
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { stack, operator, moveClock } = visitor.test;
  clients = createStackClients(stack.file);
  const limitEndpoints = createEndpointLimiter(operator, stack.file.project_id);
  world = new World(clients.create(stack.file.secret_key), receivers, moveClock, limitEndpoints);
  await world.createEndpoint();
  const remittance = await world.createRemittance();
  remittanceId = remittance.id;
  claimId = remittance.allocations[0]?.claim_id ?? '';
  await importRow('BANK-ASSIGN', remittance.amount.paid);
  await importRow('BANK-DISMISS', 4_200);
  await importRow('BANK-STAYS', 100);
  ({ project_id: otherProject } = await operator<{ project_id: string }>(
    'projects',
    'create',
    'Another',
    '--environment',
    'sandbox',
  ));
});
afterAll(async () => {
  await clients?.close();
  receivers?.close();
  await visitor?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes an amount of minor units as a person types it. */
const major = (amount: number) => (amount / 100).toFixed(2);

/** Opens the list of unmatched rows, then the page of the row with this reference. Returns the path of that page. */
async function openRow(page: Page, reference: string): Promise<string> {
  await page.goto(visitor.origin + visitor.inProject('/unmatched-rows'));
  await page.locator('tr', { hasText: reference }).locator('a').click();
  await page.getByRole('heading', { name: `Unmatched row ${reference}` }).waitFor();
  return new URL(page.url()).pathname;
}

test.each(LOOKS)('axe finds nothing on the pages, and no page scrolls sideways (%s)', (_name, look) =>
  during(visitor.visit('/', 'administrator', look), async (visit) => {
    const { page } = visit;
    const row = (await openRow(page, 'BANK-STAYS')).replace(visitor.inProject(''), '');
    for (const path of [
      '/today',
      '/bank-files',
      '/unmatched-rows',
      row,
      `/claims/${claimId}`,
      `/remittances/${remittanceId}`,
    ]) {
      await page.goto(visitor.origin + visitor.inProject(path));
      expect([path, await violations(visit)]).toEqual([path, []]);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([path, Number(width) <= look.viewport.width]).toEqual([path, true]);
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/money-${_name.replace(', ', '-')}-${path.replace(/\W/g, '').slice(0, 10)}.png`,
          fullPage: true,
        });
    }
    expect(visit.troubles).toEqual([]);
  }),
);

test('a claim shows its postings, its deliveries and the run of its workflow', () =>
  during(visitor.visit(visitor.inProject(`/claims/${claimId}`), 'viewer'), async ({ page }) => {
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/charges\s+payer liability/);
    expect(text).toMatch(/claim\.submitted/);
    expect(text).toMatch(/running/);
    expect(await page.locator('table.versions thead th').allInnerTexts()).toEqual(['Version 1']);
    await expect(page.locator('nav [aria-current]').innerText()).resolves.toBe('Claims');
  }));

test('adjudications are side by side, and rows that differ are marked', async () => {
  const { id } = await world.createAdjudicatedClaim();
  await during(visitor.visit(visitor.inProject(`/claims/${id}/adjudicate`), 'operator'), async ({ page }) => {
    await page.locator('#policy_reference').fill('policy:outpatient');
    await page.locator('#policy_version').fill('2027.2');
    await page.locator('#reason_codes').fill('corrected');
    const billed = await page
      .locator('fieldset')
      .evaluateAll((lines) => lines.map(({ dataset }) => Number(dataset.billed)));
    for (const [index, amount] of billed.entries()) {
      await page.locator(`#allowed_${index + 1}`).fill(major(amount));
      // The patient's part and the adjustment are computed.
      await page.locator(`#payer_${index + 1}`).fill(major(amount - 1));
    }
    // The result names the decision that it replaces too, which can have the same status.
    await page.locator('#result .status.partially_approved').first().waitFor();
    await page.locator('.buttons button[value="no"]').click();
    await page.locator('table.versions').waitFor();
    expect(await page.locator('table.versions thead th').allInnerTexts()).toEqual(['Version 1', 'Version 2']);
    await expect(page.locator('tr.differs', { hasText: 'Policy' }).innerText()).resolves.toContain('2027.2');
    expect(await page.locator('tr:not(.differs)', { hasText: 'Billed' }).count()).toBeGreaterThan(0);
  });
});

test('a finance person assigns an unmatched row with the keyboard alone; a wrong ID shows the form again', () =>
  during(visitor.visit('/', 'finance'), async ({ page, troubles }) => {
    await openRow(page, 'BANK-ASSIGN');
    await page.locator('#remittance').focus();
    await page.keyboard.type('rem_unknown');
    await page.keyboard.press('Enter');
    await page.locator('.rejection:focus').waitFor();
    await expect(page.locator('#remittance').inputValue()).resolves.toBe('rem_unknown');
    await page.locator('#remittance').focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(remittanceId);
    await enter(page);
    await confirmEffect(page);
    await page.waitForURL(visitor.origin + visitor.inProject(`/remittances/${remittanceId}`));
    const settlement = page.locator('tr', { hasText: 'BANK-ASSIGN' });
    await expect(settlement.innerText()).resolves.toContain('matched');
    await page.goto(visitor.origin + visitor.inProject('/unmatched-rows'));
    expect(await page.getByText('BANK-ASSIGN').count()).toBe(0);
    const entries = await visitor.test.operator<object[]>('audit', 'list', '--limit', '5');
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'demo-finance',
        action: 'settlements.assign',
        subject: remittanceId,
      }),
    );
    expect(troubles.filter((text) => !text.includes('400'))).toEqual([]);
  }));

test('a finance person dismisses an unmatched row, and the audit log has the reason', () =>
  during(visitor.visit('/', 'finance'), async ({ page }) => {
    await openRow(page, 'BANK-DISMISS');
    await page.locator('#reason').fill('a refund of rent');
    await page.getByRole('button', { name: 'Dismiss the row' }).click();
    await page.waitForURL(visitor.origin + visitor.inProject('/unmatched-rows'));
    await expect(page.locator('.done:focus').innerText()).resolves.toBe(
      'The row BANK-DISMISS of 42.00 KES was dismissed.',
    );
    expect(await page.locator('tr', { hasText: 'BANK-DISMISS' }).count()).toBe(0);
    const entries = await visitor.test.operator<object[]>('audit', 'list', '--limit', '5');
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'settlements.dismiss',
        details: expect.objectContaining({ reason: 'a refund of rent' }),
      }),
    );
  }));

test.each(LOOKS.filter(([name]) => /^(360|1440) px, light/.test(name)))(
  'a finance person records and reverses a settlement with the keyboard alone (%s)',
  (_name, look) =>
    during(visitor.visit('/', 'finance', look), async (visit) => {
      const { page, troubles } = visit;
      const remittance = await world.createRemittance();
      const reference = world.uniqueReference('BANK');
      await page.goto(visitor.origin + visitor.inProject(`/remittances/${remittance.id}`));
      await page.locator('#source_reference').focus();
      await page.keyboard.type(reference);
      await page.keyboard.press('Tab');
      // The form for a settlement suggests the amount that is not settled yet.
      await expect(page.locator('#amount:focus').inputValue()).resolves.toBe('3,000.00');
      await enter(page);
      await confirmEffect(page);
      await page.locator('tr', { hasText: reference }).waitFor();
      const { data } = await world.client.settlements.list({ remittance_id: remittance.id });
      expect(data).toMatchObject([{ source_reference: reference, status: 'matched' }]);
      await page.locator('#settlement').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.type('recorded in error');
      await enter(page);
      await confirmEffect(page);
      await page.locator('.rejection:focus').waitFor();
      await expect(page.locator('#reversal_reason').inputValue()).resolves.toBe('recorded in error');
      expect(await violations(visit)).toEqual([]);
      await page.locator('#reversal_reason').focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('recorded_in_error');
      await enter(page);
      await confirmEffect(page);
      await page.locator('tr', { hasText: reference }).getByText('reversed').waitFor();
      expect(await page.locator('#settlement').count()).toBe(0);
      const entries = await visitor.test.operator<{ subject: string; action: string }[]>('audit', 'list');
      const actions = entries.filter(({ subject }) => subject === remittance.id || subject === data[0]?.id);
      expect(actions.map(({ action }) => action).sort()).toEqual([
        'settlement.create',
        'settlement.reverse',
        'settlement.reverse',
      ]);
      expect(troubles.filter((text) => !text.includes('400'))).toEqual([]);
    }),
);

const WITHOUT_MONEY: readonly Role[] = ['viewer', 'operator'];

test.each(WITHOUT_MONEY)('a %s sees an unmatched row without forms, and its acts are unknown pages', (role) =>
  during(visitor.visit('/', role), async ({ page }) => {
    const path = await openRow(page, 'BANK-STAYS');
    expect(await page.locator('main form').count()).toBe(0);
    const csrf = (await page.locator('input[name="csrf"]').first().getAttribute('value')) ?? '';
    for (const act of ['assignments', 'dismissals']) {
      const form = { csrf, key: 'a-key-of-the-test', remittance: remittanceId, reason: 'a test' };
      const answer = await page.request.post(`${visitor.origin}${path}/${act}`, { form });
      expect([act, answer.status()]).toEqual([act, 404]);
    }
  }),
);

test('an unmatched row of another project is an unknown page, and its acts change nothing', () =>
  during(visitor.visit('/', 'administrator'), async ({ page }) => {
    const own = await openRow(page, 'BANK-STAYS');
    const foreign = `/projects/${otherProject}${own.replace(visitor.inProject(''), '')}`;
    const response = await page.goto(visitor.origin + foreign);
    expect(response?.status()).toBe(404);
    const csrf = (await page.locator('input[name="csrf"]').first().getAttribute('value')) ?? '';
    const form = { csrf, key: 'a-key-of-the-test', reason: 'a test' };
    const answer = await page.request.post(`${visitor.origin}${foreign}/dismissals`, { form });
    expect(answer.status()).toBe(404);
    await openRow(page, 'BANK-STAYS');
  }));

test('search finds resources by ID and by reference, and none of another project', () =>
  during(visitor.visit('/', 'viewer'), async ({ page }) => {
    const { client } = world;
    const settlement = await client.settlements.create(
      world.settlementInput((await world.createRemittance()).id),
    );
    const run = await client.valuationRuns.create({ valuation_at: new Date().toISOString(), kind: 'totals' });
    const links = await client.claims.links(claimId as ClaimId);
    const found = {
      [claimId]: claimId,
      [remittanceId]: remittanceId,
      [settlement.id]: settlement.remittance_id,
      [settlement.source_reference]: settlement.remittance_id,
      [run.id]: run.id,
      [links.session_id]: links.session_id,
      [links.booking_id]: links.booking_id,
    };
    for (const [text, shown] of Object.entries(found)) {
      const query = `/search?q=${encodeURIComponent(text)}`;
      await page.goto(visitor.origin + visitor.inProject(query));
      await expect(page.locator('main').innerHTML()).resolves.toContain(shown);
      await page.goto(`${visitor.origin}/projects/${otherProject}${query}`);
      expect([text, await page.locator('main :is(li, td)').count()]).toEqual([text, 0]);
    }
  }));

test('an operator sees the reference of a member after giving a reason, which is audited; a viewer does not', async () => {
  const { preauthorization, member } = await world.createPendingPreauthorization();
  const path = visitor.inProject(`/preauthorizations/${preauthorization.id}`);
  await during(visitor.visit(path, 'operator'), async ({ page }) => {
    expect(await page.content()).not.toContain(member);
    await page.locator('#reveal_reason').focus();
    await page.keyboard.type('a call of the clinic');
    await page.keyboard.press('Enter');
    await expect(page.locator('.secret').innerText()).resolves.toBe(member);
    const entries = await visitor.test.operator<object[]>('audit', 'list', '--limit', '5');
    expect(entries).toContainEqual(
      expect.objectContaining({
        actor: 'demo-operator',
        action: 'member.reveal',
        subject: preauthorization.id,
        details: expect.objectContaining({ reason: 'a call of the clinic' }),
      }),
    );
  });
  for (const role of ['viewer', 'finance'] as const)
    await during(visitor.visit(path, role), async ({ page }) => {
      expect(await page.locator('#reveal_reason').count()).toBe(0);
      const csrf = (await page.locator('input[name="csrf"]').first().getAttribute('value')) ?? '';
      const form = { csrf, key: 'a-key-of-the-test', reveal_reason: 'a test' };
      const answer = await page.request.post(`${visitor.origin}${path}/member`, { form });
      expect([role, answer.status(), (await answer.text()).includes(member)]).toEqual([role, 404, false]);
    });
});

test('an operator decides a pre-authorization; a rejected form says why and keeps its values', async () => {
  const { preauthorization } = await world.createPendingPreauthorization();
  const path = visitor.inProject(`/preauthorizations/${preauthorization.id}`);
  await during(visitor.visit(path, 'operator'), async ({ page }) => {
    const fields = {
      '#outcome': 'approved',
      '#approved_amount': major(preauthorization.amount.requested + 1),
      '#valid_until': new Date(Date.now() + 20 * 86_400_000).toISOString(),
      '#reason_codes': 'medical_necessity',
      '#policy_reference': 'policy:outpatient',
      '#policy_version': '2027.1',
      '#evidence_references': 'doc:1',
    };
    for (const [selector, value] of Object.entries(fields)) {
      const field = page.locator(selector);
      if ((await field.evaluate(({ tagName }: Element) => tagName)) === 'SELECT')
        await field.selectOption(value);
      else await field.fill(value);
    }
    const decide = page.locator('form[action$="/decisions"] button');
    await decide.click();
    await page.locator('.rejection:focus a[href="#approved_amount"]').click();
    await expect(page.locator('#approved_amount:focus').getAttribute('aria-invalid')).resolves.toBe('true');
    await expect(page.locator('#policy_reference').inputValue()).resolves.toBe('policy:outpatient');
    await page.locator('#approved_amount').fill(major(preauthorization.amount.requested));
    await decide.click();
    await page.locator('.confirm button.main').click();
    await page.locator('dd > .status.approved').first().waitFor();
  });
});

test('Today shows unmatched rows that match no remittance', () =>
  during(visitor.visit(visitor.inProject('/today'), 'viewer'), async ({ page }) => {
    const list = page.locator('section', { hasText: 'Unmatched rows of settlement files' });
    await expect(list.innerText()).resolves.toContain('BANK-STAYS');
  }));

test('Today shows the claims and pre-authorizations that wait for a decision', async () => {
  const claim = await world.createSubmittedClaim();
  const { preauthorization } = await world.createPendingPreauthorization();
  await during(visitor.visit(visitor.inProject('/today'), 'viewer'), async ({ page }) => {
    const list = (title: string) => page.locator('section', { hasText: title }).innerHTML();
    expect(await list('Claims that wait for adjudication')).toContain(claim.provider_claim_reference);
    expect(await list('Pre-authorizations that wait for a decision')).toContain(preauthorization.id);
  });
});
