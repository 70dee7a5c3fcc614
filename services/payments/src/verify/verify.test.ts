import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';
import { verifyLedger } from '.';

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let claim: string;
let remittance: string;
let settlement: string;

beforeEach(async () => {
  database = await createTestDatabase({ services: ['gateway', 'payments'] });
  sql = connectPostgres(database.url('payments'), 4, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
  const books = new Bookkeeper(sql);
  claim = await books.adjudicate(100);
  remittance = await books.advise({ [claim]: 80 });
  settlement = (await books.observe(remittance, 80)).id;
  const reversed = await books.adjudicate(50);
  const open = await books.advise({ [reversed]: 30 });
  await books.reverse(await books.observe(open, 10));
  await books.observe(open, 20);
  await books.reverseClaim(reversed);
});
afterEach(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});

const differences = async () => (await verifyLedger(admin, { claims: false })).differences;

test('a ledger that only the service wrote has no difference', async () => {
  expect(await verifyLedger(admin, { claims: false })).toEqual({
    different: 0,
    differences: [],
    inFlight: 0,
    postings: expect.any(Number),
    claims: 2,
    remittances: 2,
  });
});

test('a clock that is set back between two settlements of a remittance makes no difference', async () => {
  const books = new Bookkeeper(sql);
  const [one, two] = [await books.adjudicate(60), await books.adjudicate(40)];
  const waiting = await books.advise({ [one]: 60, [two]: 40 });
  await books.observe(waiting, 70);
  await database.setClockOffset(-10_000);
  await books.observe(waiting, 30);
  expect(await differences()).toEqual([]);
});

test('a changed posting is reported with its claim, account and remittance', async () => {
  await admin`update payments.postings set amount = amount + 1 where cause = ${remittance}`;
  expect(await differences()).toEqual([
    { subject: claim, says: 'payer_liability is kept as 20, but its postings sum to 19' },
    { subject: claim, says: 'remitted is kept as 0, but its postings sum to 1' },
    { subject: remittance, says: `allocates 80 to ${claim}, but 81 is posted` },
  ]);
});

test('a deleted posting is reported', async () => {
  await admin`delete from payments.postings where cause = ${settlement}`;
  expect(await differences()).toEqual([
    { subject: claim, says: 'cash_observed is kept as 80, but its postings sum to 0' },
    { subject: claim, says: 'remitted is kept as 0, but its postings sum to 80' },
    { subject: settlement, says: `settles 80 of ${claim}, but 0 is posted` },
  ]);
});

test('a status that the settlements do not give is reported', async () => {
  await admin`update payments.remittances set status = 'received', reconciled_at = null where id = ${remittance}`;
  expect(await differences()).toEqual([
    { subject: remittance, says: 'is received, but its observations and the clock make it reconciled' },
  ]);
});

test('a remittance of a simulated project is evaluated at the time of its clock, and its deadline by the advances', async () => {
  const PROJECT = 'prj_1_sim';
  const [open] = await admin<{ id: string }[]>`select id from payments.remittances where status = 'received'`;
  const setClock = (now: string, advancedTo: string | null, target: string | null) =>
    admin.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`insert into platform.project_clocks (project_id, now) values (${PROJECT}, ${now})
        on conflict (project_id) do update set now = excluded.now`;
      await tx`insert into gateway.test_clocks (project_id, status, advanced_to, target)
        values (${PROJECT}, ${target === null ? 'ready' : 'advancing'}, ${advancedTo}, ${target})
        on conflict (project_id) do update set status = excluded.status, advanced_to = excluded.advanced_to, target = excluded.target`;
    });
  const setStatus = (status: string) =>
    admin.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update payments.remittances set project_id = ${PROJECT}, deadline = '2022-03-31T00:00:00Z', status = ${status}
        where id = ${open?.id}`;
    });
  const says = async () => (await differences()).map(({ says }) => says);

  await setStatus('received');
  await setClock('2022-03-01T00:00:00Z', null, null);
  expect(await says()).toEqual([]);
  // Writes have moved the clock past the deadline, and the next advance applies it.
  await setClock('2022-03-31T00:00:01Z', '2022-03-30T00:00:00Z', null);
  expect(await says()).toEqual([]);
  await setClock('2022-04-01T00:00:00Z', '2022-04-01T00:00:00Z', null);
  expect(await says()).toEqual(['is received, but its observations and the clock make it exception']);

  await setStatus('exception');
  await setClock('2022-03-30T00:00:00Z', '2022-03-30T00:00:00Z', '2022-04-01T00:00:00Z');
  expect(await says()).toEqual([]);
  await setClock('2022-03-30T00:00:00Z', '2022-03-30T00:00:00Z', null);
  expect(await says()).toEqual(['is exception, but its observations and the clock make it received']);
});

test('a deadline that passed without effect is reported after the tolerance', async () => {
  const [open] = await admin<{ id: string }[]>`
    update payments.remittances set deadline = platform.now() - interval '1 hour' where status = 'received' returning id`;
  expect(await differences()).toEqual([
    { subject: open?.id, says: 'is received, but its observations and the clock make it exception' },
  ]);
});
