/**
 * Tests every act of the console on claims, pre-authorizations, unmatched rows and valuation runs with the keyboard alone, in a project with
 * many claims.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, testSize } from '@carecover/testing/servers';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';
import { generateClaims, usualPortfolio } from '../../../bench/src/dataset/copies';
import { makeTemplates } from '../../../bench/src/dataset/templates';
import { type Visit, violations } from '../visit';
import { ConsoleVisitor, during, type Role } from './console-visitor';
import { confirmEffect, enter, SIZES, submitForm, tabTo } from './keyboard';

/** The number of claims that the project has before the tests. The dataset has at least one claim of each kind. */
const CLAIMS = testSize({ ci: 100, soak: 100_000 });

let visitor: ConsoleVisitor;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
let clients: ReturnType<typeof createStackClients>;
let world: World;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-acts-'));
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { stack, operator, moveClock } = visitor.test;
  const { file } = stack;
  await operator('projects', 'set', file.project_id, '--rate-limit', '100000');
  clients = createStackClients(file);
  const client = clients.create(file.secret_key);
  world = new World(client, receivers, moveClock, createEndpointLimiter(operator, file.project_id));
  const databaseUrl = () => file.database_url;
  const templates = await makeTemplates({ world, client, projectId: file.project_id, databaseUrl });
  await generateClaims(databaseUrl(), templates, { ...usualPortfolio, claims: CLAIMS });
  await createLargeClaim();
}, 900_000);
afterAll(async () => {
  await clients?.close();
  receivers?.close();
  await visitor?.stop();
  rmSync(folder, { recursive: true });
});

/** Creates a claim with an amount so large that the console's sums have as many digits as those of ten million claims. */
async function createLargeClaim(): Promise<void> {
  const { client } = world;
  const amount = 9_000_000_000_000;
  const input = world.claimInput(await world.createClaimableSession());
  const lines = input.lines.slice(0, 1).map((line) => ({ ...line, amount }));
  const { id } = await client.claims.submit({ ...input, lines });
  const reasons = { reason_codes: ['fee_schedule'] };
  const split = { billed: amount, allowed: amount, payer: amount, patient_responsibility: 0, adjustment: 0 };
  await client.claims.adjudicate(id, {
    ...world.adjudicationInput(),
    lines: [{ line_number: 1, amount: split, ...reasons }],
  });
  const half = amount / 2;
  const remittance = await client.remittances.create(
    world.remittanceInput([{ claim_id: id, paid_amount: half }]),
  );
  await client.settlements.create(world.settlementInput(remittance.id, half));
}

