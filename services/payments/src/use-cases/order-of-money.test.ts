import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 8, 'test');
  books = new Bookkeeper(sql);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/**
 * Reads the amounts of a claim in the notifications about settlements and reversals, in the order of the notifications. Each amount has its
 * cause and the claim's previous cause.
 */
async function readAmounts(claimId: string) {
  const rows = await sql<{ cause: string; amount: number; after: string | null }[]>`
    select cause_id as cause, (part ->> 'amount')::bigint as amount, part ->> 'after' as after
    from claims_notifications, lateral jsonb_array_elements(input -> 'amounts') as part
    where kind = 'settlement' and part ->> 'claimId' = ${claimId} order by sequence`;
  return [...rows];
}

test('a settlement’s notification names for each claim the previous settlement or reversal, also of another remittance', async () => {
  const [one, two] = [await books.adjudicate(100), await books.adjudicate(100)];
  const a = await books.advise({ [one]: 60, [two]: 50 });
  const b = await books.advise({ [one]: 40 });
  const first = await books.observe(a, 110);
  await books.reverse(first);
  const second = await books.observe(b, 40);
  const again = await books.observe(a, 110);
  expect(await readAmounts(one)).toEqual([
    { cause: first.id, amount: 60, after: null },
    { cause: `${first.id}:reversal`, amount: -60, after: first.id },
    { cause: second.id, amount: 40, after: `${first.id}:reversal` },
    { cause: again.id, amount: 60, after: second.id },
  ]);
  expect((await readAmounts(two)).at(-1)).toEqual({
    cause: again.id,
    amount: 50,
    after: `${first.id}:reversal`,
  });
});

test('a settlement of a reversed claim has the same order', async () => {
  const claim = await books.adjudicate(100);
  const [a, b] = [await books.advise({ [claim]: 60 }), await books.advise({ [claim]: 40 })];
  const before = await books.observe(a, 60);
  await books.reverseClaim(claim);
  const after = await books.observe(b, 40);
  expect((await readAmounts(claim)).at(-1)).toEqual({ cause: after.id, amount: 40, after: before.id });
});

/** Returns the causes of a claim's settlement notifications, ordered by their previous causes. */
async function readChain(claimId: string): Promise<string[]> {
  const records = await readAmounts(claimId);
  const chain: string[] = [];
  for (let last: string | null = null; ; last = chain.at(-1) ?? null) {
    const next = records.filter(({ after }) => after === last);
    if (next.length === 0) break;
    chain.push(...next.map(({ cause }) => cause));
    expect(next).toHaveLength(1);
  }
  expect(chain).toHaveLength(records.length);
  return chain;
}

test('concurrent settlements and reversals of several remittances have one order, the same on all their claims', async () => {
  const rounds = Array.from({ length: testSize({ ci: 6, soak: 60 }) }, async () => {
    const [one, two] = [await books.adjudicate(100), await books.adjudicate(100)];
    const settled = await books.advise({ [one]: 40, [two]: 40 });
    const settlement = await books.observe(settled, 80);
    const other = await books.advise({ [one]: 30, [two]: 30 });
    const third = await books.advise({ [two]: 30, [one]: 30 });
    await Promise.all([books.observe(other, 60), books.reverse(settlement), books.observe(third, 60)]);
    const chain = await readChain(one);
    expect(chain).toHaveLength(4);
    expect(await readChain(two)).toEqual(chain);
  });
  await Promise.all(rounds);
});
