import type { IdentifierKind } from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/local/testing';
import type { ServiceName } from '@carecover/setup/migrate';
import { fc } from '@carecover/testing';
import { Client } from 'pg';
import { type ColumnFilter, type ListQuery, listPage, oldestRows } from './lists';
import { connectPostgres, constantText, type Sql } from './postgres';
import { costOfPlans, newTenant, type SentStatement, testCaller } from './testing';

/** Number of rows per table. The rows are created one minute apart. */
const ROWS = 20_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const MINUTE = 60_000;
const at = (row: number) => new Date(START + row * MINUTE).toISOString();

/** Returns SQL of an ID that is generated at the instant `ms`. */
const idAt = (prefix: string, ms = 'ms', random = 'n::text') =>
  `'${prefix}' || lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(${random}), 1, 19)`;

interface List {
  readonly service: ServiceName;
  readonly table: string;
  readonly kind: IdentifierKind;
  /**
   * SQL that inserts the test's rows into the table. It selects from the series `made (n, ms, created_at)`: a row's number, and its
   * creation time in epoch milliseconds and as a timestamp.
   */
  readonly insert: string;
  readonly within?: string;
  /** The column that contains one of `statuses`; by default `status`. */
  readonly filtered?: string;
  /**
   * Three values of the status by which the test filters: the status of most rows, the status of a few rows, and a status that no row has.
   */
  readonly statuses?: readonly string[];
  /** Further columns by which the test filters the list, each with a value that some rows have. */
  readonly filters?: readonly ColumnFilter[];
}

const RARE = 'n % 5000 = 0';
/**
 * SQL expression of a reference: each 100 successive rows have the same value. MIDDLE_GROUP is the value of the rows in the middle of the
 * table.
 */
const GROUP = `'group_' || n / 100`;
/** SQL expression of a reference that every tenth row has, from the oldest to the newest. SPREAD_GROUP is one of its values. */
const SPREAD = `'spread_' || n % 10`;
const SPREAD_GROUP = 'spread_3';
const MIDDLE = String(ROWS / 2);
const MIDDLE_GROUP = `group_${ROWS / 200}`;

