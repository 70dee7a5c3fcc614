import { connectPostgres, insertedRows, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 10, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});

const INVALID = expect.objectContaining({ code: 'invalid_state' });

describe('the payer’s liability', () => {
  test('opens once per adjudication, also if the step is repeated after a remittance', async () => {
    const opening = { adjudicationId: 'adj_repeated' };
    const claimId = await books.adjudicate(100, opening);
    await books.adjudicate(100, { ...opening, claimId });
    await books.advise({ [claimId]: 40 });
    await books.adjudicate(100, { ...opening, claimId });
    expect(await books.balances(claimId)).toMatchObject({ payer_liability: 60, remitted: 40 });
  });

  test('is replaced by a later adjudication: the inverse of the current one is posted, then its own', async () => {
    const claimId = await books.adjudicate(100);
    await books.adjudicate(70, { claimId, version: 2, adjudicationId: 'adj_second' });
    expect(await books.balances(claimId)).toMatchObject({ payer_liability: 70 });
    const postings = await sql`
      select source, destination, amount from postings where claim_id = ${claimId} and cause = 'adj_second' order by id`;
    expect(postings).toEqual([
      { source: 'payer_liability', destination: 'charges', amount: 100 },
      { source: 'patient_responsibility', destination: 'charges', amount: 20 },
      { source: 'adjustment', destination: 'charges', amount: 10 },
      { source: 'charges', destination: 'payer_liability', amount: 70 },
      { source: 'charges', destination: 'patient_responsibility', amount: 20 },
      { source: 'charges', destination: 'adjustment', amount: 10 },
    ]);
    expect(await books.sums()).toEqual({ KES: 0 });
  });

  test('can’t be replaced after a remittance, nor by an earlier adjudication', async () => {
    const claimId = await books.adjudicate(100, { version: 2 });
    await expect(books.adjudicate(100, { claimId, version: 1 })).rejects.toEqual(INVALID);
    await books.advise({ [claimId]: 1 });
    await expect(books.adjudicate(100, { claimId, version: 3 })).rejects.toEqual(INVALID);
  });

  test('of a denial is zero, and can be replaced by an approval', async () => {
    const claimId = await books.adjudicate(0);
    await books.adjudicate(5, { claimId, version: 2 });
    expect(await books.balances(claimId)).toMatchObject({ payer_liability: 5 });
  });
});

describe('a reversed claim', () => {
  test('rejects adjudications and remittances, keeps its remitted and settled amounts, and a second reversal has no effect', async () => {
    const claimId = await books.adjudicate(100);
    const remittance = await books.advise({ [claimId]: 60 });
    await books.observe(remittance, 25);
    await books.reverseClaim(claimId);
    await books.reverseClaim(claimId);
    expect(await books.balances(claimId)).toEqual({
      payer_liability: 0,
      remitted: 35,
      cash_observed: 25,
      recoverable: 25,
    });
    await expect(books.adjudicate(100, { claimId, version: 2 })).rejects.toEqual(INVALID);
    await expect(books.advise({ [claimId]: 1 })).rejects.toMatchObject({ code: 'claim_not_adjudicated' });
    expect(await books.sums()).toEqual({ KES: 0 });
  });

  test('makes a later settlement recoverable until that settlement is reversed', async () => {
    const claimId = await books.adjudicate(100);
    const remittance = await books.advise({ [claimId]: 60 });
    await books.reverseClaim(claimId);
    const settlement = await books.observe(remittance, 60);
    expect(await books.status(remittance)).toBe('reconciled');
    expect(await books.balances(claimId)).toMatchObject({ cash_observed: 60, recoverable: 60 });
    await books.reverse(settlement);
    expect(await books.balances(claimId)).toMatchObject({ remitted: 60, cash_observed: 0, recoverable: 0 });
  });

  test('must be approved or partially approved: an unknown or denied claim can’t be reversed', async () => {
    await expect(books.reverseClaim('clm_unknown')).rejects.toEqual(INVALID);
    await expect(books.reverseClaim(await books.adjudicate(0))).rejects.toEqual(INVALID);
  });
});

describe('the ledger', () => {
  test('can’t be edited by the service: it can’t update or delete postings, nor write balances', async () => {
    const claimId = await books.adjudicate(100);
    const denied = expect.objectContaining({ code: '42501' });
    await expect(sql`update postings set amount = 1 where claim_id = ${claimId}`).rejects.toEqual(denied);
    await expect(sql`delete from postings where claim_id = ${claimId}`).rejects.toEqual(denied);
    await expect(
      sql`update claim_accounts set payer_liability = 1 where claim_id = ${claimId}`,
    ).rejects.toEqual(denied);
    await expect(sql`delete from claim_accounts where claim_id = ${claimId}`).rejects.toEqual(denied);
    await expect(sql`update settlement_reversals set reason_code = ''`).rejects.toEqual(denied);
  });

  test.each([
    ['more than the payer’s liability', { source: 'payer_liability', destination: 'remitted', amount: 101 }],
    ['an amount that no remittance advised', { source: 'remitted', destination: 'cash_observed', amount: 1 }],
    [
      'a recovery on a claim that is not reversed',
      { source: 'provider', destination: 'recoverable', amount: 1 },
    ],
    ['nothing', { source: 'charges', destination: 'adjustment', amount: 0 }],
    ['an account to itself', { source: 'charges', destination: 'charges', amount: 1 }],
  ])('rejects a posting of %s in the database', async (_name, line) => {
    const claimId = await books.adjudicate(100);
    const row = {
      ...line,
      project_id: books.tenant,
      claim_id: claimId,
      currency: 'KES',
      cause: 'x',
      effective_at: new Date(),
    };
    await expect(sql`insert into postings ${insertedRows(row)}`).rejects.toMatchObject({ code: '23514' });
  });

  test('rejects a posting in another currency than the claim’s', async () => {
    const claimId = await books.adjudicate(100);
    const row = {
      project_id: books.tenant,
      claim_id: claimId,
      source: 'payer_liability',
      destination: 'remitted',
      amount: 1,
      currency: 'EUR',
      cause: 'x',
      effective_at: new Date(),
    };
    await expect(sql`insert into postings ${insertedRows(row)}`).rejects.toMatchObject({ code: '23503' });
  });
});
