import type { Tenant } from '@carecover/domain';
import { ApiError } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant, type SentStatement, testCaller } from '@carecover/testing/services';
import { Client } from 'pg';
import { connectPostgres, type Sql } from './connect';
import { type ListQuery, type ListResult, listPage, oldestRows } from './lists';

const EVENTS = { table: 'events' } as const;
const REMITTANCES = { table: 'remittance_resources', hasSmallRows: true } as const;
const START = Date.parse('2026-01-01T00:00:00Z');
const STATUSES = ['received', 'exception'] as const;

let database: TestDatabase;
let sql: Sql;
let payments: Sql;
let sent: SentStatement[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ services: ['webhooks', 'payments'] });
  sql = connectPostgres(database.url('webhooks'), 1, 'lists', {
    listener: (text, values) => sent.push({ text, values }),
  });
  payments = connectPostgres(database.url('payments'), 1, 'lists');
});
afterAll(async () => {
  await sql?.end();
  await payments?.end();
  await database?.drop();
});

async function withAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A row of the test's list. `ms` is its creation time, which several rows share. The order of the IDs is not that of the creation times. */
interface TestRow {
  readonly id: string;
  readonly ms: number;
  readonly status: (typeof STATUSES)[number];
  readonly reference: string;
}

const drawnRow = fc.record({
  ms: fc.integer({ min: 0, max: 6 }),
  order: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom(...STATUSES),
});
type DrawnRow = typeof drawnRow extends fc.Arbitrary<infer Row> ? Row : never;

let lastNumber = 0;
/** Makes rows with new IDs. */
const rowsOf = (drawn: readonly DrawnRow[]): TestRow[] =>
  drawn.map(({ ms, order, status }) => {
    const number = ++lastNumber;
    return { id: `rem_${order}_${number}`, ms, status, reference: `era_${number}` };
  });

async function insertRows(tenant: Tenant, rows: readonly TestRow[]): Promise<void> {
  for (const { id, ms, status, reference } of rows)
    await payments`
      insert into remittances (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total,
        received_at, deadline, status, created_at)
      values (${id}, ${tenant}, 'sandbox', ${reference}, ${reference}, ${reference}, 'EUR', 1, now(), now(), ${status}, ${new Date(START + ms)})`;
}

/** Compares rows in the order of a list, newest first. */
function newestFirst(a: TestRow, b: TestRow): number {
  if (a.ms !== b.ms) return b.ms - a.ms;
  return Number(a.id < b.id) - Number(a.id > b.id);
}

interface Filters {
  readonly status?: string | undefined;
  readonly payer_reference?: string | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

const meets = (row: TestRow, { status, payer_reference, after, before }: Filters) =>
  (status === undefined || row.status === status) &&
  (payer_reference === undefined || row.reference === payer_reference) &&
  (after === undefined || row.ms > after) &&
  (before === undefined || row.ms < before);

const instant = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(START + ms).toISOString();

function readPage(
  tenant: Tenant,
  { status, payer_reference, after, before }: Filters,
  query: Pick<ListQuery, 'limit' | 'starting_after' | 'order'>,
): Promise<ListResult<string>> {
  const filters = [
    { column: 'payer_reference', value: payer_reference },
    { column: 'status', value: status },
  ];
  const created = { created_after: instant(after), created_before: instant(before) };
  return listPage(
    payments,
    testCaller(tenant),
    REMITTANCES,
    { ...created, ...query },
    filters,
    ({ id }) => id,
  );
}

const option = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const moment = fc.integer({ min: -1, max: 7 });

test('the pages of a list have each row once, newest or oldest first, whatever rows have the same time and are added meanwhile', async () => {
  const cases = fc.record({
    drawn: fc.array(drawnRow, { maxLength: 25 }),
    // The rows that are added after each page. They can be as old as the rows that were read.
    added: fc.array(fc.array(drawnRow, { maxLength: 3 }), { maxLength: 5 }),
    status: option(fc.constantFrom(...STATUSES, 'reconciled')),
    reference: option(fc.nat()),
    after: option(moment),
    before: option(moment),
    limit: fc.integer({ min: 1, max: 8 }),
    order: option(fc.constantFrom('asc', 'desc')),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ drawn, added, reference, limit, order, ...of }) => {
      const inOrder = (a: TestRow, b: TestRow) => (order === 'asc' ? newestFirst(b, a) : newestFirst(a, b));
      const tenant = newTenant();
      const rows = rowsOf(drawn);
      await insertRows(tenant, rows);
      const filters = {
        ...of,
        payer_reference: reference === undefined ? undefined : (rows[reference % 30]?.reference ?? 'none'),
      };
      const all = [...rows];
      const read: string[] = [];
      for (let hasMore = true, page = 0; hasMore; page++) {
        const last = read.at(-1);
        const cursor = all.find(({ id }) => id === last);
        const left = all
          .filter((row) => meets(row, filters) && (cursor === undefined || inOrder(cursor, row) < 0))
          .sort(inOrder)
          .map(({ id }) => id);
        const { data, has_more } = await readPage(tenant, filters, {
          limit,
          order,
          ...(last !== undefined && { starting_after: last }),
        });
        expect({ data, has_more }).toEqual({ data: left.slice(0, limit), has_more: left.length > limit });
        read.push(...data);
        hasMore = has_more;
        const rowsNow = rowsOf(added[page] ?? []);
        await insertRows(tenant, rowsNow);
        all.push(...rowsNow);
      }
      expect(new Set(read).size).toBe(read.length);
      const existing = rows
        .filter((row) => meets(row, filters))
        .sort(inOrder)
        .map(({ id }) => id);
      expect(read.filter((id) => existing.includes(id))).toEqual(existing);
    }),
    { numRuns: 150 },
  );
});

