import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { referenceKey, referenceSearchKey } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { GatewayFixture } from '@carecover/gateway/testing';
import { constantText, jsonb } from '@carecover/postgres';
import { runCommand } from './testing/run-command';

let fixture: GatewayFixture;
let folder: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'care', 'benefits', 'claims', 'payments']);
  folder = await mkdtemp(join(tmpdir(), 'carecover-cli-'));
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

/** Settings of the commands, without those of Temporal. */
const settings = () => ({
  CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl,
  CARECOVER_OPERATOR: 'amina',
  CARECOVER_ERASURE_JOURNAL: join(folder, 'erasures.jsonl'),
  HASH_SECRET: 'the secret of the hashes in these tests',
});

const run = (args: readonly string[], input?: string, isTerminal?: boolean) =>
  runCommand(args, settings(), input, isTerminal);

const HEADER =
  'reference,name,profession,city,country,session_fee_amount,session_fee_currency,timezone,weekly_hours';
const AMINA =
  'npi-1,Amina Otieno,Counsellor,Nairobi,KE,450000,KES,Africa/Nairobi,Mon 09:00-17:00 online|phone';

async function writeDirectory(...rows: string[]): Promise<string> {
  const file = join(folder, 'directory.csv');
  await writeFile(file, [HEADER, ...rows, ''].join('\n'));
  return file;
}

const lastEntry = async () =>
  JSON.parse((await run(['audit', 'list', '--limit', '1', '--json'])).output)[0] as { action: string };

test("a directory is imported into a project with care's role, and logged", async () => {
  const { project_id } = await fixture.project();
  const file = await writeDirectory(AMINA);
  const args = ['practitioners', 'import', file, '--project', project_id, '--json'];
  expect(JSON.parse((await run(args)).output)).toEqual({ added: 1, changed: 0, unchanged: 0 });
  expect(JSON.parse((await run(args)).output)).toEqual({ added: 0, changed: 0, unchanged: 1 });
  expect(await lastEntry()).toMatchObject({
    action: 'practitioners.import',
    subject: project_id,
    details: { unchanged: 1 },
  });
  const rows = await fixture.sql`select name from care.practitioners where project_id = ${project_id}`;
  expect(rows).toMatchObject([{ name: 'Amina Otieno' }]);
});

test('an invalid row is reported with its line, and nothing is imported or logged', async () => {
  const { project_id } = await fixture.project();
  const before = await lastEntry();
  const file = await writeDirectory(AMINA, 'npi-2,,Counsellor,Nairobi,KE,-1,KES,Africa/Nairobi,');
  const { code, errors } = await run(['practitioners', 'import', file, '--project', project_id]);
  expect(code).toBe(1);
  expect(errors).toMatch(/line 3: .*session_fee_amount/);
  expect(await fixture.sql`select 1 from care.practitioners where project_id = ${project_id}`).toHaveLength(
    0,
  );
  expect(await lastEntry()).toEqual(before);
});

test('an import into an unknown project, or of an unreadable file, is rejected', async () => {
  const file = await writeDirectory(AMINA);
  expect(await run(['practitioners', 'import', file, '--project', 'prj_unknown'])).toMatchObject({ code: 1 });
  const { project_id } = await fixture.project();
  const text = await readFile(file, 'utf8');
  await writeFile(file, Buffer.from(text.replace('Amina', 'Renée'), 'latin1'));
  const { code, errors } = await run(['practitioners', 'import', file, '--project', project_id]);
  expect([code, errors]).toEqual([1, expect.stringMatching(/\n {2}line 2: it is not text in UTF-8\n$/)]);
  const missing = ['practitioners', 'import', join(folder, 'missing.csv'), '--project', project_id];
  expect((await run(missing)).errors).toContain('missing.csv');
});

test('a member is erased by a reference from standard input, and neither output nor log contains the reference', async () => {
  const { project_id } = await fixture.project();
  await fixture.sql`insert into benefits.members (id, project_id, reference) values ('mem_1', ${project_id}, 'member-77')`;
  const erase = (reference: string) => run(['members', 'erase', '--project', project_id], reference);
  expect(await erase('member-77\n')).toMatchObject({ code: 0 });
  const [member] = await fixture.sql`select reference from benefits.members where id = 'mem_1'`;
  expect(member).toMatchObject({ reference: null });
  expect(JSON.stringify(await lastEntry())).not.toContain('member-77');
  const unknown = await erase('member-78');
  expect(unknown.code).toBe(1);
  expect(unknown.errors).not.toContain('member-78');
  expect(await erase('')).toMatchObject({ code: 1 });
});

