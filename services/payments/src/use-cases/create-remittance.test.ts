import { listRejectedCommands } from '@carecover/commands';
import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { Bookkeeper } from '../testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 20, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  books = new Bookkeeper(sql);
});

const rejected = (code: string, pointer = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(pointer) });

describe('a remittance’s advice', () => {
  test('moves its allocations from the payer’s liability to remitted, and enqueues one notification to claims', async () => {
    const [one, two] = [await books.adjudicate(100), await books.adjudicate(50)];
    const remittance = await books.advise({ [one]: 60, [two]: 50 });
    expect(await books.balances(one)).toMatchObject({ payer_liability: 40, remitted: 60 });
    expect(await books.balances(two)).toMatchObject({ payer_liability: 0, remitted: 50 });
    expect(await books.records(remittance)).toEqual([
      {
        tenant: books.tenant,
        remittanceId: remittance,
        receivedAt: '2026-01-06T10:00:00.000Z',
        allocations: [
          { claimId: one, amount: 60, reasonCode: 'fee_schedule', adjudicationVersion: 1, after: null },
          { claimId: two, amount: 50, reasonCode: 'fee_schedule', adjudicationVersion: 1, after: null },
        ],
      },
    ]);
    expect(await books.sums()).toEqual({ KES: 0 });
  });

  test('that is repeated after claims was unavailable has one effect and one response, after claims has recorded it', async () => {
    const claim = await books.adjudicate(100);
    const key = newId('key_');
    const reference = newId('era-');
    const create = () => books.createRemittance({ [claim]: 70 }, { reference, key });
    const { recordRemittance } = books.claims;
    books.claims.recordRemittance = () => Promise.reject(new Error('the connection is lost'));
    await expect(create()).rejects.toThrow('the connection is lost');
    // The remittance is committed, but a repetition has no response before claims has recorded it.
    await expect(create()).rejects.toThrow('the connection is lost');
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 30, remitted: 70 });
    books.claims.recordRemittance = recordRemittance;
    const reply = await create();
    expect(await create()).toEqual(reply);
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 30, remitted: 70 });
    const { id } = JSON.parse(reply.text);
    expect(books.claims.records.has(id)).toBe(true);
    expect(JSON.parse(reply.text)).toEqual({
      id,
      object: 'remittance',
      status: 'received',
      payer_reference: reference,
      amount: { currency: 'KES', paid: 70 },
      allocations: [{ claim_id: claim, paid_amount: 70, reason_codes: ['fee_schedule'] }],
      received_at: '2026-01-06T10:00:00.000Z',
      reconciled_at: null,
    });
  });

  test('whose notification fails is repeated until claims has recorded it, before the response', async () => {
    const claim = await books.adjudicate(100);
    books.claims.failures = 3;
    const id = await books.advise({ [claim]: 70 });
    expect(books.claims.records.has(id)).toBe(true);
    expect(
      await sql`select 1 from claims_notifications where remittance_id = ${id} and recorded_at is null`,
    ).toEqual([]);
  });

  test('is rejected as a whole: nothing is posted, no notification is enqueued, no command row is left, and operators see the rejection', async () => {
    const [one, two] = [await books.adjudicate(100), await books.adjudicate(50)];
    await expect(books.advise({ [one]: 60, [two]: 51 })).rejects.toEqual(
      rejected('over_allocation', '/allocations/1/paid_amount'),
    );
    expect(await books.balances(one)).toMatchObject({ payer_liability: 100, remitted: 0 });
    const [left] = await sql<{ remittances: number; commands: number }[]>`
      select (select count(*)::int from remittances where project_id = ${books.tenant}) as remittances,
             (select count(*)::int from commands where project_id = ${books.tenant}) as commands`;
    expect(left).toEqual({ remittances: 0, commands: 0 });
    expect(await listRejectedCommands(sql, books.tenant, null)).toMatchObject([
      { operation: 'createRemittance', code: 'over_allocation' },
    ]);
  });

  test('for a claim without an account asks claims whether it exists: an unknown claim is 404, a known one is not adjudicated', async () => {
    const claimWithoutAccount = newId('clm_');
    await expect(books.advise({ [claimWithoutAccount]: 5 })).rejects.toEqual(
      rejected('resource_not_found', '/allocations/0/claim_id'),
    );
    books.claims.known.add(claimWithoutAccount);
    await expect(books.advise({ [claimWithoutAccount]: 5 })).rejects.toEqual(
      rejected('claim_not_adjudicated', '/allocations/0/claim_id'),
    );
  });

  test('for another project’s claim is 404', async () => {
    const claim = await new Bookkeeper(sql).adjudicate(100);
    await expect(books.advise({ [claim]: 5 })).rejects.toEqual(rejected('resource_not_found'));
  });

  test.each([
    ['an unknown claim', 'resource_not_found'],
    ['a reference used before', 'duplicate_remittance_reference'],
    ['a claim twice', 'allocation_duplicate'],
    ['a time in the future', 'future_timestamp'],
    ['a denied claim', 'claim_not_adjudicated'],
    ['another currency', 'currency_mismatch'],
    ['more than approved', 'over_allocation'],
  ])('with several errors is rejected for the first: %s', async (error, code) => {
    const errors = [
      'an unknown claim',
      'a reference used before',
      'a claim twice',
      'a time in the future',
      'a denied claim',
      'another currency',
      'more than approved',
    ];
    const has = (name: string) => errors.indexOf(name) >= errors.indexOf(error);
    const [claim, denied] = [await books.adjudicate(100), await books.adjudicate(0)];
    const reference = newId('era-');
    if (has('a reference used before')) await books.advise({ [claim]: 1 }, { reference });
    const shares: [string, number][] = [[claim, has('more than approved') ? 101 : 1]];
    if (has('a denied claim')) shares.push([denied, 1]);
    if (has('a claim twice')) shares.push([claim, 1]);
    if (has('an unknown claim')) shares.push([newId('clm_'), 1]);
    const advice = books.advise(shares, {
      reference,
      currency: has('another currency') ? 'EUR' : 'KES',
      receivedAt: has('a time in the future') ? '2999-01-01T00:00:00Z' : '2026-01-01T00:00:00Z',
    });
    await expect(advice).rejects.toEqual(rejected(code));
  });

  test('can have the same payer reference as one of another project', async () => {
    const other = new Bookkeeper(sql);
    await books.advise({ [await books.adjudicate(1)]: 1 }, { reference: 'ERA-1' });
    await other.advise({ [await other.adjudicate(1)]: 1 }, { reference: 'ERA-1' });
  });

  test('for a claim that is reversed or settled in full is rejected', async () => {
    const [reversed, settled] = [await books.adjudicate(100), await books.adjudicate(100)];
    await books.reverseClaim(reversed);
    await books.observe(await books.advise({ [settled]: 100 }), 100);
    for (const claim of [reversed, settled]) {
      await expect(books.advise({ [claim]: 1 })).rejects.toEqual(rejected('claim_not_adjudicated'));
    }
  });

  test('is rejected as a whole if one of its claims has 1,000 remittances', async () => {
    const [full, other] = [await books.adjudicate(100), await books.adjudicate(100)];
    await books.fillWithRemittances(full, 999);
    await books.advise({ [other]: 1, [full]: 1 });
    await expect(books.advise({ [other]: 1, [full]: 1 })).rejects.toEqual(
      rejected(
        'invalid_state',
        '/allocations/1/claim_id names a claim that has 1,000 remittances, the maximum.',
      ),
    );
    expect(await books.balances(other)).toMatchObject({ payer_liability: 99, remitted: 1 });
    await books.advise({ [other]: 1 });
  });

  test('that would be the 1,001st of a claim is rejected, if several are created at once', async () => {
    const claim = await books.adjudicate(100);
    await books.fillWithRemittances(claim, 998);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => books.advise({ [claim]: 1 })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  test('takes amounts up to the largest safe integer, exactly', async () => {
    const claim = await books.adjudicate(Number.MAX_SAFE_INTEGER - 30);
    await books.advise({ [claim]: Number.MAX_SAFE_INTEGER - 31 });
    expect(await books.balances(claim)).toMatchObject({ payer_liability: 1 });
  });
});
