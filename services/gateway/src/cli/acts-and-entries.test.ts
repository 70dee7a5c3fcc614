import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../testing/command-line';
import { GatewayFixture } from '../testing/gateway-fixture';

const PERMISSION_DENIED = 7;

/** An engine that refuses whatever it is asked. */
const engine = createServer().on('stream', (stream) =>
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': PERMISSION_DENIED },
    { endStream: true },
  ),
);
let fixture: GatewayFixture;
let folder: string;
let project: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'care', 'benefits']);
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'carecover-cli-'));
  project = (await fixture.project()).project_id;
  // Whose entries can't be written: stands for whatever may happen between an act and its entry.
  await fixture.sql`alter table gateway.audit_log add constraint unwritten check (actor <> 'mallory')`;
});
afterAll(async () => {
  engine.close();
  await fixture.stop();
  await rm(folder, { recursive: true });
});

const run = (actor: string, args: readonly string[], input?: string) =>
  runCommand(
    args,
    {
      CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl,
      CARECOVER_OPERATOR: actor,
      TEMPORAL_ADDRESS: `127.0.0.1:${(engine.address() as AddressInfo).port}`,
      NATS_URL: 'nats://127.0.0.1:1',
    },
    input,
  );

test('a member whose erasure can’t be logged is not erased', async () => {
  await fixture.sql`insert into benefits.members (id, project_id, reference) values ('mem_1', ${project}, 'member-1')`;
  const erase = (actor: string) => run(actor, ['members', 'erase', '--project', project], 'member-1');
  const reference = async () =>
    (await fixture.sql<{ reference: string | null }[]>`select reference from benefits.members`)[0]?.reference;
  expect((await erase('mallory')).errors).toContain('unwritten');
  expect(await reference()).toBe('member-1');
  expect(await erase('amina')).toMatchObject({ code: 0 });
  expect(await reference()).toBeNull();
});

test('of a directory whose import can’t be logged, nothing is imported', async () => {
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

test('what reaches beyond the database is logged before it begins', async () => {
  const { errors } = await run('amina', ['restored', '--reason', 'a rehearsal']);
  expect(errors).toContain('Failed to list workflows');
  const { output } = await run('amina', ['audit', 'list', '--limit', '1', '--json']);
  expect(JSON.parse(output)).toMatchObject([{ actor: 'amina', action: 'restored', subject: 'a rehearsal' }]);
});