/** Inserts a claim of a project with its first fact. */
async function insertClaim(id: string, projectId: string, reference: string): Promise<void> {
  await fixture.sql`
    insert into claims.claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
      practitioner_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version, adjudication_version,
      last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
    select ${id}, ${projectId}, 'sandbox', ${reference}, ${referenceKey(reference)}, ${referenceSearchKey(reference)}, 'elig_1', ${`ses_${id}`}, 'bkg_1', 'prc_1', 'payer_1', 'plan', now, now, '[]', 'KES', 1, 'submitted', 1, 0,
      1, 1, now, now, now, now from platform.now() as now`;
  await fixture.sql`
    insert into claims.facts (claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, next_status,
      evidence_references, detail)
    select ${id}, 1, 'created', 'cmd_1', gen_random_uuid(), now, now, 'draft', '[]', '{"billed":1,"currency":"KES"}' from platform.now() as now`;
}

test("a claim is found by its ID and by its provider's reference, in all projects or in one", async () => {
  const [ours, theirs] = [await fixture.project(), await fixture.project()];
  await insertClaim('clm_ours', ours.project_id, 'clm_theirs');
  await insertClaim('clm_theirs', theirs.project_id, 'INV 7/2027');
  const shown = async (...args: string[]) => (await run(['show', ...args])).output.split('  ')[0];
  expect(await shown('clm_ours')).toBe('clm_ours');
  expect(await shown('clm_theirs')).toBe('clm_theirs');
  expect(await shown('clm_theirs', '--project', ours.project_id)).toBe('clm_ours');
  expect(await shown('INV 7/2027', '--project', theirs.project_id)).toBe('clm_theirs');
  expect(await shown('INV 7/2027')).toBe('clm_theirs');
  expect(await run(['show', 'INV 7/2027', '--project', ours.project_id])).toMatchObject({
    code: 1,
    errors: `carecover: There is no resource with the ID or reference INV 7/2027 in ${ours.project_id}.\n`,
  });
  await insertClaim('clm_third', ours.project_id, 'INV 7/2027');
  expect(await run(['show', 'INV 7/2027'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`  clm_third of ${ours.project_id}\n`),
  });
  expect(await shown('INV 7/2027', '--project', ours.project_id)).toBe('clm_third');
});

describe('rejected commands', () => {
  const insertRejected = (service: 'benefits' | 'claims' | 'payments', projectId: string, values: object) =>
    fixture.sql`
      insert into ${constantText(`${service}.rejected_commands`)}
        (id, project_id, resource_id, operation, actor, request_id, code, message, rejected_at)
      select ${newId('cmd_')}, ${projectId}, resource_id, operation, 'key_1', 'req_1', code, message, rejected_at
      from jsonb_to_record(${jsonb(values)}) as r
        (resource_id text, operation text, code text, message text, rejected_at timestamptz)`;
  const rejection = (operation: string, resource_id: string, day: number) => ({
    operation,
    resource_id,
    code: 'invalid_state',
    message: 'It has \u001b[31m ended.',
    rejected_at: `2026-03-0${day}T00:00:00Z`,
  });

  test('of all services are listed newest first, of all projects, of one, or of one resource', async () => {
    const [one, other] = [await fixture.project(), await fixture.project()];
    await insertRejected('claims', one.project_id, rejection('cancelClaim', 'clm_1', 1));
    await insertRejected('benefits', one.project_id, rejection('decidePreauthorization', 'preauth_1', 3));
    await insertRejected('payments', one.project_id, rejection('createRemittance', 'rem_1', 2));
    await insertRejected('claims', other.project_id, rejection('adjudicateClaim', 'clm_1', 4));
    const list = async (...args: string[]) => {
      const { output } = await run(['commands', 'rejected', ...args, '--json']);
      return JSON.parse(output) as { operation: string; project_id: string }[];
    };
    const operations = async (...args: string[]) => (await list(...args)).map(({ operation }) => operation);
    const ofOne = ['decidePreauthorization', 'createRemittance', 'cancelClaim'];
    expect(await operations()).toEqual(['adjudicateClaim', ...ofOne]);
    expect(await operations('--project', one.project_id)).toEqual(ofOne);
    expect(await operations('--limit', '2')).toEqual(['adjudicateClaim', 'decidePreauthorization']);
    expect(await operations('--resource', 'clm_1')).toEqual(['adjudicateClaim', 'cancelClaim']);
    expect(await list('--resource', 'clm_1', '--project', one.project_id)).toEqual([
      {
        ...rejection('cancelClaim', 'clm_1', 1),
        rejected_at: '2026-03-01T00:00:00.000Z',
        actor: 'key_1',
        request_id: 'req_1',
        project_id: one.project_id,
      },
    ]);
    expect(await list('--resource', 'clm_unknown')).toEqual([]);
    const { output } = await run(['commands', 'rejected', '--project', other.project_id]);
    expect(output).toContain('adjudicateClaim');
    expect(output).not.toContain('\u001b');
    const unknown = await run(['commands', 'rejected', '--project', 'prj_unknown']);
    expect(unknown).toMatchObject({ code: 1, errors: 'carecover: There is no project prj_unknown.\n' });
  });
});