const LISTS: readonly List[] = [
  {
    service: 'claims',
    table: 'claims_in_full',
    kind: 'claim',
    statuses: ['settled', 'queried', 'reversed'],
    filters: [
      { column: 'provider_claim_reference_search', value: MIDDLE },
      { column: 'session_id', value: MIDDLE },
      { column: 'preauthorization_id', value: MIDDLE_GROUP },
      { column: 'practitioner_id', value: SPREAD_GROUP },
    ],
    insert: `insert into claims (id, project_id, environment, provider_claim_reference, provider_claim_reference_key, provider_claim_reference_search, eligibility_check_id, session_id, booking_id,
        practitioner_id, preauthorization_id, payer_id, plan, service_starts_at, service_ends_at, lines, currency, billed, status, submission_version, adjudication_version,
        last_sequence, event_version, last_recorded_at, last_effective_at, created_at, submitted_at)
      select ${idAt('clm_')}, $1, 'sandbox', n, n, n, 'elig_', n, 'bkg_', ${SPREAD}, ${GROUP}, 'payer_', 'plan', created_at, created_at, '[]', 'EUR', 1,
        case when ${RARE} then 'queried' else 'settled' end, 1, 0, 1, 1, created_at, created_at, created_at, created_at from made`,
  },
  {
    service: 'care',
    table: 'bookings',
    kind: 'booking',
    statuses: ['confirmed', 'reserved', 'cancelled'],
    filters: [{ column: 'practitioner_id', value: SPREAD_GROUP }],
    insert: `insert into bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
        status, created_at)
      select ${idAt('bkg_')}, $1, ${idAt('ses_')}, ${SPREAD}, created_at, created_at + interval '1 minute', 'UTC', 'online',
        'covered', case when ${RARE} then 'reserved' else 'confirmed' end, created_at from made`,
  },
  {
    service: 'care',
    table: 'sessions',
    kind: 'session',
    filters: [{ column: 'practitioner_id', value: SPREAD_GROUP }],
    insert: 'select $1, count(*) from made',
  },
  {
    service: 'benefits',
    table: 'preauthorizations',
    kind: 'preauthorization',
    statuses: ['expired', 'pending', 'cancelled'],
    filters: [{ column: 'booking_id', value: `bkg_${MIDDLE}` }],
    insert: `insert into preauthorizations (id, project_id, environment, eligibility_check_id, booking_id, coverage_id,
        coverage_observation_id, status, requested_amount, currency, decide_by, created_at, updated_at)
      select ${idAt('preauth_')}, $1, 'sandbox', 'elig_', 'bkg_' || n, 'cov_', 'cobs_',
        case when ${RARE} then 'pending' else 'expired' end, 1, 'EUR', created_at, created_at, created_at from made`,
  },
  {
    service: 'payments',
    table: 'remittance_resources',
    kind: 'remittance',
    statuses: ['received', 'exception', 'reconciled'],
    filters: [{ column: 'payer_reference_search', value: MIDDLE }],
    insert: `insert into remittances (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total,
        received_at, deadline, status, created_at)
      select ${idAt('rem_')}, $1, 'sandbox', n, n, n, 'EUR', 1, created_at, created_at,
        case when ${RARE} then 'exception' else 'received' end, created_at from made`,
  },
  {
    service: 'payments',
    table: 'settlements',
    kind: 'settlement',
    statuses: ['matched', 'unmatched', 'reversed'],
    filters: [
      { column: 'remittance_id', value: MIDDLE_GROUP },
      { column: 'source_reference_search', value: MIDDLE },
    ],
    insert: `insert into settlements (id, project_id, remittance_id, position, source_reference, source_reference_key, source_reference_search,
        currency, amount, allocations, status, observed_at, created_at)
      select ${idAt('stl_')}, $1, ${GROUP}, n, n, n, n, 'EUR', 1, '[]', case when ${RARE} then 'unmatched' else 'matched' end, created_at,
        created_at from made`,
  },
  {
    service: 'webhooks',
    table: 'endpoints',
    kind: 'webhookEndpoint',
    insert: `insert into endpoints (id, project_id, url, destination, events, created_at)
      select ${idAt('whe_')}, $1, 'https://example.com', 'example.com:443', '{x}', created_at from made`,
  },
  {
    service: 'webhooks',
    table: 'events',
    kind: 'event',
    filtered: 'type',
    statuses: ['claim.settled', 'claim.denied'],
    insert: `insert into events (id, project_id, resource_id, type, payload, created_at)
      select ${idAt('evt_')}, $1, 'clm_', 'claim.settled', '{}', created_at from made`,
  },
  {
    service: 'webhooks',
    table: 'deliveries',
    kind: 'event',
    statuses: ['delivered', 'failed'],
    within: `and endpoint_id = 'whe_1'`,
    insert: `insert into deliveries (id, endpoint_id, project_id, type, created_at, status)
      select ${idAt('evt_')}, 'whe_1', $1, 'claim.settled', created_at, 'delivered' from made`,
  },
];

const SERVICES = [...new Set(LISTS.map(({ service }) => service))];

let database: TestDatabase;
const pools = new Map<ServiceName, Sql>();
let sent: SentStatement[] = [];
const tenant = newTenant();
const caller = testCaller(tenant);

beforeAll(async () => {
  database = await createTestDatabase({ services: SERVICES });
  for (const service of SERVICES)
    pools.set(
      service,
      connectPostgres(database.url(service), 1, 'lists', {
        listener: (text, values) => sent.push({ text, values }),
      }),
    );
  await withAdmin(async (client) => {
    for (const { service, insert } of LISTS) {
      await client.query(`set search_path = ${service}`);
      const made = `with made as materialized (select n, ms, to_timestamp(ms / 1000.0) as created_at
        from generate_series(1, ${ROWS}) n, lateral (select ${START}::bigint + n * ${MINUTE} as ms))`;
      await client.query(`${made} ${insert}`, [tenant]);
    }
    await client.query('analyze');
  });
});
afterAll(async () => {
  await Promise.all([...pools.values()].map((pool) => pool.end()));
  await database?.drop();
});

