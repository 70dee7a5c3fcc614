import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayFixture } from '@carecover/gateway/testing';
import { eventually } from '@carecover/testing/servers';
import { runCommand } from './testing/run-command';

const PERMISSION_DENIED = 7;
const SECRET = 'the secret of the hashes in these tests';

/** A Temporal server that rejects every request. */
const temporal = createServer().on('stream', (stream) =>
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': PERMISSION_DENIED },
    { endStream: true },
  ),
);
let fixture: GatewayFixture;
let folder: string;
let project: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'care', 'benefits', 'claims', 'payments']);
  await new Promise<void>((resolve) => temporal.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'carecover-cli-'));
  project = (await fixture.project()).project_id;
  // This constraint makes the insert of any audit entry of the author `mallory` fail, which simulates a failure between a change and its
  // audit entry.
  await fixture.sql`alter table gateway.audit_log add constraint unwritten check (actor <> 'mallory')`;
});
afterAll(async () => {
  temporal.close();
  await fixture.stop();
  await rm(folder, { recursive: true });
});

const run = (
  actor: string,
  args: readonly string[],
  input?: string,
  settings: Readonly<Record<string, string>> = {},
) =>
  runCommand(
    args,
    {
      CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl,
      CARECOVER_OPERATOR: actor,
      TEMPORAL_ADDRESS: `127.0.0.1:${(temporal.address() as AddressInfo).port}`,
      NATS_URL: 'nats://127.0.0.1:1',
      NATS_PASSWORD: 'the password of the operator',
      CARECOVER_ERASURE_JOURNAL: join(folder, 'erasures.jsonl'),
      HASH_SECRET: SECRET,
      ...settings,
    },
    input,
  );

const insertMember = (id: string, reference: string) =>
  fixture.sql`insert into benefits.members (id, project_id, reference) values (${id}, ${project}, ${reference})`;

async function referenceOf(id: string): Promise<string | null | undefined> {
  const [row] = await fixture.sql<{ reference: string | null }[]>`
    select reference from benefits.members where id = ${id}`;
  return row?.reference;
}