test('the history of a claim is shown while Temporal is unavailable or not named, and says that the run is not known', async () => {
  const { project_id } = await fixture.project();
  await insertClaim('clm_run', project_id, 'INV-RUN');
  for (const [temporal, reason] of [
    [{}, /^workflow: not known: .*TEMPORAL_ADDRESS/m],
    [{ TEMPORAL_ADDRESS: '127.0.0.1:1' }, /^workflow: not known: .*Temporal.*unavailable/m],
  ] as const) {
    const { output } = await runCommand(['show', 'clm_run'], { ...settings(), ...temporal });
    expect(output).toMatch(/^clm_run {2}/);
    expect(output).toMatch(reason);
  }
});

test('claims are listed by project, status and the due time of their open information request', async () => {
  const [ours, theirs] = [await fixture.project(), await fixture.project()];
  await insertClaim('clm_a', ours.project_id, 'INV-A');
  await insertClaim('clm_b', ours.project_id, 'INV-B');
  await insertClaim('clm_c', theirs.project_id, 'INV-C');
  const queried = async (claimId: string, projectId: string, dueAt: string) => {
    await fixture.sql`update claims.claims set status = 'queried' where id = ${claimId}`;
    await fixture.sql`
      insert into claims.information_requests (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, due_at, created_at)
      values (${`cir_${claimId}`}, ${claimId}, ${projectId}, 1, 'notes_missing', '[]', 'open', ${dueAt}, now())`;
  };
  await queried('clm_a', ours.project_id, '2099-01-01T00:00:00Z');
  await queried('clm_c', theirs.project_id, '2026-01-01T00:00:00Z');
  const listed = async (...args: string[]) => {
    const { code, output, errors } = await run(['claims', 'list', ...args, '--json']);
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(output) as { id: string; due_at: string | null; project_id: string }[];
  };
  const ids = async (...args: string[]) => (await listed(...args)).map(({ id }) => id);
  const inOurs = ['--project', ours.project_id];
  expect(await ids(...inOurs)).toEqual(['clm_b', 'clm_a']);
  expect(await ids(...inOurs, '--limit', '1')).toEqual(['clm_b']);
  expect(await ids(...inOurs, '--status', 'queried')).toEqual(['clm_a']);
  expect(await listed('--overdue')).toMatchObject([
    { id: 'clm_c', due_at: '2026-01-01T00:00:00.000Z', project_id: theirs.project_id },
  ]);
  expect(await ids('--due-before', '2099-01-02T00:00:00Z')).toEqual(['clm_c', 'clm_a']);
  for (const args of [
    ['--status', 'late'],
    ['--overdue', '--due-before', '2027-01-01T00:00:00Z'],
    ['--limit', '0'],
  ])
    expect(await run(['claims', 'list', ...args])).toMatchObject({ code: 2 });
  expect(await run(['claims', 'list', '--project', 'prj_unknown'])).toMatchObject({ code: 1 });
});

test('claims of several projects are listed newest first, whatever their IDs are', async () => {
  const [ours, theirs] = [await fixture.project(), await fixture.project()];
  await insertClaim('clm_z1', ours.project_id, 'INV-Z1');
  await insertClaim('clm_a1', theirs.project_id, 'INV-A1');
  await fixture.sql`update claims.claims set created_at = created_at + interval '1 minute' where id = 'clm_a1'`;
  await fixture.sql`update claims.claims set created_at = created_at + interval '30 seconds' where id = 'clm_z1'`;
  const { output } = await run(['claims', 'list', '--limit', '2', '--json']);
  expect(JSON.parse(output).map(({ id }: { id: string }) => id)).toEqual(['clm_a1', 'clm_z1']);
});