async function withAdmin<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    // Disables foreign keys: the inserted rows refer to rows that do not exist.
    await client.query('set session_replication_role = replica');
    return await work(client);
  } finally {
    await client.end();
  }
}

function sqlOf(service: ServiceName): Sql {
  const sql = pools.get(service);
  if (sql === undefined) throw new Error(`${service} has no pool`);
  return sql;
}

/** Reads a page, and returns its IDs. */
async function readIds(
  list: List,
  query: ListQuery & { status?: string | undefined },
  further: ColumnFilter = { column: 'id', value: undefined },
): Promise<string[]> {
  const sql = sqlOf(list.service);
  const filters = [further, { column: list.filtered ?? 'status', value: query.status }];
  const within = constantText(list.within ?? '');
  const page = await listPage(sql, caller, list, query, filters, (row: { id: string }) => row.id, within);
  return [...page.data];
}

/**
 * Maximum costs of a query that uses an index: pages read, and rows that were read but do not meet the conditions. The query reads 26 rows
 * and has two subqueries. A scan of the whole table would discard most of the 20,000 rows.
 */
const MOST = { pages: 100, discarded: 150 };

async function expectBounded(
  list: List,
  query: ListQuery & { status?: string | undefined },
  further?: ColumnFilter,
) {
  sent = [];
  const ids = await readIds(list, query, further);
  for (const statement of sent) {
    const cost = await costOfPlans(database.url(list.service), statement);
    const within = { pages: cost.pages <= MOST.pages, discarded: cost.discarded <= MOST.discarded };
    expect({ query, cost, within }).toEqual({ query, cost, within: { pages: true, discarded: true } });
  }
  return ids;
}

const named = LISTS.map((list): [string, List] => [list.table, list]);

describe.each(named)('the list of %s', (_table, list) => {
  const times: ListQuery[] = [
    {},
    { created_before: at(100) },
    { created_before: at(ROWS / 2) },
    { created_before: at(0) },
    { created_after: at(ROWS) },
    { created_after: at(ROWS - 5) },
    { created_after: at(50), created_before: at(60) },
    { created_after: at(50), created_before: at(51) },
  ];

  test('has all rows of a span of time', async () => {
    expect(await readIds(list, { created_after: at(50), created_before: at(60) })).toHaveLength(9);
    expect(await readIds(list, { created_before: at(10) })).toHaveLength(9);
    expect(await readIds(list, { created_after: at(ROWS - 5) })).toHaveLength(5);
  });

  test.each(times)('reads a bounded number of pages, also with a generic plan: %j', (time) =>
    expectBounded(list, time),
  );

  for (const status of list.statuses ?? []) {
    const queries = [
      { status },
      { status, created_before: at(100) },
      { status, created_after: at(ROWS - 100) },
    ];
    test.each(queries)('reads a bounded number of pages by status, also with a generic plan: %j', (query) =>
      expectBounded(list, query),
    );

    test(`reads a bounded number of pages of ${status} after a cursor near the oldest row`, async () => {
      const [cursor = ''] = await readIds(list, { created_before: at(100) });
      await expectBounded(list, { status, starting_after: cursor });
    });
  }

  for (const status of (list.filtered ?? 'status') === 'status' ? (list.statuses ?? []) : []) {
    if (list.within !== undefined) continue;
    test(`reads a bounded number of pages of the oldest rows that are ${status}, also with a generic plan`, async () => {
      const all = await withAdmin((client) =>
        client.query<{ id: string }>(
          `select id from ${list.service}.${list.table} where project_id = $1 and status = $2 order by id`,
          [tenant, status],
        ),
      );
      sent = [];
      const oldest = await oldestRows<{ id: string }>(sqlOf(list.service), tenant, list, status);
      expect(oldest.rows.map(({ id }) => id)).toEqual(all.rows.slice(0, 100).map(({ id }) => id));
      expect(oldest.hasMore).toBe(all.rows.length > 100);
      const [statement] = sent;
      if (statement === undefined) throw new Error('no statement was sent');
      const cost = await costOfPlans(database.url(list.service), statement);
      // This query reads 101 rows, and each can be on a database page of its own. MOST.pages is the limit for 26 rows.
      expect({
        ...cost,
        isBounded: cost.pages <= 4 * MOST.pages && cost.discarded <= MOST.discarded,
      }).toEqual({
        ...cost,
        isBounded: true,
      });
    });

    test(`reads no oldest row of another project that is ${status}`, async () => {
      const other = await oldestRows(sqlOf(list.service), newTenant(), list, status);
      expect(other).toEqual({ rows: [], hasMore: false });
    });
  }

  for (const filter of list.filters ?? []) {
    const queries = [
      { query: {}, hasRows: true },
      { query: { created_before: at(100) }, hasRows: filter.value === SPREAD_GROUP },
      { query: { created_after: at(ROWS / 2 - 50) }, hasRows: true },
      // The rows with a status are searched for among all rows of the group, so that only those of a small group are bounded.
      ...(filter.value === SPREAD_GROUP ? [] : (list.statuses ?? [])).map((status) => ({
        query: { status },
        hasRows: undefined,
      })),
    ];
    test.each(queries)(
      `reads a bounded number of pages by ${filter.column}, also with a generic plan: %j`,
      async ({ query, hasRows = undefined }) => {
        const ids = await expectBounded(list, query, filter);
        if (hasRows !== undefined) expect(ids.length > 0).toBe(hasRows);
      },
    );
  }
});

