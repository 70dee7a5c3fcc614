/**
 * Checks the migrations that run beside a release: none may hold a lock for a time that grows with the table. `lock_timeout` limits the
 * wait for a lock, not the time for which the migration then holds the lock.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository';

/** The migrations of the first release. The rules do not apply to them, because they run on empty tables. */
const INITIAL = new Set([
  'libs/service/migrations/0001_commands_events_and_signals.sql',
  'services/benefits/migrations/0001_members_coverages_and_checks.sql',
  'services/benefits/migrations/0002_preauthorizations.sql',
  'services/care/migrations/0001_practitioners_and_bookings.sql',
  'services/claims/migrations/0001_claims.sql',
  'services/gateway/migrations/0001_projects_keys_tokens.sql',
  'services/payments/migrations/0001_ledger.sql',
  'services/payments/migrations/0002_remittances_and_settlements.sql',
  'services/webhooks/migrations/0001_webhooks.sql',
]);

/** Patterns that no SQL statement of a migration may match, each with the advice what to do instead. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [
    /^create (unique )?index (?!concurrently)/,
    'create the index concurrently, in a migration without transaction',
  ],
  [/^drop index (?!concurrently)/, 'drop the index concurrently, in a migration without transaction'],
  [
    /^(create (unique )?index concurrently (?!if not exists)|drop index concurrently (?!if exists))/,
    'use `if not exists` or `if exists`: an interrupted migration can have completed the statement without recording it',
  ],
  [/^reindex (?!.*concurrently)/, 'reindex concurrently, in a migration without transaction'],
  [/^(cluster|vacuum|lock|truncate|refresh materialized view)\b/, 'this locks the whole table'],
  [/^(update|delete from|insert into .* select)\b/, 'change existing rows in batches, in a sweep'],
  [
    /^alter table .* add (constraint \S+ )?(check|foreign key)\b(?!.*not valid$)/,
    'add the constraint as not valid, and validate it in a later migration',
  ],
  [
    /^alter table .* add (constraint \S+ )?(unique|primary key|exclude)\b(?!.*using index)/,
    'create a unique index concurrently, and add the constraint using it',
  ],
  [/^alter table .* alter (column )?\S+ (set data )?type\b/, 'add a column, and fill it in batches'],
  [
    /^alter table .* alter (column )?\S+ set not null/,
    'add a check as not valid, and validate it in a later migration',
  ],
  [
    /^alter table .* add column .*\b(generated|serial|bigserial|unique|primary key|references|check)\b/,
    'add a plain column, and what depends on its values later',
  ],
  [/^alter table .* add column .*\bdefault\b.*\(/, 'add the column without a default that is a function'],
  [/^alter table .* set (logged|unlogged|tablespace|access method)\b/, 'this rewrites the table'],
];

/** Splits a file into statements in lower case, without comments, string literals and function bodies. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/(\$\w*\$)[\s\S]*?\1/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}

/** Splits `alter table t add …, drop …` into one statement per action. */
function actionsOf(statement: string): string[] {
  const [, head, actions] = /^(alter table (?:if exists )?(?:only )?\S+) (.*)$/.exec(statement) ?? [];
  if (head === undefined || actions === undefined) return [statement];
  return actions
    .split(/, (?=(?:add|alter|drop|set|validate|rename|enable|disable)\b)/)
    .map((action) => `${head} ${action}`);
}

/** Returns the reasons for which a migration must not run beside a release; none if it can. */
function problemsOf(sql: string): string[] {
  const statements = statementsOf(sql);
  const created = statements.flatMap(
    (statement) => /^create table (?:if not exists )?(\S+)/.exec(statement)?.[1] ?? [],
  );
  const isOnNewTable = (statement: string) =>
    created.some(
      (table) => statement.startsWith(`alter table ${table} `) || statement.includes(` on ${table} `),
    );
  const problems = statements
    .filter((statement) => !isOnNewTable(statement))
    .flatMap(actionsOf)
    .flatMap((action) =>
      RULES.filter(([rule]) => rule.test(action)).map(([, advice]) => `${action}: ${advice}`),
    );
  const isInTransaction = !/^-- Up Migration, without transaction$/m.test(sql);
  const concurrent = statements.filter((statement) => /\bconcurrently\b/.test(statement));
  if (isInTransaction && concurrent.length > 0)
    problems.push('start the file with "-- Up Migration, without transaction"');
  if (!isInTransaction && (statements.length > 1 || concurrent.length === 0)) {
    problems.push(
      'a migration without transaction is one statement that builds or drops an index concurrently',
    );
  }
  return problems;
}

test('no migration after the first release locks a large table', () => {
  const root = repositoryRoot();
  const services = readdirSync(join(root, 'services'))
    .map((service) => `services/${service}/migrations`)
    // Services without a database, such as the console, have no folder of migrations and are skipped.
    .filter((folder) => existsSync(join(root, folder)));
  const files = ['libs/service/migrations', ...services].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  );
  expect(files).toEqual(expect.arrayContaining([...INITIAL]));
  const problems = files
    .filter((file) => !INITIAL.has(file))
    .flatMap((file) =>
      problemsOf(readFileSync(join(root, file), 'utf8')).map((problem) => `${file}: ${problem}`),
    );
  expect(problems).toEqual([]);
});

const UP = '-- Up Migration\n';
const ALONE = '-- Up Migration, without transaction\n';

test.each([
  'create index claims_by_city on claims (city);',
  'create unique index claims_by_city on claims (city);',
  'create index concurrently if not exists claims_by_city on claims (city);',
  `${ALONE}create index concurrently claims_by_city on claims (city);`,
  `${ALONE}drop index concurrently claims_by_city;`,
  `${ALONE}create index claims_by_city on claims (city);`,
  `${ALONE}create index concurrently if not exists a on claims (a); create index concurrently if not exists b on claims (b);`,
  `${ALONE}alter table claims add column city text;`,
  'drop index claims_by_city;',
  'reindex table claims;',
  'lock table claims;',
  'cluster claims;',
  'update claims set city = null;',
  'delete from claims;',
  'insert into cities select city from claims;',
  'alter table claims add constraint city_known foreign key (city) references cities;',
  "alter table claims add check (city <> '');",
  'alter table claims add column city text, add constraint one check (true);',
  'alter table claims add constraint once unique (city);',
  'alter table claims alter column city type varchar(10);',
  'alter table claims alter city set not null;',
  'alter table claims add column city text references cities;',
  'alter table claims add column seen_at timestamptz not null default platform.now();',
  'alter table claims add column total bigint generated always as (a + b) stored;',
  'alter table claims set unlogged;',
])('is rejected: %s', (sql) => {
  expect(problemsOf(sql.startsWith('--') ? sql : UP + sql)).not.toEqual([]);
});

test.each([
  `${ALONE}create index concurrently if not exists claims_by_city on claims (city);`,
  `${ALONE}drop index concurrently if exists claims_by_city;`,
  'create table cities (id text primary key); create index cities_named on cities (id); alter table cities add unique (id);',
  "alter table claims add column city text, add column kind text not null default 'new';",
  'alter table claims add constraint city_known foreign key (city) references cities not valid;',
  'alter table claims validate constraint city_known;',
  'alter table claims add constraint once unique using index claims_once;',
  'alter table claims drop column city; grant select on claims to claims;',
  'create function f() returns void language sql as $$ update claims set city = null; $$;',
])('is accepted: %s', (sql) => {
  expect(problemsOf(sql.startsWith('--') ? sql : UP + sql)).toEqual([]);
});