test("control characters of clients' texts are escaped, so that no terminal executes them", async () => {
  const { project_id } = await fixture.project();
  const reference = 'INV\u001b[2J\u009b\u202e\r\n7';
  const escaped = 'INV\\u001b[2J\\u009b\\u202e\\u000d\\u000a7';
  await insertClaim('clm_esc', project_id, reference);
  const printed = async (...args: string[]) => (await run(args)).output;
  expect(await printed('claims', 'list', '--project', project_id)).toContain(`  ${escaped}  `);
  const json = await printed('claims', 'list', '--project', project_id, '--json');
  expect(json).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(json)).toMatchObject([{ provider_claim_reference: reference }]);
  expect(await printed('show', 'clm_esc')).toContain('reference INV\\u001b[2J\\u009b\\u202e\\u000d\n7;');
  expect((await run(['show', reference.replace('7', '8')])).errors).toContain('INV\\u001b[2J\\u009b');
});

test('a booking and its session are shown by their IDs, with the status of now', async () => {
  const { project_id } = await fixture.project();
  await fixture.sql.session(async (session) => {
    // Disables foreign keys, because the practitioner of the inserted booking does not exist.
    await session`set session_replication_role = replica`;
    await session`
      insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source, status,
        created_at)
      select 'bkg_shown', ${project_id}, 'ses_shown', 'prc_1', now - interval '2 hours', now - interval '1 hour', 'UTC', 'online', 'covered',
        'reserved', now - interval '1 day' from platform.now() as now`;
    await session`set session_replication_role = origin`;
  });
  const shown = async (id: string) => JSON.parse((await run(['show', id, '--json'])).output);
  expect(await shown('bkg_shown')).toMatchObject({
    object: 'booking',
    session_id: 'ses_shown',
    status: 'reserved',
  });
  expect(await shown('ses_shown')).toMatchObject({ object: 'session', id: 'ses_shown', status: 'delivered' });
});

test('an unknown claim is rejected with exit code 1, a malformed argument with exit code 2', async () => {
  const { code, errors } = await run(['show', 'clm_unknown']);
  expect([code, errors]).toEqual([
    1,
    'carecover: There is no resource with the ID or reference clm_unknown.\n',
  ]);
  expect(await run(['show', 'bkg_unknown'])).toMatchObject({ code: 1 });
  expect(await run(['show', 'clm_1', '--at', 'yesterday'])).toMatchObject({ code: 2 });
});

test('a ledger without postings has no differences, and there is nothing to send again', async () => {
  const verified = await run(['ledger', 'verify', '--json']);
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.output)).toMatchObject({ postings: 0, differences: [] });
  expect(await run(['remittances', 'notify-claims', 'clm_unknown', '--json'])).toMatchObject({
    code: 0,
    output: '{"remittances":0}\n',
  });
});

test('differences in the ledger end with exit code 1, and each is reported', async () => {
  const { sql } = fixture;
  await sql`
    insert into payments.claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
    values ('clm_1', 'prj_1', 'sandbox', 'KES', 'adj_1', 1)`;
  await sql`
    insert into payments.postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at)
    values ('prj_1', 'clm_1', 'charges', 'payer_liability', 100, 'KES', 'adj_1', platform.now())`;
  await sql`update payments.postings set amount = 101`;
  const says = [
    'charges is kept as -100, but its postings sum to -101',
    'payer_liability is kept as 100, but its postings sum to 101',
    'has an account, but claims does not know it',
  ];
  const forPeople = await run(['ledger', 'verify']);
  const forScripts = await run(['ledger', 'verify', '--json']);
  await sql`delete from payments.postings`;
  await sql`delete from payments.claim_accounts`;
  const named = says.map((text) => `  clm_1: ${text}\n`).join('');
  const errors = `carecover: The ledger has 3 differences:\n${named}`;
  expect(forPeople).toMatchObject({ code: 1, errors });
  expect(forPeople.output).toMatch(/^postings +1$/m);
  expect(forScripts).toMatchObject({ code: 1, errors });
  expect(JSON.parse(forScripts.output)).toMatchObject({
    postings: 1,
    differences: says.map((text) => ({ subject: 'clm_1', says: text })),
  });
});