test('a page has the same rows whatever the difference between the clock of the IDs and that of created_at', async () => {
  const bookings = LISTS.find(({ table }) => table === 'bookings');
  if (bookings === undefined) throw new Error('there is no list of bookings');
  const sql = sqlOf('care');
  const skew = fc.oneof(
    fc.integer({ min: -2 * MINUTE, max: 2 * MINUTE }),
    fc.constantFrom(-MINUTE - 1, -MINUTE, MINUTE, MINUTE + 1, 3_600_000, -86_400_000),
  );
  const moment = fc.integer({ min: 0, max: 20 * MINUTE });
  const cases = fc.record({
    rows: fc.array(fc.record({ moment, skew }), { maxLength: 30 }),
    after: fc.option(moment, { nil: undefined }),
    before: fc.option(moment, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  await withAdmin((client) =>
    fc.assert(
      fc.asyncProperty(cases, async ({ rows, after, before, limit }) => {
        const project = newTenant();
        await client.query(
          `insert into care.bookings (id, project_id, session_id, practitioner_id, starts_at, ends_at, timezone, format, payment_source,
             status, created_at)
           select ${idAt('bkg_', 'id_ms', '$1 || n')}, $1, $1 || n, $1 || n, now(), now() + interval '1 hour', 'UTC', 'online', 'covered',
             'reserved', to_timestamp(created_ms / 1000.0)
           from unnest($2::bigint[], $3::bigint[]) with ordinality as made (created_ms, id_ms, n)`,
          [project, rows.map((row) => START + row.moment), rows.map((row) => START + row.moment + row.skew)],
        );
        const instant = (ms: number | undefined) =>
          ms === undefined ? undefined : new Date(START + ms).toISOString();
        const query = {
          limit,
          ...(after === undefined ? {} : { created_after: instant(after) as string }),
          ...(before === undefined ? {} : { created_before: instant(before) as string }),
        };
        const exact = await client.query(
          `select id from care.bookings where project_id = $1 and created_at > coalesce($2::timestamptz, '-infinity')
             and created_at < coalesce($3::timestamptz, 'infinity') order by id desc`,
          [project, instant(after), instant(before)],
        );
        const page = await listPage(
          sql,
          testCaller(project),
          bookings,
          query,
          [],
          (row: { id: string }) => row.id,
        );
        expect(page.data).toEqual(exact.rows.map(({ id }) => id).slice(0, limit));
        expect(page.has_more).toBe(exact.rows.length > limit);
      }),
      { numRuns: 200 },
    ),
  );
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
      sqlOf('webhooks'),
      testCaller(project),
      { table: 'events', kind: 'event' },
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
  const events = { table: 'events', kind: 'event' } as const;
  const sql = sqlOf('webhooks');
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
      events,
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
