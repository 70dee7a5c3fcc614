/** The number of SQL statements and database round trips of each command. */

import { newId } from '@carecover/domain';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type CountingSql, countStatements } from '@carecover/testing/services';
import { Bookkeeper } from '../testing/bookkeeper';

let database: TestDatabase;
let counting: CountingSql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  counting = countStatements(database.url('payments'));
  books = new Bookkeeper(counting.sql);
});
afterAll(async () => {
  await counting.sql.end();
  await database.drop();
});

async function adjudicated(count: number): Promise<string[]> {
  const claims: string[] = [];
  for (let n = 0; n < count; n++) claims.push(await books.adjudicate(100));
  return claims;
}

test.each([1, 100])(
  'a remittance of %d allocations and its settlement need a constant number of statements and round trips',
  async (count) => {
    const shares = (claims: readonly string[]) => Object.fromEntries(claims.map((claim) => [claim, 1]));
    async function remit(claims: readonly string[]) {
      let remittanceId = '';
      const cost = await counting.costOf(async () => {
        remittanceId = await books.advise(shares(claims));
      });
      return { remittanceId, cost };
    }
    async function settle(remittanceId: string, amount: number) {
      let id = '';
      const settled = await counting.costOf(async () => {
        id = JSON.parse((await books.createSettlement(remittanceId, amount)).text).id;
      });
      const reversed = await counting.costOf(() => books.reverseSettlement(id));
      return { settled, reversed };
    }
    // The first run prepares the SQL statements, which costs additional round trips.
    await settle((await remit(await adjudicated(2))).remittanceId, 2);
    const { remittanceId, cost } = await remit(await adjudicated(count));
    expect(cost).toEqual({ statements: 8, roundTrips: 6 });
    expect(await settle(remittanceId, count)).toEqual({
      settled: { statements: 11, roundTrips: 6 },
      reversed: { statements: 11, roundTrips: 7 },
    });
  },
);

test('an adjudication opens the payer’s liability in few round trips, also if it replaces another', async () => {
  const open = (claimId: string, version: number) =>
    counting.costOf(() => books.adjudicate(100, { claimId, version }));
  const claimId = newId('clm_');
  await open(claimId, 1);
  await open(claimId, 2);
  expect(await open(newId('clm_'), 1)).toEqual({ statements: 6, roundTrips: 4 });
  expect(await open(claimId, 3)).toEqual({ statements: 7, roundTrips: 4 });
});
