import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { costOfPlans, newTenant, type SentStatement, testCaller } from '@carecover/testing/services';
import { findUnrecordedRemittances, listRemittances, type RemittanceFilters } from './remittances';

/** Number of remittances in the table. Each has one allocation; a hundred successive remittances allocate to the same claim. */
const ROWS = 20_000;
const CLAIM = 'clm_100';

let database: TestDatabase;
let sql: Sql;
let sent: SentStatement[] = [];
const tenant = newTenant();

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 1, 'remittances', {
    listener: (text, values) => sent.push({ text, values }),
  });
  const admin = connectPostgres(database.adminUrl, 1, 'admin');
  await admin.session(async (session) => {
    // Disables foreign keys, because the claims of the inserted allocations have no accounts.
    await session`set session_replication_role = replica`;
    await session`set search_path = payments`;
    await session`insert into remittances (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total, received_at, deadline, created_at)
     select 'rem_' || lpad(n::text, 8, '0'), ${tenant}, 'sandbox', n, n, n, 'EUR', 1, now(), now(), now() from generate_series(1, ${ROWS}) n`;
    await session`insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
     select 'rem_' || lpad(n::text, 8, '0'), 'clm_' || n / 100, 0, 1, '[]', 1 from generate_series(1, ${ROWS}) n`;
    await session`analyze`;
  });
  await admin.end();
});
afterAll(async () => {
  await sql?.end();
  await database?.drop();
});

test.each<[RemittanceFilters, number]>([
  [{ claim_id: CLAIM }, 20],
  [{ claim_id: CLAIM, status: 'received' }, 20],
  [{ claim_id: CLAIM, status: 'exception' }, 0],
  [{ claim_id: CLAIM, payer_reference: String(ROWS / 2) }, 1],
  [{ claim_id: 'clm_unknown' }, 0],
])('the list of %j reads a bounded number of pages, also with a generic plan', async (filters, count) => {
  sent = [];
  const toId = ({ id }: { id: string }) => id as never;
  const page = await listRemittances(sql, testCaller(tenant), filters, toId);
  expect(page.data).toHaveLength(count);
  for (const statement of sent) {
    const { pages, discarded } = await costOfPlans(database.url('payments'), statement);
    // The hundred remittances of the claim are each read by ID.
    expect(pages).toBeLessThan(700);
    expect(discarded).toBeLessThan(150);
  }
});

test('remittances with many pending notifications do not hide another one', async () => {
  const pending = (remittance: string, notifications: number, ageSeconds: number) => sql`
    insert into claims_notifications (cause_id, remittance_id, kind, input, created_at)
    select ${remittance} || '-' || n, ${remittance}, 'settlement', '{}', platform.now() - ${ageSeconds} * interval '1 second'
    from generate_series(1, ${notifications}::int) n`;
  for (const n of [1, 2, 3, 4]) await pending(`rem_0000000${n}`, 20, 600);
  await pending('rem_00000005', 1, 60);
  await pending('rem_00000006', 1, 1);
  const page = async (afterId: string) =>
    (await findUnrecordedRemittances(sql, 10, afterId, 3)).map(({ id }) => id);
  expect(await page('')).toEqual(['rem_00000001', 'rem_00000002', 'rem_00000003']);
  expect(await page('rem_00000003')).toEqual(['rem_00000004', 'rem_00000005']);
});
