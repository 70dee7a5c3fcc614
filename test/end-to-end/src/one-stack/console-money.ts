/**
 * Tests over HTTP the console's pages of pre-authorizations, remittances, receivables and valuation runs: what each role can see and do,
 * the responses for unknown IDs, and the audit entries of each change.
 */
import { randomUUID } from 'node:crypto';
import { type Role, visitAs } from '@carecover/testing/stack';
import { running } from './world';

/** Writes an amount of minor units as a person types it. */
const major = (amount: number) => (amount / 100).toFixed(2);

let origin: string;
let project: string;
beforeAll(() => {
  const { file } = running.stack;
  origin = file.console_url;
  project = `/projects/${file.project_id}`;
});

const asRole = (role: Role) => visitAs(origin, role);

async function auditedActions(subject: string): Promise<string[]> {
  const entries = await running.operator<{ action: string; subject: string }[]>('audit', 'list');
  return entries.filter((entry) => entry.subject === subject).map(({ action }) => action);
}

const DECISION = {
  outcome: 'approved',
  reason_codes: 'necessary, within_policy',
  policy_reference: 'policy:one',
  policy_version: '1',
  evidence_references: 'letter:1',
};

test.each<Role>(['viewer', 'operator', 'finance', 'administrator'])(
  'a %s sees every page, and has only the forms and acts of the role',
  async (role) => {
    const { preauthorization } = await running.world.createPendingPreauthorization();
    const remittance = await running.world.createRemittance();
    const { visitor, shown } = await asRole(role);
    const forms = new Map<string, boolean>();
    const preauthorizationPage = `${project}/preauthorizations/${preauthorization.id}`;
    const remittancePage = `${project}/remittances/${remittance.id}`;
    for (const path of [
      `${project}/preauthorizations`,
      preauthorizationPage,
      `${project}/remittances?status=received&reference=${remittance.payer_reference}`,
      remittancePage,
      `${project}/receivables`,
      `${project}/valuation-runs`,
    ]) {
      const page = await visitor.get(path);
      expect({ path, status: page.status }).toEqual({ path, status: 200 });
      forms.set(path, page.html.includes('name="key"'));
    }
    const decides = role === 'operator' || role === 'administrator';
    const changesMoney = role === 'finance' || role === 'administrator';
    expect([forms.get(preauthorizationPage), forms.get(remittancePage)]).toEqual([decides, changesMoney]);
    expect(forms.get(`${project}/valuation-runs`)).toBe(changesMoney);
    const fields = { csrf: visitor.tokenOf(shown), key: randomUUID() };
    if (!decides) expect((await visitor.post(`${preauthorizationPage}/decisions`, fields)).status).toBe(404);
    if (!changesMoney)
      for (const path of [
        `${remittancePage}/settlements`,
        `${remittancePage}/reversals`,
        `${project}/valuation-runs`,
      ])
        expect((await visitor.post(path, fields)).status).toBe(404);
  },
);

test('foreign, malformed and unknown IDs look the same', async () => {
  const { preauthorization } = await running.world.createPendingPreauthorization();
  const remittance = await running.world.createRemittance();
  const run = await running.world.client.valuationRuns.create({
    valuation_at: new Date().toISOString(),
    kind: 'totals',
  });
  const other = await running.operator<{ project_id: string }>(
    'projects',
    'create',
    'Another',
    '--environment',
    'sandbox',
  );
  const { visitor } = await asRole('administrator');
  const bodies = new Set<string>();
  for (const [folder, id, prefix] of [
    ['preauthorizations', preauthorization.id, 'preauth'],
    ['remittances', remittance.id, 'rem'],
    ['valuation-runs', run.id, 'vrun'],
  ]) {
    expect((await visitor.get(`${project}/${folder}/${id}`)).status).toBe(200);
    for (const path of [
      `/projects/${other.project_id}/${folder}/${id}`,
      `${project}/${folder}/${prefix}_00000000000070008000000000000000`,
      `${project}/${folder}/none`,
    ]) {
      const { status, html } = await visitor.get(path);
      expect({ path, status }).toEqual({ path, status: 404 });
      bodies.add(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html);
    }
  }
  expect(bodies.size).toBe(1);
});

