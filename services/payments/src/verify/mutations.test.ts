import { newId } from '@carecover/domain';
import { assignments, connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type Account, accounts } from '../rules/chart-of-accounts';
import { Bookkeeper } from '../testing/bookkeeper';
import { type ShownAmounts, showClaim, showDecision } from '../testing/shown-claim';
import { verifyLedger } from '.';

const HOUR_MS = 3_600_000;

/** Every kind of posting: the kind of its cause, its source account and its destination account. */
const KINDS = [
  'adj charges adjustment',
  'adj charges patient_responsibility',
  'adj charges payer_liability',
  'adj adjustment charges',
  'adj patient_responsibility charges',
  'adj payer_liability charges',
  'clm:reversal adjustment charges',
  'clm:reversal patient_responsibility charges',
  'clm:reversal payer_liability charges',
  'clm:reversal provider recoverable',
  'rcv remitted payer_liability',
  'rem payer_liability remitted',
  'rem:withdrawal payer_liability remitted',
  'rem:withdrawal remitted payer_liability',
  'stl provider recoverable',
  'stl remitted cash_observed',
  'stl:reversal cash_observed remitted',
  'stl:reversal recoverable provider',
];

interface Posting {
  readonly id: number;
  readonly project_id: string;
  readonly claim_id: string;
  readonly source: Account;
  readonly destination: Account;
  readonly amount: number;
  readonly currency: string;
  readonly cause: string;
  readonly effective_at: Date;
  readonly recorded_at: Date;
}

let database: TestDatabase;
let sql: Sql;
let admin: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments', 'claims'] });
  sql = connectPostgres(database.url('payments'), 4, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
  books = new Bookkeeper(sql);
});
afterAll(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});

/** Adjudicates a new claim once for each of the given amounts. Returns the claim's ID and the adjudications. */
async function adjudicated(
  ...amounts: { payer: number; patient_responsibility: number; adjustment: number }[]
) {
  const claimId = newId('clm_');
  const decisions = amounts.map((amount, index) => ({
    amount: { ...amount, billed: amount.payer + amount.patient_responsibility + amount.adjustment },
    adjudicationId: newId('adj_'),
    decidedAt: new Date(Date.now() - (amounts.length - index) * 1_000),
  }));
  for (const [index, { decidedAt, ...decision }] of decisions.entries()) {
    await books.activities.openLiability({
      tenant: books.tenant,
      environment: 'sandbox',
      claimId,
      adjudicationVersion: index + 1,
      currency: 'KES',
      decidedAt: decidedAt.toISOString(),
      ...decision,
    });
  }
  return { claimId, decisions };
}

/** Writes a ledger that has every kind of posting, and claims with the same amounts in the schema of the claims service. */
async function writeLedger(): Promise<void> {
  const parts = { payer: 100, patient_responsibility: 20, adjustment: 10 };
  const sole = { payer: 60, patient_responsibility: 0, adjustment: 0 };
  const claims = [await adjudicated({ ...parts, payer: 90 }, parts), await adjudicated(sole)];
  const [reversed = '', approved = ''] = claims.map(({ claimId }) => claimId);
  const remittance = await books.advise({ [reversed]: 80 });
  await books.observe(remittance, 10);
  await books.reverse(await books.observe(remittance, 15));
  await books.reverseClaim(reversed);
  await books.observe(remittance, 30);
  await books.reverse(await books.observe(remittance, 25));
  const shared = await books.advise({ [approved]: 50 });
  const { id } = await books.adviceOf({
    allocations: [{ claim_id: approved, paid_amount: 10 }],
    recoveries: [{ claim_id: approved, amount: 4 }],
    net: 6,
  });
  await books.withdraw(id);
  await books.observe(shared, 60);
  await books.reverse(await books.observe(shared, 20));
  for (const { claimId, decisions } of claims) {
    const [shown] = await sql<ShownAmounts[]>`
      select approved, remitted + cash_observed as remitted, cash_observed as settled
      from claim_accounts where claim_id = ${claimId}`;
    if (shown === undefined) throw new Error(`no account of ${claimId}`);
    await showClaim(admin, books.tenant, claimId, shown);
    for (const [index, decision] of decisions.entries())
      await showDecision(admin, claimId, index + 1, decision);
  }
}

const kindOf = ({ cause, source, destination }: Posting) =>
  [cause.replace(/_[^:]+/, ''), source, destination].join(' ');

const readPostings = async () => [...(await admin<Posting[]>`select * from payments.postings order by id`)];

/** Returns wrong values for each column of a posting except its ID, which the verification does not use. */
function mutationsOf(posting: Posting, all: readonly Posting[]): Partial<Posting>[] {
  const { claim_id, source, destination, amount, effective_at, recorded_at } = posting;
  const claims = new Set(all.map((other) => other.claim_id));
  const causes = new Set(all.filter((other) => other.claim_id === claim_id).map((other) => other.cause));
  const otherAccount = accounts.find((account) => account !== source && account !== destination);
  const mutations: Partial<Posting>[] = [
    { project_id: 'prj_other' },
    ...[...claims].filter((claim) => claim !== claim_id).map((claim) => ({ claim_id: claim })),
    ...(otherAccount === undefined ? [] : [{ source: otherAccount }, { destination: otherAccount }]),
    { source: destination, destination: source },
    { amount: amount + 1 },
    { currency: 'EUR' },
    ...[...causes, 'adj_unknown'].filter((cause) => cause !== posting.cause).map((cause) => ({ cause })),
    ...[HOUR_MS, -HOUR_MS].flatMap((by) => [
      { effective_at: new Date(effective_at.getTime() + by) },
      { recorded_at: new Date(recorded_at.getTime() + by) },
    ]),
  ];
  const key = (row: Posting) => [row.claim_id, row.cause, row.source, row.destination].join();
  const taken = new Set(all.filter(({ id }) => id !== posting.id).map(key));
  return mutations.filter((mutation) => !taken.has(key({ ...posting, ...mutation })));
}

/** Changes a posting as a superuser who has disabled foreign keys and triggers. */
const mutate = (id: number, values: Partial<Posting>) =>
  admin.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update payments.postings set ${assignments(values)} where id = ${id}`;
  });

test('a change of any column of any kind of posting is reported', async () => {
  await writeLedger();
  expect((await verifyLedger(admin)).differences).toEqual([]);
  const postings = await readPostings();
  const missed: unknown[] = [];
  for (const posting of new Map(postings.map((one) => [kindOf(one), one])).values()) {
    const { id, ...original } = posting;
    for (const mutation of mutationsOf(posting, postings)) {
      await mutate(id, mutation);
      const { differences } = await verifyLedger(admin);
      if (differences.length === 0) missed.push({ posting, mutation });
      await mutate(id, original);
    }
  }
  expect(missed).toEqual([]);
  expect(new Set(postings.map(kindOf))).toEqual(new Set(KINDS));
});
