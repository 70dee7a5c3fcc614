/**
 * Generates the rows of many claims by SQL: copies of the templates' rows with new identifiers, other practitioners and payers, and all
 * times moved. Copies are inserted in the order of their time, as the API inserts rows.
 */
import { connectPostgres, constantText, type Db, newId } from '@carecover/platform';
import { writtenColumns, writtenNames } from './catalogue';
import { type ClaimKind, kinds } from './kinds';
import type { Template, Templates } from './templates';
import { isOpaque, tokensOf } from './tokens';

/** What a data set contains. */
export interface Portfolio {
  /** The number of generated claims. */
  readonly claims: number;
  /** The time over which closed claims are distributed, until {@link OPEN_DAYS} days ago; open claims are later. */
  readonly months: number;
  readonly practitioners: number;
  /** At most 99. */
  readonly payers: number;
  /** The share of each kind; the shares add up to 1. */
  readonly mix: Readonly<Partial<Record<ClaimKind, number>>>;
}

/** A tenth of the claims open; half of the closed ones corrected before their remittance. */
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

/** Open claims are younger than the deadlines of remittances. */
const OPEN_DAYS = 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30.4375 * DAY_MS;
const BATCH = 2_000;
const GOLDEN_RATIO = 0.6180339887498949;

/** The retention of events deletes rows by this column, so copies keep the template's time. */
const UNMOVED = 'webhooks.events.received_at';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The format of an instant with as many digits, for `to_char`. */
function instantSql(text: string): string {
  const [, fraction = '', zone = ''] = /:\d\d(?:\.(\d+))?(Z|\+00:00)$/.exec(text) ?? [];
  const digits = fraction.length === 0 ? '' : fraction.length > 3 ? '.US' : '.MS';
  const format = `YYYY-MM-DD"T"HH24:MI:SS${digits}`;
  return `to_char((timestamptz ${quote(text)} + c.shift) at time zone 'UTC', ${quote(format)}) || ${quote(zone)}`;
}

/** The SQL of a column's value in the copy `c`. */
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
    if (tokens[index - 1]?.text.endsWith('prc_')) return 'c.practitioner';
    const position = template.ids.indexOf(text);
    if (position < 0) return quote(text);
    return text.includes('-') ? `c.ids[${position + 1}]::uuid::text` : `c.ids[${position + 1}]`;
  });
  return `(${parts.join(' || ')})::${type}`;
}

/** The statements that insert the rows of all copies in the table `copies`, one per table. */
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

/** The SQL of a copy's identifier: random digits that its number determines, and the moved time if it contains one. */
function idSql(id: string, position: number, seed: string): string {
  const random = `md5(n || ${quote(`.${position}.${seed}`)})`;
  if (id.includes('-')) return random;
  const ms = Number.parseInt(id.slice(0, 12), 16);
  return `lpad(to_hex(${ms} + shift_ms), 12, '0') || '7' || left(${random}, 19)`;
}

/** Copies of kinds between two instants, at equal distances. */
interface Period {
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
    return { mix: relative, count: open, startMs, endMs: untilMs };
  };
  const openMs = endMs - OPEN_DAYS * DAY_MS;
  const closed = period(false, endMs - months * MONTH_MS, openMs);
  const open = period(true, openMs, endMs);
  return [closed, { ...open, count: claims - closed.count }].filter(({ count }) => count > 0);
}

/** Creates practitioners with the values of one of the directory, and returns their IDs without the prefix. */
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
 * Generates the claims of a portfolio in the templates' project.
 *
 * @param databaseUrl of the administrator
 * @param onProgress called with the number of claims so far
 * @throws RangeError if sessions of a practitioner would overlap
 */
export async function generateClaims(
  databaseUrl: string,
  templates: Templates,
  portfolio: Portfolio,
  onProgress: (claims: number) => void = () => undefined,
): Promise<void> {
  const sql = connectPostgres(databaseUrl, 1, 'bench-dataset');
  const endMs = Math.min(...templates.claims.map(({ startsAtMs }) => startsAtMs)) - HOUR_MS;
  const inserts = new Map(templates.claims.map((each) => [each.kind, insertsOf(each, templates)]));
  try {
    await sql.session(async (db) => {
      // Without triggers and foreign keys: balances are copied, and no service is notified.
      for (const setting of [
        'session_replication_role = replica',
        'synchronous_commit = off',
        'statement_timeout = 0',
      ])
        await db`set ${constantText(setting)}`;
      await db`create temporary table copies (number bigint, shift_ms bigint, shift interval, practitioner text, payer text, ids text[])`;
      // Read for each value of each row, so never compressed.
      await db`alter table copies alter column ids set storage plain`;
      const practitioners = await createPractitioners(db, templates.projectId, portfolio.practitioners);
      let done = 0;
      for (const period of periodsOf(portfolio, endMs)) {
        const stepMs = (period.endMs - period.startMs) / period.count;
        if (period.count > practitioners.length && stepMs * practitioners.length < HOUR_MS)
          throw new RangeError('A practitioner has at most one session per hour: use more practitioners.');
        for (let from = 0; from < period.count; from += BATCH) {
          const until = Math.min(from + BATCH, period.count);
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
                array[${constantText(ids.join(', '))}]
              from (
                select ${done}::bigint + i as n,
                  (${Math.round(period.startMs)}::bigint + i * ${stepMs}::float8)::bigint - ${template.startsAtMs}::bigint as shift_ms
                from generate_series(${from}::bigint, ${until - 1}::bigint) i
                where i * ${GOLDEN_RATIO}::float8 - floor(i * ${GOLDEN_RATIO}::float8) >= ${share}::float8
                  and i * ${GOLDEN_RATIO}::float8 - floor(i * ${GOLDEN_RATIO}::float8) < ${shareEnd}::float8
              ) placed`;
            share = shareEnd;
            for (const insert of inserts.get(kind) ?? []) await db`${constantText(insert)}`;
          }
          onProgress(done + until);
        }
        done += period.count;
      }
      // What autovacuum does after so many rows.
      await db`vacuum (analyze)`;
    });
  } finally {
    await sql.end();
  }
}
