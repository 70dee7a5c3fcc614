/**
 * Generates the rows of many claims with SQL: copies of the rows of templates, with new identifiers, other practitioners and payers, and
 * shifted times. Copies are inserted in the order of their times, as the API inserts rows, except that two batches are inserted at the same
 * time.
 */

import { newId } from '@carecover/domain';
import { connectPostgres, constantText, type Db, jsonb } from '@carecover/postgres';
import { writtenColumns, writtenNames } from './catalogue';
import { type ClaimKind, kinds } from './kinds';
import type { Template, Templates } from './templates';
import { isOpaque, tokensOf } from './tokens';

/** The content of a data set. */
export interface Portfolio {
  /** The number of generated claims. */
  readonly claims: number;
  /**
   * The length in months of the period over which closed claims are distributed. It ends {@link OPEN_DAYS} days ago. Open claims are more
   * recent.
   */
  readonly months: number;
  readonly practitioners: number;
  /** The number of payers, at most 99. */
  readonly payers: number;
  /** The share of each kind of claim; the shares add up to 1. */
  readonly mix: Readonly<Partial<Record<ClaimKind, number>>>;
}

/** The usual content of a data set: a tenth of the claims is open, and about half of the closed claims was adjudicated twice. */
export const usualPortfolio: Omit<Portfolio, 'claims'> = {
  months: 36,
  practitioners: 500,
  payers: 8,
  mix: {
    submitted: 0.02,
    answered: 0.02,
    adjudicated: 0.02,
    corrected: 0.02,
    remitted: 0.02,
    settled: 0.4,
    correctedAndSettled: 0.4,
    reversed: 0.05,
    denied: 0.05,
  },
};

/** The maximum age of open claims in days: less than the time from the creation of a remittance to its deadline. */
const OPEN_DAYS = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30.4375 * DAY_MS;
const BATCH = 2_000;
/** The number of sessions that insert copies at the same time. Each of them uses a core. */
const SESSIONS = 2;
const GOLDEN_RATIO = 0.6180339887498949;

/** The column whose time is not shifted in copies. If the time were shifted, the sweep that deletes old events would delete most copies. */
const UNMOVED = 'webhooks.events.received_at';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * Returns an SQL expression for the instant in `text`, shifted by the interval of the copy. The result has as many digits after the seconds
 * as `text` has.
 */
function instantSql(text: string): string {
  const [, fraction = '', zone = ''] = /:\d\d(?:\.(\d+))?(Z|\+00:00)$/.exec(text) ?? [];
  const digits = fraction.length === 0 ? '' : fraction.length > 3 ? '.US' : '.MS';
  const format = `YYYY-MM-DD"T"HH24:MI:SS${digits}`;
  return `to_char((timestamptz ${quote(text)} + c.shift) at time zone 'UTC', ${quote(format)}) || ${quote(zone)}`;
}

/** Returns SQL of the value that a column has in a copy of a template's row. The copy is described by the row `c` of the table `copies`. */
function valueSql(
  template: Template,
  table: string,
  column: { name: string; type: string },
  cell: string | null,
) {
  const { name, type } = column;
  if (cell === null) return `null::${type}`;
  if (type.startsWith('timestamp')) {
    const moved = `${table}.${name}` === UNMOVED ? '' : ' + c.shift';
    return `(${quote(cell)}::${type}${moved})::${type}`;
  }
  if (isOpaque(type)) return `${quote(cell)}::${type}`;
  const parts = tokensOf(cell).map(({ kind, text }, index, tokens) => {
    if (kind === 'instant') return instantSql(text);
    if (kind === 'payer') return 'c.payer';
    if (kind === 'constant') return quote(text);
    const before = tokens[index - 1]?.text ?? '';
    if (before.endsWith('prc_')) return 'c.practitioner';
    if (before.endsWith('payer_')) return 'c.payer_id';
    const position = template.ids.indexOf(text);
    if (position < 0) return quote(text);
    return text.includes('-') ? `c.ids[${position + 1}]::uuid::text` : `c.ids[${position + 1}]`;
  });
  return `(${parts.join(' || ')})::${type}`;
}

/** Returns SQL statements, one per table, that insert the copies of a template's rows. The temporary table `copies` has one row per copy. */
function insertsOf(template: Template, { tables }: Templates): string[] {
  return tables.flatMap((table) => {
    const rows = template.rows.filter((row) => row.table.name === table.name);
    if (rows.length === 0) return [];
    const written = writtenColumns(table);
    const values = rows.map(({ cells }) => {
      const cellOf = (name: string) =>
        cells[table.columns.findIndex((column) => column.name === name)] ?? null;
      return `(${written.map((column) => valueSql(template, table.name, column, cellOf(column.name))).join(', ')})`;
    });
    return [
      `insert into ${table.name} (${writtenNames(table).text})
       select v.* from copies c cross join lateral (values ${values.join(',\n')}) v`,
    ];
  });
}

