import { newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { PENDING_PAGE } from '../store/claims-notifications';
import { Bookkeeper, WAIT_MS } from '../testing/bookkeeper';

let database: TestDatabase;
let sql: Sql;
let books: Bookkeeper;
let one: string;
let two: string;
let remittance: string;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 10, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  books = new Bookkeeper(sql);
  one = await books.adjudicate(60);
  two = await books.adjudicate(40);
  remittance = await books.advise({ [one]: 60, [two]: 40 });
});
afterEach(async () => {
  await database.setClockOffset(0);
  expect(await books.sums()).toEqual({ KES: 0 });
});

const settled = async () => [
  (await books.balances(one))?.cash_observed,
  (await books.balances(two))?.cash_observed,
];
const rejected = (code: string, pointer = '') =>
  expect.objectContaining({ code, message: expect.stringContaining(pointer) });
const settlementRecord = (causeId: string, amounts: object[], reconciled: unknown) =>
  expect.objectContaining({
    causeId,
    amounts: amounts.map((part) => expect.objectContaining(part)),
    reconciled,
  });

describe('a settlement', () => {
  test('of the exact total settles every claim and reconciles the remittance, in one notification', async () => {
    const settlement = await books.observe(remittance, 100);
    expect(settlement).toMatchObject({
      status: 'matched',
      allocations: [
        { claim_id: one, amount: 60 },
        { claim_id: two, amount: 40 },
      ],
    });
    expect(await settled()).toEqual([60, 40]);
    expect(await books.status(remittance)).toBe('reconciled');
    expect(await books.events(remittance)).toEqual(['remittance.reconciled']);
    const [row] = await sql<{ reconciled_at: Date }[]>`
      select reconciled_at from remittances where id = ${remittance}`;
    expect((await books.records(remittance)).at(1)).toEqual({
      tenant: books.tenant,
      remittanceId: remittance,
      causeId: settlement.id,
      settlementId: settlement.id,
      observedAt: '2026-01-07T10:00:00.000Z',
      amounts: [
        { claimId: one, amount: 60, after: null },
        { claimId: two, amount: 40, after: null },
      ],
      reconciled: { at: row?.reconciled_at.toISOString(), claimIds: expect.arrayContaining([one, two]) },
    });
  });

  test('of a part without allocations is unmatched until the total is reached', async () => {
    const part = await books.observe(remittance, 70);
    expect(part).toMatchObject({ status: 'unmatched', allocations: [] });
    expect(await settled()).toEqual([0, 0]);
    const rest = await books.observe(remittance, 30);
    expect(await books.settlement(part.id)).toMatchObject({
      status: 'matched',
      allocations: [
        { claim_id: one, amount: 60 },
        { claim_id: two, amount: 10 },
      ],
    });
    expect(rest).toMatchObject({ status: 'matched', allocations: [{ claim_id: two, amount: 30 }] });
    expect((await books.records(remittance)).slice(1)).toEqual([
      settlementRecord(
        part.id,
        [
          { claimId: one, amount: 60 },
          { claimId: two, amount: 10 },
        ],
        null,
      ),
      settlementRecord(rest.id, [{ claimId: two, amount: 30 }], expect.anything()),
    ]);
  });

  test('of a part settles the sole allocation', async () => {
    const sole = await books.adjudicate(10);
    const advice = await books.advise({ [sole]: 10 });
    expect(await books.observe(advice, 4)).toMatchObject({ status: 'matched' });
    expect(await books.balances(sole)).toMatchObject({ remitted: 6, cash_observed: 4 });
    expect(await books.status(advice)).toBe('received');
    await books.observe(advice, 6);
    expect(await books.status(advice)).toBe('reconciled');
  });

  test('with its own allocations settles those; the rest reconciles the remittance', async () => {
    const own = await books.observe(remittance, 50, { shares: { [two]: 40, [one]: 10 } });
    expect(own.status).toBe('matched');
    expect(await settled()).toEqual([10, 40]);
    await books.observe(remittance, 50);
    expect(await settled()).toEqual([60, 40]);
    expect(await books.status(remittance)).toBe('reconciled');
  });

  test('whose own allocations do not fit is rejected and not recorded', async () => {
    const observe = (amount: number, shares: Record<string, number>) =>
      books.observe(remittance, amount, { shares });
    const otherClaim = await books.adjudicate(50);
    const over = (pointer: string) => rejected('over_allocation', pointer);
    await expect(observe(50, { [one]: 40 })).rejects.toEqual(over('/allocations do not sum'));
    await expect(observe(61, { [one]: 61 })).rejects.toEqual(over('/allocations/0/amount'));
    await expect(observe(20, { [one]: 10, [otherClaim]: 10 })).rejects.toEqual(
      over('/allocations/1/claim_id'),
    );
    await books.observe(remittance, 60, { shares: { [one]: 60 } });
    await expect(observe(1, { [one]: 1 })).rejects.toEqual(over('/allocations/0/amount'));
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from settlements where project_id = ${books.tenant}`;
    expect(row?.count).toBe(1);
  });

  test('above the total is unmatched, posts nothing and makes an exception, also of a reconciled remittance', async () => {
    await books.observe(remittance, 100);
    const second = await books.observe(remittance, 1);
    expect(second.status).toBe('unmatched');
    expect(await settled()).toEqual([60, 40]);
    expect(await books.status(remittance)).toBe('exception');
    expect(await books.events(remittance)).toEqual(['remittance.reconciled', 'remittance.exception']);
    await books.reverse(second);
    expect(await books.status(remittance)).toBe('reconciled');
    expect((await books.records(remittance)).at(-1)).toEqual(
      settlementRecord(`${second.id}:reversal`, [], expect.anything()),
    );
  });

  test('is rejected if the remittance has 1,000 settlements, reversed ones included', async () => {
    await books.fillWithSettlements(remittance, 999);
    const last = await books.observe(remittance, 60, { shares: { [one]: 60 } });
    const limit = rejected('invalid_state', 'The remittance has 1,000 settlements, the maximum.');
    await expect(books.observe(remittance, 40)).rejects.toEqual(limit);
    await expect(books.observe(remittance, 40, { reference: last.source_reference })).rejects.toEqual(
      rejected('duplicate_settlement_reference'),
    );
    expect(await settled()).toEqual([60, 0]);
    await books.reverse(last);
    expect(await settled()).toEqual([0, 0]);
    await expect(books.observe(remittance, 40)).rejects.toEqual(limit);
  });

  test('that would be the 1,001st is rejected, if several are recorded at once', async () => {
    await books.fillWithSettlements(remittance, 998);
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((amount) => books.observe(remittance, amount)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  test('in another currency is unmatched and makes an exception, which a later full total resolves', async () => {
    const foreign = await books.observe(remittance, 100, { currency: 'EUR' });
    expect(foreign.status).toBe('unmatched');
    expect(await books.status(remittance)).toBe('exception');
    await books.observe(remittance, 100);
    expect(await books.status(remittance)).toBe('reconciled');
    expect(await books.settlement(foreign.id)).toMatchObject({ status: 'unmatched' });
    expect(await books.events(remittance)).toEqual(['remittance.exception', 'remittance.reconciled']);
  });

  test('with a used reference is rejected, also for another remittance; another project can use it', async () => {
    await books.observe(remittance, 1, { reference: 'bank-1' });
    const other = await books.advise({ [await books.adjudicate(5)]: 5 });
    for (const target of [remittance, other]) {
      await expect(books.observe(target, 1, { reference: 'bank-1' })).rejects.toEqual(
        rejected('duplicate_settlement_reference', '/source_reference'),
      );
    }
    const otherBooks = new Bookkeeper(sql);
    const theirs = await otherBooks.advise({ [await otherBooks.adjudicate(5)]: 5 });
    await otherBooks.observe(theirs, 1, { reference: 'bank-1' });
  });

  test('from the future, or of another project’s remittance, is rejected', async () => {
    await expect(books.observe(remittance, 1, { observedAt: '2999-01-01T00:00:00Z' })).rejects.toEqual(
      rejected('future_timestamp', '/observed_at'),
    );
    await expect(new Bookkeeper(sql).observe(remittance, 1)).rejects.toEqual(rejected('resource_not_found'));
  });

  test('that is repeated after claims was unavailable has one effect and one response', async () => {
    const [key, reference] = [newId('key_'), newId('bank-')];
    const create = () => books.createSettlement(remittance, 100, { reference, key });
    const { recordSettlement } = books.claims;
    books.claims.recordSettlement = () => Promise.reject(new Error('the connection is lost'));
    await expect(create()).rejects.toThrow('the connection is lost');
    await expect(create()).rejects.toThrow('the connection is lost');
    expect(await settled()).toEqual([60, 40]);
    books.claims.recordSettlement = recordSettlement;
    const reply = await create();
    expect(await create()).toEqual(reply);
    expect(books.claims.records.has(JSON.parse(reply.text).id)).toBe(true);
    expect(await settled()).toEqual([60, 40]);
  });

  test('has its response only after claims has recorded all pending notifications, page by page in their order', async () => {
    const claimIds: string[] = [];
    for (let n = 0; n < 100; n++) claimIds.push(await books.adjudicate(1_000));
    const each = (amount: number) => Object.fromEntries(claimIds.map((claimId) => [claimId, amount]));
    const large = await books.advise(each(1_000));
    const causes = [large];
    for (let n = 0; n < PENDING_PAGE; n++)
      causes.push((await books.observe(large, 100, { shares: each(1) })).id);
    await sql`update claims_notifications set recorded_at = null where remittance_id = ${large}`;
    books.claims.lose(causes);
    const last = await books.observe(large, 100_000 - 100 * PENDING_PAGE);
    expect([...books.claims.records.keys()].slice(-causes.length - 1)).toEqual([...causes, last.id]);
    expect(books.claims.records.get(last.id)).toMatchObject({ reconciled: { claimIds: expect.any(Array) } });
    expect(await sql`select 1 from claims_notifications where recorded_at is null`).toHaveLength(0);
  });

  test('whose sum exceeds the safe integers is above any total', async () => {
    await books.observe(remittance, Number.MAX_SAFE_INTEGER);
    await books.observe(remittance, Number.MAX_SAFE_INTEGER);
    expect(await books.status(remittance)).toBe('exception');
  });
});

describe('a reversal', () => {
  test('of a matched settlement posts the inverse, and the remittance is received again', async () => {
    const settlement = await books.observe(remittance, 100);
    expect(await books.reverse(settlement)).toMatchObject({
      status: 'reversed',
      allocations: settlement.allocations,
    });
    expect(await settled()).toEqual([0, 0]);
    expect(await books.status(remittance)).toBe('received');
    expect((await books.records(remittance)).at(-1)).toEqual(
      settlementRecord(
        `${settlement.id}:reversal`,
        [
          { claimId: one, amount: -60 },
          { claimId: two, amount: -40 },
        ],
        null,
      ),
    );
    await books.observe(remittance, 100);
    expect(await books.status(remittance)).toBe('reconciled');
  });

  test('after the deadline makes an exception', async () => {
    const settlement = await books.observe(remittance, 100);
    await database.setClockOffset(WAIT_MS + 1000);
    await books.reverse(settlement);
    expect(await books.status(remittance)).toBe('exception');
  });

  test('of an unmatched settlement posts nothing, and the other settlements are matched', async () => {
    const [part, wrong] = [await books.observe(remittance, 60), await books.observe(remittance, 50)];
    expect(await books.status(remittance)).toBe('exception');
    const rest = await books.observe(remittance, 40);
    expect(rest.status).toBe('unmatched');
    await books.reverse(wrong);
    expect(await books.status(remittance)).toBe('reconciled');
    expect(await settled()).toEqual([60, 40]);
    expect((await books.records(remittance)).slice(1)).toEqual([
      settlementRecord(part.id, [{ claimId: one, amount: 60 }], null),
      settlementRecord(rest.id, [{ claimId: two, amount: 40 }], expect.anything()),
    ]);
  });

  test('of a settlement matches the one that exceeded the total', async () => {
    const [first, second] = [await books.observe(remittance, 100), await books.observe(remittance, 100)];
    await books.reverse(first);
    expect(await books.settlement(second.id)).toMatchObject({ status: 'matched' });
    expect(await books.status(remittance)).toBe('reconciled');
    expect(await settled()).toEqual([60, 40]);
  });

  test('that follows another reversal is rejected', async () => {
    const settlement = await books.observe(remittance, 100);
    await books.reverse(settlement);
    await expect(books.reverse(settlement)).rejects.toEqual(rejected('invalid_state'));
  });

  test('that is repeated with its key has one effect and one response', async () => {
    const settlement = await books.observe(remittance, 100);
    const key = newId('key_');
    const replies = [];
    for (const _request of [1, 2]) replies.push(await books.reverseSettlement(settlement.id, key));
    expect(replies.map(({ replayed }) => replayed)).toEqual([false, true]);
    expect(replies[1]?.text).toBe(replies[0]?.text);
    expect(await settled()).toEqual([0, 0]);
  });
});

describe('the deadline', () => {
  test('makes an exception once, from its instant on', async () => {
    const [row] = await sql<{ left_ms: number }[]>`
      select ceil(extract(epoch from deadline - platform.now()) * 1000)::bigint as left_ms from remittances where id = ${remittance}`;
    await database.setClockOffset((row?.left_ms ?? 0) - 60_000);
    expect(await books.activities.review({ tenant: books.tenant, remittanceId: remittance })).toMatchObject({
      status: 'received',
    });
    await database.setClockOffset(row?.left_ms ?? 0);
    for (const _review of [1, 2]) {
      expect(await books.activities.review({ tenant: books.tenant, remittanceId: remittance })).toMatchObject(
        {
          status: 'exception',
        },
      );
    }
    expect(await books.events(remittance)).toEqual(['remittance.exception']);
  });

  test('is also checked when a settlement is recorded, if the timer is late', async () => {
    await database.setClockOffset(WAIT_MS + 1000);
    await books.observe(remittance, 60, { shares: { [one]: 60 } });
    expect(await books.status(remittance)).toBe('exception');
    await books.observe(remittance, 40);
    expect(await books.status(remittance)).toBe('reconciled');
  });

  test('has no effect on a reconciled remittance', async () => {
    await books.observe(remittance, 100);
    await database.setClockOffset(WAIT_MS + 1000);
    expect(await books.activities.review({ tenant: books.tenant, remittanceId: remittance })).toMatchObject({
      status: 'reconciled',
    });
  });
});
