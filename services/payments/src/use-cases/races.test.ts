import { connectPostgres, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { outcomeOf, playRounds, type Round, raceOutcomes } from '@carecover/testing/services';
import { Bookkeeper } from '../testing/bookkeeper';

jest.setTimeout(120_000);

const ROUNDS = testSize({ ci: 16, soak: 50 });
let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 24, 'test');
  // All connections of the pool are opened before the tests, so that concurrent commands start at the same time.
  await Promise.all(Array.from({ length: 24 }, () => sql`select pg_sleep(0.02)`));
  books = new Bookkeeper(sql);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
afterEach(async () => {
  expect(await books.sums()).toEqual({ KES: 0 });
});

const rounds = (play: (round: Round) => Promise<string[]>) =>
  playRounds(ROUNDS, async (round) => (await play(round)).join(' / '));

test('two remittances for the same amount: one is recorded, the other is over-allocated', async () => {
  const seen = await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    await books.advise({ [claim]: 40 });
    const result = await raceOutcomes(
      round,
      () => books.advise({ [claim]: 60 }),
      () => books.advise({ [claim]: 60 }),
    );
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 0, remitted: 100 });
    return result;
  });
  expect(seen).toEqual(['done / over_allocation', 'over_allocation / done']);
});

test('a remittance and a new adjudication: the second one is rejected or uses the new amount', async () => {
  const seen = await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    const result = await raceOutcomes(
      round,
      () => books.advise({ [claim]: 80 }),
      () => books.adjudicate(50, { claimId: claim, version: 2 }),
    );
    const advised = result[0] === 'done';
    expect(await books.balances(claim)).toMatchObject(
      advised ? { payer_liability: 20, remitted: 80 } : { payer_liability: 50, remitted: 0 },
    );
    return result;
  });
  expect(seen).toEqual(['done / invalid_state', 'over_allocation / done']);
});

test('a remittance and the claim’s reversal: after the reversal, remittances are rejected', async () => {
  const seen = await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    const result = await raceOutcomes(
      round,
      () => books.advise({ [claim]: 80 }),
      () => books.reverseClaim(claim),
    );
    expect(await books.balances(claim)).toMatchObject({
      payer_liability: 0,
      remitted: result[0] === 'done' ? 80 : 0,
    });
    return result;
  });
  expect(seen).toEqual(['claim_not_adjudicated / done', 'done / done']);
});

test('a settlement and the claim’s reversal: the settled amount is recoverable, in either order', async () => {
  await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    const remittance = await books.advise({ [claim]: 80 });
    const result = await raceOutcomes(
      round,
      () => books.observe(remittance, 80),
      () => books.reverseClaim(claim),
    );
    expect(result).toEqual(['done', 'done']);
    expect(await books.balances(claim)).toMatchObject({ cash_observed: 80, recoverable: 80 });
    return result;
  });
});

test('two settlements of the total: one is matched, the other is unmatched and makes an exception', async () => {
  const seen = await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    const remittance = await books.advise({ [claim]: 100 });
    const statuses: string[] = ['', ''];
    const observe = (index: number) => async () => {
      statuses[index] = (await books.observe(remittance, 100)).status;
    };
    await raceOutcomes(round, observe(0), observe(1));
    expect(await books.status(remittance)).toBe('exception');
    expect(await books.balances(claim)).toMatchObject({ cash_observed: 100, remitted: 0 });
    return statuses;
  });
  expect(seen).toEqual(['matched / unmatched', 'unmatched / matched']);
});

test('two reversals of one settlement: one has an effect', async () => {
  const seen = await rounds(async (round) => {
    const claim = await books.adjudicate(100);
    const settlement = await books.observe(await books.advise({ [claim]: 100 }), 100);
    const result = await raceOutcomes(
      round,
      () => books.reverse(settlement),
      () => books.reverse(settlement),
    );
    expect(await books.balances(claim)).toMatchObject({ cash_observed: 0, remitted: 100 });
    return result;
  });
  expect(seen).toEqual(['done / invalid_state', 'invalid_state / done']);
});

test('two concurrent remittances with the same payer reference: one is recorded', async () => {
  const seen = await rounds(async (round) => {
    const [one, two] = [await books.adjudicate(10), await books.adjudicate(10)];
    const reference = `ERA-${round.number}`;
    return raceOutcomes(
      round,
      () => books.advise({ [one]: 10 }, { reference }),
      () => books.advise({ [two]: 10 }, { reference }),
    );
  });
  expect(seen).toEqual(['done / duplicate_remittance_reference', 'duplicate_remittance_reference / done']);
});

test('ten concurrent remittances of the same claims in different orders: no deadlock, never above the approved amount', async () => {
  const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  const ofEachRound = fc.sample(fc.array(anyOrder, { minLength: 10, maxLength: 10 }), ROUNDS);
  for (const orders of ofEachRound) {
    const claims = await Promise.all(Array.from({ length: 6 }, () => books.adjudicate(100)));
    const outcomes = await Promise.all(
      orders.map((order) =>
        outcomeOf(() => books.advise(order.map((index): [string, number] => [claims[index] ?? '', 15]))),
      ),
    );
    // Six allocations of 15 fit in the approved 100, a seventh does not.
    expect(outcomes.filter((result) => result === 'done')).toHaveLength(6);
    expect(outcomes.filter((result) => result === 'over_allocation')).toHaveLength(4);
    for (const claim of claims) {
      expect(await books.balances(claim)).toMatchObject({ payer_liability: 10, remitted: 90 });
    }
  }
});