/**
 * Returns the SQL of an identifier of a copy: digits derived from the copy's number, and the shifted time if the identifier contains one.
 */
function idSql(id: string, position: number, seed: string): string {
  const random = `md5(n || ${quote(`.${position}.${seed}`)})`;
  if (id.includes('-')) return random;
  const ms = Number.parseInt(id.slice(0, 12), 16);
  return `lpad(to_hex(${ms} + shift_ms), 12, '0') || '7' || left(${random}, 19)`;
}

/** A period over which copies are distributed at equal distances, with the shares of the kinds of claims in it. */
interface Period {
  /** Whether the claims of the period are open. */
  readonly isOpen: boolean;
  readonly mix: readonly (readonly [ClaimKind, number])[];
  readonly count: number;
  readonly startMs: number;
  readonly endMs: number;
}

function periodsOf({ claims, months, mix }: Portfolio, endMs: number): Period[] {
  const period = (isOpen: boolean, startMs: number, untilMs: number): Period => {
    const own = (Object.entries(mix) as [ClaimKind, number][]).filter(
      ([kind]) => kinds[kind].isOpen === isOpen,
    );
    const share = own.reduce((sum, [, each]) => sum + each, 0);
    const relative = own.map(([kind, each]) => [kind, each / share] as const);
    const open = Math.round(claims * share);
    return { isOpen, mix: relative, count: open, startMs, endMs: untilMs };
  };
  const openMs = endMs - OPEN_DAYS * DAY_MS;
  const closed = period(false, endMs - months * MONTH_MS, openMs);
  const open = period(true, openMs, endMs);
  return [closed, { ...open, count: claims - closed.count }].filter(({ count }) => count > 0);
}

/** Creates practitioners as copies of one of the project's practitioners, and returns their IDs without the prefix. */
async function createPractitioners(db: Db, projectId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('prc_'));
  await db`
    insert into care.practitioners
    select made.* from unnest(${ids}::text[]) as copy (id)
    cross join (select to_jsonb(p) as row from care.practitioners p where project_id = ${projectId} order by id limit 1) first
    cross join jsonb_populate_record(null::care.practitioners,
      first.row || jsonb_build_object('id', copy.id, 'external_reference', copy.id)) made`;
  return ids.map((id) => id.slice('prc_'.length));
}

/**
 * Creates all payers of the portfolio except the first, which the templates already have. Returns the IDs of all payers without their
 * prefix.
 */
async function createPayers(db: Db, projectId: string, count: number): Promise<string[]> {
  const [first] = await db<
    { id: string }[]
  >`select id from benefits.payer_contracts where project_id = ${projectId}`;
  if (first === undefined) throw new Error('the templates have no payer');
  const others = Array.from({ length: count - 1 }, (_, number) => ({
    id: newId('payer_'),
    reference: `contract:${String(number + 2).padStart(2, '0')}`,
  }));
  await db`
    insert into benefits.payer_contracts
    select made.* from benefits.payer_contracts p cross join jsonb_array_elements(${jsonb(others)}::jsonb) as other
    cross join jsonb_populate_record(p, other) made
    where p.id = ${first.id}`;
  return [first.id, ...others.map(({ id }) => id)].map((id) => id.slice('payer_'.length));
}

/** Prepares a session for the generation of copies. */
async function openForCopies(db: Db): Promise<void> {
  // Disables triggers, because balances are copied and services must not be notified. The same setting disables foreign keys; check.ts
  // checks them afterwards.
  for (const setting of [
    'session_replication_role = replica',
    'synchronous_commit = off',
    'statement_timeout = 0',
  ])
    await db`set ${constantText(setting)}`;
  await db`create temporary table if not exists copies (number bigint, shift_ms bigint, shift interval, practitioner text, payer text, payer_id text, ids text[])`;
  // The storage mode `plain` prevents compression of the column `ids`, because the queries read this array for each value of each row.
  await db`alter table copies alter column ids set storage plain`;
}

/** A part of a period's copies: those with the numbers from `from` to before `until`, counted from the start of the period. */
interface Batch {
  readonly period: Period;
  /** The number of copies in earlier periods. */
  readonly earlier: number;
  readonly from: number;
  readonly until: number;
}