test('the oldest rows with a status are the first hundred in the order of their creation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnRow, { maxLength: 130, size: 'max' }),
      fc.constantFrom(...STATUSES),
      async (drawn, status) => {
        const tenant = newTenant();
        const rows = rowsOf(drawn);
        await insertRows(tenant, rows);
        const oldest = await oldestRows<{ id: string }>(payments, tenant, REMITTANCES, status);
        const expected = rows.filter((row) => row.status === status).sort((a, b) => newestFirst(b, a));
        expect(oldest.rows.map(({ id }) => id)).toEqual(expected.slice(0, 100).map(({ id }) => id));
        expect(oldest.hasMore).toBe(expected.length > 100);
      },
    ),
    { numRuns: 8 },
  );
});

test('a cursor of a row that does not meet the filters continues the list; one of another project or of no row is an error', async () => {
  const [tenant, other] = [newTenant(), newTenant()];
  const row = (n: number, status: TestRow['status']) => ({
    id: `rem_c${n}`,
    ms: n,
    status,
    reference: `c${n}`,
  });
  await insertRows(tenant, [row(1, 'received'), row(2, 'exception'), row(3, 'received')]);
  await insertRows(other, [row(4, 'received')]);
  const after = (starting_after: string, filters: Filters = { status: 'received' }) =>
    readPage(tenant, filters, { starting_after });
  expect((await after('rem_c2')).data).toEqual(['rem_c1']);
  // The cursor is older than created_after, or newer than created_before.
  expect((await after('rem_c1', { after: 1 })).data).toEqual([]);
  expect((await after('rem_c3', { before: 2 })).data).toEqual(['rem_c1']);
  for (const cursor of ['rem_c4', 'rem_none']) {
    const error = await after(cursor).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('starting_after'),
    });
  }
});

test('a page ends before its rows exceed a mebibyte, and the next page begins there', async () => {
  const project = newTenant();
  const idOf = (n: number) => `evt_${n.toString(16).padStart(12, '0')}`;
  const sizes = [10, 600_000, 400_000, 400_000, 3_000_000, 10, 10];
  await withAdmin((client) =>
    client.query(
      `insert into webhooks.events (id, project_id, resource_id, type, payload, created_at)
       select id, $1, 'clm_', 'claim.settled', repeat('x', size), now() from unnest($2::text[], $3::integer[]) as made (id, size)`,
      [project, sizes.map((_, index) => idOf(index)), sizes],
    ),
  );
  const readPage = async (after: string | undefined) =>
    listPage(
      sql,
      testCaller(project),
      EVENTS,
      { limit: 100, ...(after === undefined ? {} : { starting_after: after }) },
      [],
      (row: { id: string }) => row,
    );
  const pages: string[][] = [];
  for (let hasMore = true, after: string | undefined; hasMore; after = pages.at(-1)?.at(-1)) {
    const page = await readPage(after);
    pages.push(page.data.map(({ id }) => id));
    hasMore = page.has_more;
  }
  expect(pages).toEqual([[idOf(6), idOf(5)], [idOf(4)], [idOf(3), idOf(2)], [idOf(1), idOf(0)]]);
});

test('a page of large rows reads few rows more than it has, and a page of small rows needs two statements', async () => {
  const project = newTenant();
  const insert = (first: number, count: number, bytes: number) =>
    withAdmin(async (client) => {
      await client.query(
        `insert into webhooks.events (id, project_id, resource_id, type, payload, created_at)
         select 'evt_' || lpad(to_hex(n), 12, '0') || 'large', $1, 'clm_', 'claim.settled', repeat('x', $4::integer), now()
         from generate_series($2::integer, $2::integer + $3::integer - 1) n`,
        [project, first, count, bytes],
      );
    });
  const readPage = async () => {
    sent = [];
    const page = await listPage(
      sql,
      testCaller(project),
      EVENTS,
      { limit: 100 },
      [],
      (row: { id: string }) => row,
    );
    // The last parameter of each statement is the number of rows that it reads.
    return { rows: page.data.length, read: sent.map(({ values }) => Number(values.at(-1))) };
  };
  await insert(1, 120, 400_000);
  const large = await readPage();
  expect(large).toEqual({ rows: 2, read: [4] });
  await insert(1_000, 200, 320);
  expect(await readPage()).toEqual({ rows: 100, read: [4, 97] });
});