/** Reads the lines of the erasure journal. */
async function journalLines(): Promise<string[]> {
  const text = await readFile(join(folder, 'erasures.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

test("a member whose erasure can't be logged is not erased", async () => {
  await insertMember('mem_1', 'member-1');
  const erase = (actor: string) => run(actor, ['members', 'erase', '--project', project], 'member-1');
  const reference = () => referenceOf('mem_1');
  expect((await erase('mallory')).errors).toContain('unwritten');
  expect(await reference()).toBe('member-1');
  expect(await journalLines()).toEqual([]);
  expect(await erase('amina')).toMatchObject({ code: 0 });
  expect(await reference()).toBeNull();
  expect(await journalLines()).toHaveLength(1);
});

test("a member whose erasure can't be appended to the journal is not erased", async () => {
  await insertMember('mem_2', 'member-2');
  const args = ['members', 'erase', '--project', project];
  const settings = [
    { CARECOVER_ERASURE_JOURNAL: join(folder, 'missing/erasures.jsonl') },
    { CARECOVER_ERASURE_JOURNAL: '' },
    { HASH_SECRET: 'short' },
  ];
  for (const wrong of settings) {
    const { code, errors } = await run('amina', args, 'member-2', wrong);
    expect(code).toBe(1);
    expect(errors).toMatch(/CARECOVER_ERASURE_JOURNAL|HASH_SECRET/);
  }
  expect(await referenceOf('mem_2')).toBe('member-2');
});

test('recovery after a restore repeats the erasures of the journal, and not for members that were first seen later', async () => {
  await insertMember('mem_3', 'member-3');
  const args = ['members', 'erase', '--project', project];
  expect(await run('amina', args, 'member-3')).toMatchObject({ code: 0 });
  const text = await readFile(join(folder, 'erasures.jsonl'), 'utf8');
  expect(text).not.toContain('member-');
  expect((await stat(join(folder, 'erasures.jsonl'))).mode & 0o777).toBe(0o600);

  // Simulates a restore that brings an erased member back. Another project has another member with the same reference.
  await fixture.sql`update benefits.members set reference = 'member-3', erased_at = null where id = 'mem_3'`;
  const { project_id: other } = await fixture.project();
  await fixture.sql`insert into benefits.members (id, project_id, reference) values ('mem_4', ${other}, 'member-3')`;
  // Simulates a crash that left an incomplete line in the journal.
  await appendFile(join(folder, 'erasures.jsonl'), '{"project_id":"prj');
  const recover = (settings = {}) =>
    run('amina', ['recover-after-restore', '--reason', 'a rehearsal'], '', settings);
  await recover();
  expect(await referenceOf('mem_3')).toBeNull();
  expect(await referenceOf('mem_4')).toBe('member-3');

  await fixture.sql`insert into benefits.members (id, project_id, reference) values ('mem_5', ${project}, 'member-3')`;
  await recover();
  expect(await referenceOf('mem_5')).toBe('member-3');
  expect(await run('amina', args, 'member-3')).toMatchObject({ code: 0 });
  expect(await referenceOf('mem_5')).toBeNull();
});

test('a repeated erasure completes one that was interrupted before its vacuum', async () => {
  await insertMember('mem_6', 'member-6');
  const erase = () => run('amina', ['members', 'erase', '--project', project, '--json'], 'member-6');
  expect(await erase()).toMatchObject({ code: 0 });
  const vacuums = async () => {
    const [row] = await fixture.sql<{ count: number }[]>`
      select vacuum_count::int as count from pg_stat_user_tables where schemaname = 'benefits' and relname = 'members'`;
    return row?.count ?? 0;
  };
  const [before, lines] = [await vacuums(), await journalLines()];
  expect(await erase()).toMatchObject({ code: 0, output: '{"erased":true}\n' });
  await eventually('the table is vacuumed again', async () => (await vacuums()) > before);
  expect(await journalLines()).toEqual(lines);
  const { project_id: other } = await fixture.project();
  expect(await run('amina', ['members', 'erase', '--project', other], 'member-6')).toMatchObject({ code: 1 });
});

test("a directory whose import can't be logged is not imported", async () => {
  const file = join(folder, 'directory.csv');
  await writeFile(
    file,
    'reference,name,profession,city,country,session_fee_amount,session_fee_currency,timezone,weekly_hours\n' +
      'npi-1,Amina Otieno,Counsellor,Nairobi,KE,450000,KES,Africa/Nairobi,Mon 09:00-17:00 online|phone\n',
  );
  const { errors } = await run('mallory', ['practitioners', 'import', file, '--project', project]);
  expect(errors).toContain('unwritten');
  expect(await fixture.sql`select 1 from care.practitioners where project_id = ${project}`).toHaveLength(0);
});

test('a command that changes more than the database is logged before it begins', async () => {
  const { errors } = await run('amina', ['recover-after-restore', '--reason', 'a rehearsal']);
  expect(errors).toContain('Failed to list workflows');
  const { output } = await run('amina', ['audit', 'list', '--limit', '1', '--json']);
  expect(JSON.parse(output)).toMatchObject([
    { actor: 'amina', action: 'recover-after-restore', subject: 'a rehearsal' },
  ]);
});

/** Reads the latest audit entry. */
async function lastEntry() {
  return JSON.parse((await run('amina', ['audit', 'list', '--limit', '1', '--json'])).output)[0];
}

test("notifications whose repetition can't be logged are not sent again", async () => {
  await fixture.sql.session(async (session) => {
    // Disables foreign keys, because the allocation's claim has no account.
    await session`set session_replication_role = replica`;
    await session`
      insert into payments.remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
      values ('rem_1', 'clm_1', 0, 1, '[]', 1)`;
    await session`
      insert into payments.claims_notifications (cause_id, remittance_id, kind, input, recorded_at)
      values ('cause_1', 'rem_1', 'remittance', '{}', now())`;
    await session`set session_replication_role = origin`;
  });
  const pending = () => fixture.sql`select 1 from payments.claims_notifications where recorded_at is null`;
  const notify = (actor: string) => run(actor, ['remittances', 'notify-claims', 'clm_1', '--json']);
  expect((await notify('mallory')).errors).toContain('unwritten');
  expect(await pending()).toHaveLength(0);
  expect(await notify('amina')).toMatchObject({ code: 0, output: '{"remittances":1}\n' });
  expect(await pending()).toHaveLength(1);
  expect(await lastEntry()).toMatchObject({ action: 'remittances.notify-claims', subject: 'clm_1' });
});

test('a valuation run is logged before it is created', async () => {
  const args = ['valuation', 'run', '--project', project, '--at', '2026-03-01T00:00:00Z', '--json'];
  const runs = () => fixture.sql`select 1 from claims.valuation_runs where project_id = ${project}`;
  expect((await run('mallory', args)).errors).toContain('unwritten');
  expect(await runs()).toHaveLength(0);
  expect(await run('amina', args)).toMatchObject({ code: 0 });
  expect(await runs()).toHaveLength(1);
  expect(await lastEntry()).toMatchObject({
    actor: 'amina',
    action: 'valuation_run.create',
    subject: 'valuation_run',
    details: { project_id: project, kind: 'totals', valuation_at: '2026-03-01T00:00:00.000Z' },
  });
});

test("a rebuild of a project's sums is logged before it begins, in a transaction that ends then", async () => {
  const rebuild = ['valuation', 'rebuild', '--project', project];
  const isLogged = async () => {
    const { action, subject } = await lastEntry();
    return action === 'valuation.rebuild' && subject === project;
  };
  const running = await fixture.sql.begin(async (tx) => {
    // The rebuild waits for this lock, as if it took long.
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`lock table claims.portfolio_rollups in access exclusive mode`;
    const rebuilding = run('amina', rebuild);
    await eventually('the rebuild is logged while it runs', isLogged, 10_000);
    return { rebuilding };
  });
  expect(await running.rebuilding).toMatchObject({ code: 0 });
});

test('after a leak, the keys and entries since the leak are listed, and no others', async () => {
  const list = async <T>(...args: string[]): Promise<T> =>
    JSON.parse((await run('amina', [...args, '--project', project, '--json'])).output);
  const create = () => list<{ key_id: string }>('keys', 'create', '--scopes', 'claims:read');
  const idsSince = async (since: string) =>
    (await list<{ id: string }[]>('keys', 'list', '--since', since)).map(({ id }) => id).sort();
  const [untouched, rotated, revoked] = [await create(), await create(), await create()];
  const [{ leak } = { leak: new Date(0) }] = await fixture.sql<
    { leak: Date }[]
  >`select platform.now() + interval '1 millisecond' as leak`;
  await eventually('the leak has passed', async () => Date.now() > leak.getTime());
  const created = await create();
  await run('amina', ['keys', 'rotate', rotated.key_id]);
  await run('amina', ['keys', 'revoke', revoked.key_id]);
  const since = leak.toISOString();
  expect(await idsSince(since)).toEqual([created.key_id, rotated.key_id, revoked.key_id].sort());
  expect(await idsSince('2020-01-01T00:00:00Z')).toContain(untouched.key_id);
  const { output } = await run('amina', ['audit', 'list', '--since', since, '--json']);
  expect(JSON.parse(output).map(({ action, subject }: Record<string, string>) => [action, subject])).toEqual([
    ['key.revoke', revoked.key_id],
    ['key.rotate', rotated.key_id],
    ['key.create', created.key_id],
  ]);
  expect(
    JSON.parse((await run('amina', ['audit', 'list', '--since', '2999-01-01T00:00:00Z', '--json'])).output),
  ).toEqual([]);
});
