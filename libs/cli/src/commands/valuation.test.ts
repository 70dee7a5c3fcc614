/** Tests of the CLI command `carecover valuation`, with facts that the tests insert. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayFixture } from '@carecover/gateway/testing';
import { runCommand } from '../testing/run-command';

let fixture: GatewayFixture;
beforeEach(async () => {
  fixture = await GatewayFixture.start(['gateway', 'benefits', 'claims']);
});
afterEach(() => fixture.stop());

const run = (...args: string[]) =>
  runCommand(['valuation', ...args], { CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl });

/** Inserts a claim that was submitted in the middle of a month, by default of January 2026, and partially approved 26 days later. */
async function insertClaim(
  projectId: string,
  id = 'clm_1',
  submittedAt = '2026-01-15T00:00:00Z',
): Promise<void> {
  await fixture.sql`
    insert into benefits.payer_contracts (id, project_id, reference) values ('payer_1', ${projectId}, 'contract/2026') on conflict do nothing`;
  await fixture.sql`
    insert into claims.claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
      practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version,
      adjudication_version, decision, approved, patient_responsibility, adjustment, last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
    select ${id}, ${projectId}, 'sandbox', ${id}, ${id}, ${id.toUpperCase()}, 'elig_1', ${id}, 'bkg_1', 'prc_1', 'payer_1', 'plan', at, at, '[]', 'KES', 100,
      'partially_approved', 1, 1, 'partially_approved', 90, 4, 6, 2, 1, at, at, at, at
    from (select ${submittedAt}::timestamptz as at) t`;
  const adjudication = {
    adjudication_id: 'adj_1',
    version: 1,
    payer: 90,
    patient_responsibility: 4,
    adjustment: 6,
    policy: { reference: 'policy', version: '1' },
  };
  await fixture.sql`
    insert into claims.facts (claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, previous_status, next_status,
      evidence_references, detail)
    values
      (${id}, 1, 'created', 'cmd_1', gen_random_uuid(), ${submittedAt}, ${submittedAt}, null, 'submitted', '[]',
        ${JSON.stringify({ currency: 'KES', billed: 100 })}::jsonb),
      (${id}, 2, 'partially_approved', 'cmd_2', gen_random_uuid(), ${submittedAt}::timestamptz + interval '18 days',
        ${submittedAt}::timestamptz + interval '26 days', 'submitted',
        'partially_approved', '[]', ${JSON.stringify(adjudication)}::jsonb)`;
}

test('sums are derived from facts, run, listed, shown and verified', async () => {
  const { project_id } = await fixture.project();
  await insertClaim(project_id);
  const rebuilt = await run('rebuild', '--project', project_id, '--json');
  expect({ code: rebuilt.code, printed: JSON.parse(rebuilt.output) }).toEqual({
    code: 0,
    printed: { claims: 1, months: 0 },
  });
  const at = ['--project', project_id, '--at', '2026-03-01T00:00:00Z'];
  const { code, output } = await run('run', ...at, '--group-by', 'status,payer_reference', '--json');
  expect(code).toBe(0);
  const valued = JSON.parse(output);
  expect(valued).toMatchObject({
    status: 'ready',
    claims_counted: 1,
    groups: [
      {
        currency: 'KES',
        status: 'partially_approved',
        payer_reference: 'contract/2026',
        claim_count: 1,
        amount: { billed: 100, payer_liability: 90, outstanding: 90 },
      },
    ],
  });
  const before = await run('run', ...at, '--effective-through', '2026-02-01T00:00:00Z', '--json');
  expect(JSON.parse(before.output).totals).toMatchObject([{ amount: { payer_liability: 0 } }]);
  const triangle = await run('run', ...at, '--measures', 'outstanding');
  expect(triangle.output).toContain('outstanding in KES, by service_month and valuation date');
  expect(triangle.output).toMatch(/2026-01-01 +0 +90 +90/);

  const list = await run('list', '--project', project_id, '--json');
  expect(JSON.parse(list.output)).toHaveLength(3);
  expect(JSON.parse((await run('show', valued.id, '--json')).output)).toEqual(valued);
  expect((await run('show', valued.id)).output).toMatch(/KES +partially_approved +contract\/2026 +1 +100/);
  expect((await run('show', 'vrun_unknown')).code).toBe(1);
  const wrong = await run('run', ...at, '--origin', 'service_month', '--step', 'year');
  expect(wrong).toMatchObject({ code: 1 });

  for (const option of [['--all'], ['--sample', '1']])
    expect(JSON.parse((await run('verify', valued.id, ...option, '--json')).output)).toEqual({ claims: 1 });
  await fixture.sql`update claims.portfolio_deltas set payer_liability = 91 where payer_liability = 90`;
  await fixture.sql`delete from claims.portfolio_rollups`;
  await fixture.sql`delete from claims.portfolio_rollup_states`;
  const different = await run('verify', valued.id, '--all');
  expect(different.code).toBe(1);
  expect(different.errors).toContain('clm_1: payer_liability is 91, by the facts 90');
  expect(different.errors).toContain('result_sha256');
  await run('rebuild', '--project', project_id);
  expect((await run('verify', valued.id, '--all')).code).toBe(0);
});