test('a payment advice of any project is shown by its ID; an unknown ID, and one of a remittance, are rejected', async () => {
  const { project_id } = await fixture.project();
  await fixture.project();
  const remittance = newId('rem_');
  const advice = remittance.replace('rem_', 'adv_');
  await fixture.sql`
    insert into payments.remittances
      (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total, received_at, deadline)
    values (${remittance}, ${project_id}, 'sandbox', 'ADV-1', 'ADV-1', 'ADV-1', 'KES', 100, platform.now(), platform.now())`;
  const shown = await run(['advices', 'show', advice, '--json']);
  await fixture.sql`delete from payments.remittances where id = ${remittance}`;
  expect(shown).toMatchObject({ code: 0, errors: '' });
  expect(JSON.parse(shown.output)).toMatchObject({ id: advice, remittance_id: remittance, net: 100 });
  expect(await run(['advices', 'show', advice])).toMatchObject({
    code: 1,
    errors: `carecover: There is no payment advice ${advice}.\n`,
  });
  expect(await run(['advices', 'show', remittance])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is not the ID of a payment advice'),
  });
});

test('a payment advice is imported from a file, replaced and withdrawn, each once and logged', async () => {
  const { project_id } = await fixture.project();
  const claim = newId('clm_');
  await fixture.sql`
    insert into payments.claim_accounts (claim_id, project_id, environment, currency, adjudication_id, adjudication_version)
    values (${claim}, ${project_id}, 'sandbox', 'KES', 'adj_1', 1)`;
  await fixture.sql`
    insert into payments.postings (project_id, claim_id, source, destination, amount, currency, cause, effective_at)
    values (${project_id}, ${claim}, 'charges', 'payer_liability', 100, 'KES', 'adj_1', platform.now())`;
  const write = async (name: string, ...rows: string[]) => {
    const file = join(folder, name);
    await writeFile(file, rows.join('\n'));
    return file;
  };
  const header = (net: number) => [
    ...['--payer-reference', 'ERA-1', '--payer', 'sha', '--currency', 'KES', '--json'],
    ...['--received-at', '2026-03-16T14:00:00Z', '--net', String(net)],
  ];
  const imports = (file: string, net: number, ...others: string[]) =>
    run(['advices', 'import', file, '--project', project_id, ...header(net), ...others]);
  const file = await write(
    'advice.csv',
    'type,claim_id,amount,kind',
    `allocation,${claim},90,`,
    'adjustment,,-10,fee',
  );
  const dry = await imports(file, 80, '--dry-run');
  expect(JSON.parse(dry.output)).toMatchObject({ id: null, allocations: 1, adjustments: 1, net: 80 });
  const first = JSON.parse((await imports(file, 80)).output);
  expect(first).toMatchObject({ is_known: false, status: 'received' });
  expect(await lastEntry()).toMatchObject({
    action: 'advices.import',
    subject: project_id,
    details: { file: 'advice.csv', payer_reference: 'ERA-1' },
  });
  expect(JSON.parse((await imports(file, 80)).output)).toEqual({ ...first, is_known: true });
  expect(await imports(file, 81)).toMatchObject({ code: 1, errors: expect.stringContaining('/net is 81') });

  const wrong = await write(
    'wrong.jsonl',
    JSON.stringify({ type: 'adjustment', kind: 'fee', amount: 1 }),
    JSON.stringify({ type: 'denial', claim_id: newId('clm_') }),
  );
  expect(await imports(wrong, 1)).toMatchObject({
    code: 1,
    errors: 'carecover: line 2: claim_id names no claim.\n',
  });
  expect(
    await imports(await write('bad.csv', 'type,amount,claim_id', 'allocation,1.5,clm_1'), 1),
  ).toMatchObject({
    code: 1,
    errors: expect.stringContaining('bad.csv: line 2: amount must'),
  });

  const amended = await write('amended.csv', 'type,claim_id,amount', `allocation,${claim},100`);
  const waitSeconds = async (id: string) => {
    const [row] = await fixture.sql<readonly { seconds: number }[]>`
      select extract(epoch from deadline - created_at)::int as seconds from payments.remittances
      where id = ${id.replace('adv_', 'rem_')}`;
    return row?.seconds;
  };
  expect(await waitSeconds(first.id)).toBe(30 * 86_400);
  const replace = ['advices', 'replace', first.id, amended, ...header(100)];
  expect(await runCommand(replace, { ...settings(), RECONCILIATION_SECONDS: 'a day' })).toMatchObject({
    code: 1,
    errors: expect.stringContaining('RECONCILIATION_SECONDS'),
  });
  const replaced = await runCommand(replace, { ...settings(), RECONCILIATION_SECONDS: '86400' });
  const second = JSON.parse(replaced.output);
  expect(await waitSeconds(second.id)).toBe(86_400);
  expect(await lastEntry()).toMatchObject({ action: 'advices.replace', subject: first.id });
  expect(JSON.parse((await run(['advices', 'show', first.id, '--json'])).output)).toMatchObject({
    status: 'withdrawn',
    replaced_by: second.id,
  });
  const withdraw = ['advices', 'withdraw', second.id, '--reason', 'sent_in_error', '--json'];
  expect(JSON.parse((await run(withdraw)).output)).toMatchObject({ status: 'withdrawn' });
  expect(await lastEntry()).toMatchObject({ action: 'advices.withdraw', subject: second.id });
  expect(await run(withdraw)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('withdrawn already'),
  });
});

