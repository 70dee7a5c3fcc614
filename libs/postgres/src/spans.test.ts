import { SpanKind, startTrace } from '@carecover/telemetry';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { type RecordedSpans, recordSpans } from '@carecover/testing/services';
import { connectPostgres, type Sql } from './connect';
import { summaryOf } from './spans';

let database: TestDatabase;
let sql: Sql;
let spans: RecordedSpans;

beforeAll(async () => {
  spans = recordSpans();
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 3, 'tracing');
});
afterAll(async () => {
  spans.stop();
  await sql?.end();
  await database?.drop();
});

const traced = <T>(work: () => Promise<T>) => startTrace('', 'request', SpanKind.SERVER, work);

/**
 * The number of spans that earlier calls of `recorded` returned. Each call returns only later spans, with their names and their parents'
 * names.
 */
let seen = 0;
function recorded(): [string, string | undefined][] {
  const all = spans.ended();
  const named = new Map(all.map((span) => [span.spanContext().spanId, span.name]));
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh.map((span) => [span.name, named.get(span.parentSpanContext?.spanId ?? '')]);
}

test('a statement is a span with its operation and table, without its parameters', async () => {
  const secret = 'member-17';
  const rows = await traced(async () => sql`select resource_id from commands where resource_id = ${secret}`);
  expect([...rows]).toEqual([]);
  expect(JSON.stringify(spans.ended().map(({ name, attributes }) => [name, attributes]))).not.toContain(
    secret,
  );
  expect(spans.ended()[0]?.attributes).toEqual({
    'db.system.name': 'postgresql',
    'db.operation.name': 'select',
    'db.collection.name': 'commands',
  });
  expect(recorded()).toEqual([
    ['select commands', 'request'],
    ['request', undefined],
  ]);
});

test('the spans of statements, also in a savepoint, are below the transaction, and fragments have no span', async () => {
  await traced(() =>
    sql.begin(async (tx) => {
      const only = tx`where seq > ${0}`;
      await Promise.all([tx`select seq from outbox ${only}`, tx`delete from outbox where seq = ${1}`]);
      await tx`savepoint here`;
      await tx`select id from commands`;
    }),
  );
  expect(recorded()).toEqual([
    ['select outbox', 'transaction'],
    ['delete outbox', 'transaction'],
    ['statement', 'transaction'],
    ['select commands', 'transaction'],
    ['transaction', 'request'],
    ['request', undefined],
  ]);
});

test('a failed statement is a failed span, and its caller gets the error', async () => {
  await expect(traced(async () => sql`select ${'member-17'}::int`)).rejects.toMatchObject({ code: '22P02' });
  const failed = spans.ended().filter(({ attributes }) => attributes['error.type'] === '22P02');
  expect(failed.map(({ name }) => name)).toEqual(['select', 'request']);
  recorded();
});

test('without a trace statements and transactions work and have no span', async () => {
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  expect(await sql.begin(async (tx) => (await tx`select 2 as two`)[0]?.two)).toBe(2);
  expect(sql.use().size).toBe(3);
  expect(recorded()).toEqual([]);
});

test.each<[string, string | null, string[]]>([
  ['select', 'claims', ['select id from claims where id = ', '']],
  ['insert', 'outbox', ['\n insert into outbox (seq) values (', ')']],
  ['update', 'commands', ['update commands set body = null where id = ', '']],
  ['update', 'deliveries', ['with due as (select id from endpoints) update deliveries d set due_at = ', '']],
  [
    'insert',
    'facts',
    ['with made as (insert into facts (id) values (', ') returning id) select id from made'],
  ],
  ['select', 'claims', ['select id from claims where id = ', ' for update']],
  ['select', null, ['select 1']],
])('a statement is named %s of %s', (operation, table, texts) => {
  expect(summaryOf(texts.join('$1'))).toEqual({ operation, table });
});