test('a triangle is written as CSV and as a page', async () => {
  const { project_id } = await fixture.project();
  await insertClaim(project_id);
  await insertClaim(project_id, 'clm_2', '2026-02-15T00:00:00Z');
  await run('rebuild', '--project', project_id);
  const at = ['--project', project_id, '--at', '2026-03-31T21:00:00Z', '--json'];
  const { id } = JSON.parse((await run('run', ...at, '--measures', 'billed,outstanding')).output);
  const folder = await mkdtemp(join(tmpdir(), 'carecover-triangle-'));
  const [csv, html] = [join(folder, 'triangle.csv'), join(folder, 'triangle.html')] as const;
  expect(await run('triangle', id, '--csv', csv, '--html', html)).toMatchObject({
    code: 0,
    output: `${csv}\n${html}\n`,
  });
  expect(await readFile(csv, 'utf8')).toBe(
    [
      'origin,development,currency,billed,outstanding',
      '2026-01-01,2026-01-31,KES,100,0',
      '2026-01-01,2026-02-28,KES,100,90',
      '2026-01-01,2026-03-31,KES,100,90',
      '2026-02-01,2026-02-28,KES,100,0',
      '2026-02-01,2026-03-31,KES,100,90',
      '',
    ].join('\r\n'),
  );
  const page = await readFile(html, 'utf8');
  expect(page.match(/<svg /g)).toHaveLength(4);
  expect(page).toContain('<title>2026-01-01, valued at 2026-03-31: KES 0.90</title>');
  expect(page).not.toMatch(/https?:/);
  expect((await run('triangle', id)).errors).toContain('--html FILE');
  const unwritable = await run('triangle', id, '--csv', join(folder, 'missing', 'file.csv'));
  expect(unwritable).toMatchObject({ code: 1, errors: expect.stringContaining("can't be written: ENOENT") });
  const totals = JSON.parse((await run('run', ...at)).output);
  expect((await run('triangle', totals.id, '--csv', csv)).errors).toContain('has no triangle');
  await rm(folder, { recursive: true });
});

test('a triangle whose CSV libraries would misread is only written as a page', async () => {
  const { project_id } = await fixture.project();
  await insertClaim(project_id);
  await insertClaim(project_id, 'clm_2', '2026-02-15T00:00:00Z');
  await run('rebuild', '--project', project_id);
  const folder = await mkdtemp(join(tmpdir(), 'carecover-triangle-'));
  const files = ['--csv', join(folder, 'triangle.csv'), '--html', join(folder, 'triangle.html')];
  const triangleAt = async (at: string, ...periods: string[]) =>
    JSON.parse((await run('run', '--project', project_id, '--at', at, '--json', ...periods)).output).id;
  const within = await triangleAt('2026-03-10T00:00:00Z', '--origin', 'service_month');
  expect(await run('triangle', within, ...files)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('2026-03-10 is not the last day of a month in UTC'),
  });
  const single = await triangleAt('2026-03-31T21:00:00Z', '--origin', 'service_quarter', '--step', 'quarter');
  expect(await run('triangle', single, ...files)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The triangle has 1 origin.'),
  });
  expect(await readdir(folder)).toEqual([]);
  expect(await run('triangle', within, ...files.slice(2))).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});

test('two instants are compared claim by claim', async () => {
  const { project_id } = await fixture.project();
  await insertClaim(project_id);
  await run('rebuild', '--project', project_id);
  const between = (from: string, to: string) => [
    'compare',
    '--project',
    project_id,
    '--from',
    from,
    '--to',
    to,
  ];
  const approved = await run(...between('2026-01-20T00:00:00Z', '2026-03-01T00:00:00Z'));
  expect(approved.code).toBe(0);
  expect(approved.output).toContain('outstanding in KES  +90\n');
  expect(approved.output).toMatch(/clm_1 +submitted > partially_approved +KES +\. +\+90 +\. +\. +\+90$/m);
  const created = await run(...between('2026-01-01T00:00:00Z', '2026-01-20T00:00:00Z'), '--json');
  expect(JSON.parse(created.output)).toMatchObject({
    counted: { before: 0, after: 1 },
    changed: 1,
    outstanding: { KES: 0 },
    largest: [{ id: 'clm_1', before: null, after: { status: 'submitted', billed: 100 }, size: 100 }],
  });
  const same = await run(...between('2026-01-20T00:00:00Z', '2026-01-21T00:00:00Z'), '--json');
  expect(JSON.parse(same.output)).toMatchObject({ changed: 0, largest: [] });
});