test('an operator decides a pre-authorization; a rejected form keeps its values and decides nothing', async () => {
  const { preauthorization } = await running.world.createPendingPreauthorization();
  const { id, amount } = preauthorization;
  const { visitor } = await asRole('operator');
  const page = `${project}/preauthorizations/${id}`;
  const fields = { ...DECISION, valid_until: running.world.daysFromNow(30) };
  const tooMuch = { ...fields, approved_amount: major(amount.requested + 1) };
  const rejected = await visitor.submit(page, `${page}/decisions`, tooMuch);
  expect([rejected.status, rejected.html.includes('role="alert"')]).toEqual([400, true]);
  expect(rejected.html).toContain('value="necessary, within_policy"');
  expect((await running.world.client.preauthorizations.retrieve(id)).status).toBe('pending');
  const exact = { ...fields, approved_amount: major(amount.requested) };
  expect((await visitor.submit(page, `${page}/decisions`, exact)).status).toBe(200);
  expect(await running.world.client.preauthorizations.retrieve(id)).toMatchObject({
    status: 'approved',
    reason_codes: ['necessary', 'within_policy'],
    amount: { approved: amount.requested },
  });
  expect(await auditedActions(id)).toEqual(['preauthorization.decide']);
});

test('an operator denies a pre-authorization without an amount', async () => {
  const { preauthorization } = await running.world.createPendingPreauthorization();
  const { visitor } = await asRole('operator');
  const page = `${project}/preauthorizations/${preauthorization.id}`;
  const denied = await visitor.submit(page, `${page}/decisions`, { ...DECISION, outcome: 'denied' });
  expect(denied.status).toBe(200);
  expect((await running.world.client.preauthorizations.retrieve(preauthorization.id)).status).toBe('denied');
});

test('a finance person records and reverses settlements, and the page shows the reconciliation', async () => {
  const remittance = await running.world.createRemittance();
  const { visitor } = await asRole('finance');
  const page = `${project}/remittances/${remittance.id}`;
  const before = await visitor.get(page);
  expect(before.html).toContain('awaiting funds');
  expect(before.html).toContain('-3,000.00 KES');
  const source = running.world.uniqueReference('BANK');
  const settlement = {
    source_reference: source,
    amount: '1,000.00',
    observed_at: new Date(Date.now() - 60_000).toISOString(),
  };
  const wrong = await visitor.submit(page, `${page}/settlements`, { ...settlement, amount: 'much' });
  expect([wrong.status, wrong.html.includes(`value="${source}"`)]).toEqual([400, true]);
  const recorded = await visitor.submit(page, `${page}/settlements`, settlement);
  expect(recorded.html).toContain('-2,000.00 KES');
  const { data } = await running.world.client.settlements.list({ remittance_id: remittance.id });
  expect(data).toMatchObject([{ source_reference: source, amount: { observed: 100_000 } }]);
  const id = data[0]?.id ?? '';
  const otherPage = `${project}/remittances/${(await running.world.createRemittance()).id}`;
  const reversal = { settlement: id, reversal_reason: 'recorded_in_error' };
  expect((await visitor.submit(otherPage, `${otherPage}/reversals`, reversal)).status).toBe(404);
  expect((await running.world.client.settlements.retrieve(id as never)).status).not.toBe('reversed');
  await visitor.submit(page, `${page}/reversals`, reversal);
  expect((await running.world.client.settlements.retrieve(id as never)).status).toBe('reversed');
  expect(await auditedActions(remittance.id)).toEqual(['settlement.create']);
  expect(await auditedActions(id)).toEqual(['settlement.reverse']);
});

test('receivables show what is outstanding, by payer and by practitioner', async () => {
  await running.world.createAdjudicatedClaim();
  const at = new Date().toISOString();
  const { visitor } = await asRole('viewer');
  const { currencies } = await running.world.client.receivables.retrieve({ at });
  const { html } = await visitor.get(`${project}/receivables?at=${encodeURIComponent(at)}`);
  for (const { payer_reference } of currencies[0]?.payers ?? []) expect(html).toContain(payer_reference);
  expect(currencies[0]?.practitioners.length).toBeGreaterThan(0);
  for (const { practitioner_id } of currencies[0]?.practitioners ?? [])
    expect(html).toContain(practitioner_id);
});

test('a finance person requests totals and a triangle, which the pages show', async () => {
  await running.world.createAdjudicatedClaim();
  const { visitor } = await asRole('finance');
  const page = `${project}/valuation-runs`;
  const at = new Date().toISOString();
  const until = async (path: string, text: string) => {
    for (;;) {
      const { html } = await visitor.get(path);
      if (html.includes(text)) return html;
      expect(html).toContain('Reload the page');
    }
  };
  const totals = await visitor.submit(page, page, { valuation_at: at, kind: 'totals', group_by: 'status' });
  expect(await until(totals.url.pathname, '<h2>Groups</h2>')).toContain('approved');
  const development = { valuation_at: at, kind: 'development', origin: 'service_month', step: 'month' };
  const rejected = await visitor.submit(page, page, development);
  expect(rejected.status).toBe(400);
  const triangle = await visitor.submit(page, page, { ...development, measures: 'outstanding' });
  expect(await until(triangle.url.pathname, 'class="triangle"')).toContain('Development curves');
});