function batchesOf(periods: readonly Period[]): Batch[] {
  let earlier = 0;
  return periods.flatMap((period) => {
    const count = Math.ceil(period.count / BATCH);
    const batches = Array.from({ length: count }, (_, number) => ({
      period,
      earlier,
      from: number * BATCH,
      until: Math.min((number + 1) * BATCH, period.count),
    }));
    earlier += period.count;
    return batches;
  });
}

/** Returns a function that prints how many of `claims` claims are generated, every 10,000 claims. */
export function progressOf(claims: number): (generated: number) => void {
  return (generated) => {
    if (generated % 10_000 === 0) process.stderr.write(`… ${generated} of ${claims} claims\n`);
  };
}

/**
 * Generates the claims of a portfolio in the project of the templates.
 *
 * @param databaseUrl connection URL of the administrator
 * @param options `onProgress`: called with the number of claims that are generated so far; `beforeOpen`: called when all closed claims are
 *   generated and no open one, for which the services would start a workflow
 * @throws RangeError if the sessions of a practitioner would overlap
 */
export async function generateClaims(
  databaseUrl: string,
  templates: Templates,
  portfolio: Portfolio,
  {
    onProgress = () => undefined,
    beforeOpen = async () => undefined,
  }: { onProgress?: (claims: number) => void; beforeOpen?: () => Promise<void> } = {},
): Promise<void> {
  const sql = connectPostgres(databaseUrl, SESSIONS, 'bench-dataset', { responseTimeoutMs: null });
  const endMs = Math.min(...templates.claims.map(({ startsAtMs }) => startsAtMs)) - HOUR_MS;
  const inserts = new Map(templates.claims.map((each) => [each.kind, insertsOf(each, templates)]));
  const periods = periodsOf(portfolio, endMs);
  try {
    const [practitioners, payerIds] = await sql.session(async (db) => {
      await openForCopies(db);
      return [
        await createPractitioners(db, templates.projectId, portfolio.practitioners),
        await createPayers(db, templates.projectId, portfolio.payers),
      ];
    });
    const insertBatch = async (db: Db, { period, earlier, from, until }: Batch) => {
      const stepMs = (period.endMs - period.startMs) / period.count;
      if (period.count > practitioners.length && stepMs * practitioners.length < HOUR_MS)
        throw new RangeError('A practitioner has at most one session per hour: use more practitioners.');
      let share = 0;
      for (const [kind, each] of period.mix) {
        const isLast = kind === period.mix.at(-1)?.[0];
        const shareEnd = isLast ? 1 : share + each;
        const template = templates.claims.find((candidate) => candidate.kind === kind);
        if (template === undefined) throw new Error(`no template of the kind ${kind}`);
        const ids = template.ids.map((id, position) => idSql(id, position, templates.projectId));
        await db`truncate copies`;
        await db`
          insert into copies
          select n, shift_ms, make_interval(secs => shift_ms / 1000.0),
            (${practitioners}::text[])[1 + n % ${practitioners.length}::int],
            lpad((1 + n % ${portfolio.payers}::int)::text, 2, '0'),
            (${payerIds}::text[])[1 + n % ${portfolio.payers}::int],
            array[${constantText(ids.join(', '))}]
          from (
            select ${earlier}::bigint + i as n,
              (${Math.round(period.startMs)}::bigint + i * ${stepMs}::float8)::bigint - ${template.startsAtMs}::bigint as shift_ms
            from generate_series(${from}::bigint, ${until - 1}::bigint) i
            where i * ${GOLDEN_RATIO}::float8 - floor(i * ${GOLDEN_RATIO}::float8) >= ${share}::float8
              and i * ${GOLDEN_RATIO}::float8 - floor(i * ${GOLDEN_RATIO}::float8) < ${shareEnd}::float8
          ) placed`;
        share = shareEnd;
        for (const insert of inserts.get(kind) ?? []) await db`${constantText(insert)}`;
      }
    };
    let done = 0;
    const insertAll = async (batches: readonly Batch[]) => {
      let next = 0;
      const insertBatches = async (db: Db) => {
        await openForCopies(db);
        for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
          await insertBatch(db, batch);
          done += batch.until - batch.from;
          onProgress(done);
        }
      };
      await Promise.all(Array.from({ length: SESSIONS }, () => sql.session(insertBatches)));
      // Removes dead rows and updates the planner's statistics, as autovacuum would do after so many inserts.
      await sql.session((db) => db`vacuum (analyze)`);
    };
    const batches = batchesOf(periods);
    await insertAll(batches.filter(({ period }) => !period.isOpen));
    await beforeOpen();
    await insertAll(batches.filter(({ period }) => period.isOpen));
  } finally {
    await sql.end();
  }
}