test('each row of a settlement file without a remittance is reported with its line', async () => {
  const { project_id } = await fixture.project();
  const file = join(folder, 'bank.csv');
  await writeFile(
    file,
    'source_reference,payer_reference,currency,amount,observed_at\nB-1,ERA-1,KES,100,2026-03-16T14:00:00Z\n',
  );
  const { code, output } = await run(['settlements', 'import', file, '--project', project_id, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ rows: 1, matched: 0, unmatched: [{ line: 2, kind: 'kept' }] });
  expect(await lastEntry()).toMatchObject({ action: 'settlements.import', details: { file: 'bank.csv' } });
  expect(await run(['settlements', 'import', `${file}.missing`, '--project', project_id])).toMatchObject({
    code: 1,
  });
});

describe('a bank statement', () => {
  const statement = (number: number, entries: string) =>
    `<Document><BkToCstmrStmt><Stmt><Id>S${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>
<Acct><Id><Othr><Id>0001</Id></Othr></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
  const entry = (reference: string, indicator = 'CRDT', date = '<Dt>2026-11-18</Dt>') =>
    `<Ntry><Amt Ccy="KES">1000.00</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>BOOK</Sts><BookgDt>${date}</BookgDt>
<AcctSvcrRef>${reference}</AcctSvcrRef></Ntry>`;
  const importStatement = async (
    project_id: string,
    name: string,
    bytes: string | Buffer,
    ...args: string[]
  ) => {
    const file = join(folder, name);
    await writeFile(file, bytes);
    return run(['settlements', 'import', file, '--project', project_id, ...args]);
  };

  test('in a gzip file is imported, with a list of what is ignored, and a preview in a dry run', async () => {
    const { project_id } = await fixture.project();
    const bytes = gzipSync(statement(1, entry('A-1') + entry('D-1', 'DBIT')));
    const preview = await importStatement(project_id, 'day.xml.gz', bytes, '--dry-run');
    expect(preview.output).toContain('line 2 is read as: credit of 1,000.00 KES on 2026-11-18; A-1\n');
    expect(preview.output).toContain('ignored 1: it is a debit');
    const { code, output } = await importStatement(project_id, 'day.xml.gz', bytes, '--json');
    expect([code, JSON.parse(output)]).toMatchObject([
      0,
      {
        rows: 2,
        ignored: 1,
        unmatched: [{ line: 2, kind: 'kept', currency: 'KES', amount: 100_000 }],
        ignored_rows: [{ line: 3, reason: 'it is a debit', amount: 100_000 }],
        statements: [],
      },
    ]);
  });

  test('that does not follow the last one is imported, and the command fails', async () => {
    const { project_id } = await fixture.project();
    await importStatement(project_id, 'day.xml', statement(1, entry('A-1')));
    const { code, output, errors } = await importStatement(project_id, 'day.xml', statement(3, entry('A-3')));
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('1 statement differs from what was imported'),
    ]);
    expect(output).toContain('statement 3 follows 1');
  });

  test('has local times of the account’s or the project’s time zone', async () => {
    const { project_id } = await fixture.project();
    const timeOf = async (reference: string) => {
      await importStatement(
        project_id,
        'day.xml',
        statement(1, entry(reference, 'CRDT', '<DtTm>2026-11-18T10:00:00</DtTm>')),
      );
      const rows = JSON.parse(
        (await run(['settlements', 'unmatched', '--project', project_id, '--json'])).output,
      );
      return rows.find((row: { source_reference: string }) => row.source_reference === reference).observed_at;
    };
    expect(await timeOf('A-1')).toBe('2026-11-18T10:00:00.000Z');
    await run(['projects', 'set', project_id, '--time-zone', 'Africa/Nairobi']);
    expect(await timeOf('A-2')).toBe('2026-11-18T07:00:00.000Z');
    const account = ['settlements', 'account', '0001', '--project', project_id, '--time-zone'];
    expect(await run([...account, 'Europe/Berlin'])).toMatchObject({ code: 0 });
    expect(await lastEntry()).toMatchObject({
      action: 'settlements.account',
      details: { account: '0001', time_zone: 'Europe/Berlin' },
    });
    expect(await timeOf('A-3')).toBe('2026-11-18T09:00:00.000Z');
    expect(await run([...account, ''])).toMatchObject({ code: 0 });
    expect(await timeOf('A-4')).toBe('2026-11-18T07:00:00.000Z');
    expect(await run([...account, 'Mars/Olympus'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no time zone'),
    });
  });

  test('with a takeback names it, and only a takeback can be taken back', async () => {
    const { project_id } = await fixture.project();
    await importStatement(project_id, 'day.xml', statement(1, entry('A-1')));
    const back = entry('A-1', 'DBIT', '<Dt>2026-11-19</Dt>');
    const { output } = await importStatement(project_id, 'day.xml', statement(2, back), '--json');
    expect(JSON.parse(output).unmatched).toMatchObject([
      { kind: 'takeback', reason: expect.stringMatching(/takes back 1,000\.00 KES \(row \d+\)/) },
    ]);
    const rows = JSON.parse(
      (await run(['settlements', 'unmatched', '--project', project_id, '--json'])).output,
    );
    const [credit, takeback] = rows.map(({ row }: { row: number }) => String(row));
    expect(await run(['settlements', 'take-back', credit])).toMatchObject({ code: 1 });
    expect(await run(['settlements', 'take-back', takeback])).toMatchObject({ code: 0 });
    expect(
      JSON.parse((await run(['settlements', 'unmatched', '--project', project_id, '--json'])).output),
    ).toEqual([]);
  });
});

test('an import from a pipe is rejected, because it reads its input more than once', async () => {
  const { project_id } = await fixture.project();
  const pipe = join(folder, 'pipe.csv');
  await promisify(execFile)('mkfifo', [pipe]);
  const before = await lastEntry();
  for (const file of [pipe, folder]) {
    const { code, errors } = await run(['settlements', 'import', file, '--project', project_id]);
    expect([code, errors]).toEqual([
      1,
      `carecover: ${file} is not a regular file. The import reads its input more than once: write the rows to a file, and pass the file's path.\n`,
    ]);
  }
  expect(await lastEntry()).toEqual(before);
});