/** Opens a page of the project as a person with a role, and checks its accessibility with axe before and after `work`. */
async function act(
  path: string,
  role: Role,
  look: Parameters<ConsoleVisitor['visit']>[2],
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  await during(visitor.visit(visitor.inProject(path), role, look), async (visit) => {
    expect([path, await violations(visit)]).toEqual([path, []]);
    await work(visit);
    expect([visit.page.url(), await violations(visit)]).toEqual([visit.page.url(), []]);
    const width = await visit.page.evaluate('document.documentElement.scrollWidth');
    expect([visit.page.url(), Number(width) <= (look?.viewport.width ?? 0)]).toEqual([
      visit.page.url(),
      true,
    ]);
    // The response to a rejected form has an error status, which the browser reports to its console. These reports are expected.
    expect(visit.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });
}

const POLICY = { reason_codes: 'covered', policy_reference: 'policy:outpatient', policy_version: '2027.1' };
const ADJUDICATION = {
  policy_reference: 'policy:outpatient',
  policy_version: '2027.1',
  reason_codes: 'covered',
};
const DECIDE = 'form[action$="/adjudications"] button.main';

/** Writes an amount of minor units as a person types it. */
const major = (amount: number) => (amount / 100).toFixed(2);

/** Imports a file of one credit that matches no remittance, and returns the path of the row's page. */
async function importRow(reference: string, amount: number): Promise<string> {
  const { project_id } = visitor.test.stack.file;
  const file = join(folder, `${reference}.csv`);
  const header = 'source_reference,payer_reference,currency,amount,observed_at';
  writeFileSync(file, `${header}\n${reference},unknown,KES,${amount},2026-03-16T14:00:00Z\n`);
  await visitor.test.operator('settlements', 'import', file, '--project', project_id);
  const rows = await visitor.test.operator<{ row: number; source_reference: string }[]>(
    ...['settlements', 'unmatched', '--project', project_id],
  );
  return `/unmatched-rows/${rows.find(({ source_reference }) => source_reference === reference)?.row}`;
}

describe.each(SIZES)('with the keyboard alone (%s)', (_name, look) => {
  test('an operator adjudicates a claim; sums that differ are rejected', async () => {
    const { id, lines } = await world.createSubmittedClaim();
    const amounts = Object.fromEntries(
      lines.flatMap(({ line_number: line, amount }) => [
        [`allowed_${line}`, major(amount)],
        [`payer_${line}`, major(amount)],
        [`patient_responsibility_${line}`, '0'],
        [`adjustment_${line}`, '0'],
      ]),
    );
    const wrong = { ...amounts, adjustment_1: '1' };
    await act(`/claims/${id}/adjudicate`, 'operator', look, async ({ page }) => {
      await submitForm(page, { ...wrong, ...ADJUDICATION }, DECIDE);
      await page.locator('.rejection:focus').waitFor();
      await tabTo(page, '#adjustment_1');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('0');
      // The result that the page shows needs no further confirmation.
      await page.locator('#result .status.approved').waitFor();
      await tabTo(page, DECIDE);
      await enter(page);
      await page.locator('.done:focus').waitFor();
      expect((await world.client.claims.retrieve(id)).status).toBe('approved');
    });
  });

  test('Enter in an amount field shows the effect of what was typed, and executes nothing', async () => {
    const { id, lines } = await world.createSubmittedClaim();
    const amounts = Object.fromEntries(
      lines.flatMap(({ line_number: line, amount }) => [
        [`allowed_${line}`, major(amount)],
        [`payer_${line}`, major(amount - 1)],
      ]),
    );
    await act(`/claims/${id}/adjudicate`, 'operator', look, async ({ page }) => {
      for (const [name, value] of Object.entries({ ...amounts, ...ADJUDICATION }))
        await page.locator(`#${name}`).fill(value);
      await page.locator('#result .status.partially_approved').waitFor();
      await page.locator('#payer_1').focus();
      await enter(page);
      await page.locator('.effect:focus .status.partially_approved').waitFor();
      expect((await world.client.claims.retrieve(id)).status).toBe('submitted');
    });
  });

  test('an operator asks for information, and reverses a claim', async () => {
    const { id } = await world.createSubmittedClaim();
    await act(`/claims/${id}`, 'operator', look, async ({ page }) => {
      const form = { reason_code: 'notes_missing', types: 'notes' };
      await submitForm(page, form, 'form[action$="/information-requests"] button');
      expect((await world.client.claims.retrieve(id)).status).toBe('queried');
    });
    const adjudicated = await world.createAdjudicatedClaim();
    await act(`/claims/${adjudicated.id}`, 'operator', look, async ({ page }) => {
      const form = { reversal_reason: 'recorded_in_error' };
      await submitForm(page, form, 'form[action$="/reversals"] button');
      await confirmEffect(page);
      expect((await world.client.claims.retrieve(adjudicated.id)).status).toBe('reversed');
    });
  });

  test('an operator approves a pre-authorization after seeing the member', async () => {
    const { preauthorization } = await world.createPendingPreauthorization();
    await act(`/preauthorizations/${preauthorization.id}`, 'operator', look, async ({ page }) => {
      await submitForm(page, { reveal_reason: 'a call of the clinic' }, 'form[action$="/member"] button');
      await tabTo(page, 'main a');
      await enter(page);
      const form = {
        outcome: 'approved',
        approved_amount: major(preauthorization.amount.requested),
        valid_until: new Date(Date.now() + 20 * 86_400_000).toISOString(),
        ...POLICY,
        evidence_references: 'doc:1',
      };
      await submitForm(page, form, 'form[action$="/decisions"] button');
      await confirmEffect(page);
      const { status } = await world.client.preauthorizations.retrieve(preauthorization.id);
      expect(status).toBe('approved');
    });
  });

  test('a finance person assigns an unmatched row, and dismisses another', async () => {
    const remittance = await world.createRemittance();
    const toAssign = await importRow(world.uniqueReference('ASSIGN'), remittance.amount.paid);
    await act(toAssign, 'finance', look, async ({ page }) => {
      await submitForm(page, { remittance: remittance.id }, 'form.form[action$="/assignments"] button');
      await confirmEffect(page);
      expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
    });
    const toDismiss = await importRow(world.uniqueReference('DISMISS'), 4_200);
    await act(toDismiss, 'finance', look, async ({ page }) => {
      await submitForm(page, { reason: 'a refund of rent' }, 'form[action$="/dismissals"] button');
      expect(page.url()).toBe(visitor.origin + visitor.inProject('/unmatched-rows'));
    });
  });

  test('a finance person requests a valuation run by status, and sees its groups', () =>
    act('/valuation-runs', 'finance', look, async ({ page }) => {
      await submitForm(page, { 'group_by-status': 'checked' }, 'form[action$="/valuation-runs"] button');
      const id = page.url().split('/').at(-1) ?? '';
      const run = await eventually('the run is ready', async () => {
        const found = await world.client.valuationRuns.retrieve(id as never);
        return found.status === 'ready' ? found : undefined;
      });
      expect(run.claims_counted).toBeGreaterThanOrEqual(CLAIMS);
      await page.reload();
      await page.locator('tr', { hasText: 'settled' }).first().waitFor();
    }));

  test('the lists and sums of many claims have no violation and do not scroll sideways', async () => {
    const paths = ['/today', '/claims', '/claims?status=settled', '/preauthorizations', '/remittances'];
    for (const path of [...paths, '/receivables', '/search?q=unknown', '/webhooks'])
      await act(path, 'administrator', look, async () => undefined);
  });
});
