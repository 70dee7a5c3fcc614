/** The number of SQL statements and database round trips of each command. */
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import { newId } from '@carecover/platform';
import { type CountingSql, countStatements } from '@carecover/platform/testing';
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

/** Inserts a pending command that creates a remittance for the given claims. */
async function advice(claims: readonly string[]) {
  const remittanceId = newId('rem_');
  const commandId = await books.command('createRemittance', remittanceId, {
    payer_reference: newId('era-'),
    currency: 'KES',
    received_at: '2026-01-06T10:00:00Z',
    allocations: claims.map((claim_id) => ({ claim_id, paid_amount: 1 })),
  });
  return { remittanceId, commandId };
}

/** Inserts a pending command that creates a settlement of the given amount. */
async function observation(remittanceId: string, amount: number) {
  const id = newId('stl_');
  const commandId = await books.command('createSettlement', id, {
    remittance_id: remittanceId,
    source_reference: newId('bank-'),
    currency: 'KES',
    amount,
    observed_at: '2026-01-07T10:00:00Z',
  });
  return { id, commandId };
}

async function remit(claims: readonly string[]) {
  const { remittanceId, commandId } = await advice(claims);
  const step = books.step(remittanceId, commandId);
  const posted = await counting.costOf(() => books.activities.allocate({ ...step, knownClaims: null }));
  const recordedCauses = [remittanceId];
  const concluded = await counting.costOf(() => books.activities.conclude({ ...step, recordedCauses }));
  return { remittanceId, costs: { posted, concluded } };
}

async function settle(remittanceId: string, amount: number) {
  const { id, commandId } = await observation(remittanceId, amount);
  const step = books.step(remittanceId, commandId);
  const posted = await counting.costOf(() => books.activities.observe(step));
  const concluded = await counting.costOf(() => books.activities.conclude({ ...step, recordedCauses: [id] }));
  const reversal = await books.command('reverseSettlement', id, { reason_code: 'entered_twice' });
  const reversed = await counting.costOf(() =>
    books.activities.reverseObservation(books.step(remittanceId, reversal)),
  );
  return { posted, concluded, reversed };
}

test.each([1, 100])(
  'a remittance of %d allocations and its settlement need a constant number of statements and round trips',
  async (count) => {
    // The first run prepares the SQL statements, which costs additional round trips.
    await settle((await remit(await adjudicated(2))).remittanceId, 2);
    const { remittanceId, costs } = await remit(await adjudicated(count));
    expect(costs).toEqual({
      posted: { statements: 7, roundTrips: 3 },
      concluded: { statements: 2, roundTrips: 2 },
    });
    expect(await settle(remittanceId, count)).toEqual({
      posted: { statements: 9, roundTrips: 3 },
      concluded: { statements: 2, roundTrips: 2 },
      reversed: { statements: 9, roundTrips: 3 },
    });
  },
);

test('an adjudication opens the payer’s liability in few round trips, also if it replaces another', async () => {
  const open = (claimId: string, version: number) =>
    counting.costOf(() => books.adjudicate(100, { claimId, version }));
  const claimId = newId('clm_');
  await open(claimId, 1);
  await open(claimId, 2);
  expect(await open(newId('clm_'), 1)).toEqual({ statements: 6, roundTrips: 3 });
  expect(await open(claimId, 3)).toEqual({ statements: 7, roundTrips: 3 });
});