test.each([
  ['settlements', 'source_reference|payer_reference|currency|amount|observed_at'],
  ['practitioners', HEADER.replaceAll(',', ';')],
])(
  'an import of %s from a file with another separator says what is expected, and changes nothing',
  async (kind, heading) => {
    const { project_id } = await fixture.project();
    const file = join(folder, 'semicolons.csv');
    await writeFile(file, `${heading}\n${'a;b;c\n'.repeat(3)}`);
    const before = await lastEntry();
    const { code, output, errors } = await run([kind, 'import', file, '--project', project_id]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain(file);
    expect(errors).toMatch(/line 1: The cells are separated by "[;|]", and "," .*is expected\. .*\n$/);
    expect(await lastEntry()).toEqual(before);
  },
);

test('an import of which rows are neither recorded nor kept says so and fails', async () => {
  const { project_id } = await fixture.project();
  const file = join(folder, 'unreadable.csv');
  await writeFile(
    file,
    'source_reference,payer_reference,currency,amount,observed_at\nB-1,ERA-1,KES,zero,2026-03-16T14:00:00Z\n',
  );
  const args = ['settlements', 'import', file, '--project', project_id];
  const { code, output, errors } = await run(args);
  expect([code, errors]).toEqual([
    1,
    'carecover: 1 row is neither recorded nor kept. Correct the file and import it again: no row is recorded twice.\n',
  ]);
  expect(output).toMatch(/^line 2: /m);
  expect(output).not.toContain('kept');
  expect(await run([...args, '--dry-run'])).toMatchObject({ code: 0 });
});

test('a dry run of a settlement file records and logs nothing; a row that matches no remittance is kept and listed', async () => {
  const { project_id } = await fixture.project();
  const file = join(folder, 'today.csv');
  await writeFile(
    file,
    'source_reference,payer_reference,currency,amount,observed_at\nB-1,ERA-1,KES,100,2026-03-16T14:00:00Z\n',
  );
  const before = await lastEntry();
  const unmatched = async () =>
    JSON.parse((await run(['settlements', 'unmatched', '--project', project_id, '--json'])).output);
  const args = ['settlements', 'import', file, '--project', project_id];
  expect((await run([...args, '--dry-run'])).output).toMatch(/^matched +0$[\s\S]*^Nothing was recorded/m);
  expect(await lastEntry()).toEqual(before);
  expect(await unmatched()).toEqual([]);
  expect(await run(args)).toMatchObject({ code: 0 });
  const [kept] = await unmatched();
  expect(kept).toMatchObject({
    source_reference: 'B-1',
    payer_reference: 'ERA-1',
    file: 'today.csv',
    line: 2,
  });
  expect(await run(['settlements', 'assign', String(kept.row), 'rem_unknown'])).toMatchObject({
    code: 1,
    errors: `carecover: There is no remittance rem_unknown in ${project_id}, the project of the row.\n`,
  });
  expect(await lastEntry()).toMatchObject({ action: 'settlements.assign', subject: 'rem_unknown' });
  expect(await run(['settlements', 'assign', '0', 'rem_unknown'])).toMatchObject({ code: 1 });
  expect(await run(['settlements', 'assign', 'first', 'rem_unknown'])).toMatchObject({ code: 2 });
});

test('a kept row is dismissed once, with a reason in the audit log; a later import counts it as dismissed', async () => {
  const { project_id } = await fixture.project();
  const file = join(folder, 'refund.csv');
  await writeFile(
    file,
    'source_reference,payer_reference,currency,amount,observed_at\nB-2,unknown,KES,100,2026-03-16T14:00:00Z\n',
  );
  const unmatched = async () =>
    JSON.parse((await run(['settlements', 'unmatched', '--project', project_id, '--json'])).output);
  await run(['settlements', 'import', file, '--project', project_id]);
  const [kept] = await unmatched();
  const dismiss = (...args: string[]) => run(['settlements', 'dismiss', String(kept.row), ...args]);
  expect(await dismiss()).toMatchObject({ code: 2 });
  expect(await dismiss('--reason', ' ')).toMatchObject({ code: 2 });
  expect(await dismiss('--reason', 'x'.repeat(201))).toMatchObject({ code: 2 });
  expect(await unmatched()).toHaveLength(1);
  const dismissed = await dismiss('--reason', 'a refund of a supplier', '--json');
  expect(JSON.parse(dismissed.output)).toEqual([{ row: kept.row, result: 'not ours' }]);
  expect(await lastEntry()).toMatchObject({
    action: 'settlements.dismiss',
    subject: project_id,
    details: { row: kept.row, file: 'refund.csv', line: 2, reason: 'a refund of a supplier' },
  });
  expect(await unmatched()).toEqual([]);
  expect(await dismiss('--reason', 'again')).toMatchObject({ code: 1 });
  for (const args of [['--dry-run'], []]) {
    const again = await run(['settlements', 'import', file, '--project', project_id, '--json', ...args]);
    expect(JSON.parse(again.output)).toMatchObject({ rows: 1, dismissed: 1, unmatched: [] });
  }
  expect(await unmatched()).toEqual([]);
  expect(await run(['settlements', 'assign', String(kept.row), 'rem_unknown'])).toMatchObject({
    errors: `carecover: There is no remittance rem_unknown in ${project_id}, the project of the row.\n`,
  });
});

test('an import draws a progress bar on a terminal, and only there', async () => {
  const { project_id } = await fixture.project();
  const file = join(folder, 'march.csv');
  const rows = Array.from(
    { length: 250 },
    (_, index) => `B-${100 + index},ERA-1,KES,100,2026-03-16T14:00:00Z`,
  );
  await writeFile(
    file,
    ['source_reference,payer_reference,currency,amount,observed_at', ...rows, ''].join('\n'),
  );
  const args = ['settlements', 'import', file, '--project', project_id, '--json'];
  const shown = await run(args, '', true);
  expect(shown.progress).toContain('0% | 1 of 250 rows');
  expect(shown.progress).toContain('100% | 250 of 250 rows');
  expect(JSON.parse(shown.output)).toMatchObject({ rows: 250 });
  expect(shown.errors).toBe('');
  expect(await run(args)).toMatchObject({ progress: '', output: shown.output, errors: '' });
});
