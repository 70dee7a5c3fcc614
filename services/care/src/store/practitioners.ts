/** SQL of practitioners. */
import type { Currency, Practitioner, WeeklyHours } from '@carecover/contract';
import { type Caller, newId, type Tenant } from '@carecover/domain';
import {
  type Db,
  jsonb,
  type ListQuery,
  type ListResult,
  listPage,
  type Query,
  type Sql,
} from '@carecover/postgres';
import type { Slot } from '../rules/slot';

export interface PractitionerRow {
  readonly id: string;
  readonly name: string;
  readonly profession: string;
  readonly city: string;
  readonly country: string;
  readonly fee_amount: number;
  readonly fee_currency: string;
  readonly timezone: string;
  readonly weekly_hours: WeeklyHours[];
}

/** One practitioner in a directory. */
export interface DirectoryEntry {
  /** The directory's reference for the practitioner, unique in the project. */
  readonly reference: string;
  readonly name: string;
  readonly profession: string;
  readonly city: string;
  /** The country's code, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The fee of a session in the currency's minor unit, at least 1. */
  readonly feeAmount: number;
  readonly feeCurrency: Currency;
  /** The IANA name of the time zone. */
  readonly timezone: string;
  readonly weeklyHours: readonly WeeklyHours[];
}

export async function findPractitioner(
  db: Db,
  tenant: Tenant,
  id: string,
): Promise<PractitionerRow | undefined> {
  const [row] = await db<PractitionerRow[]>`
    select * from practitioners where project_id = ${tenant} and id = ${id}`;
  return row;
}

/**
 * Reads one page of the project's practitioners, newest first.
 *
 * @throws ApiError validation_failed if the cursor names no practitioner of this list
 */
export function listPractitioners(
  db: Db,
  caller: Caller,
  query: ListQuery,
  toResource: (row: PractitionerRow) => Practitioner,
): Promise<ListResult<Practitioner>> {
  return listPage(db, caller, { table: 'practitioners', hasSmallRows: true }, query, [], toResource);
}

/** A practitioner's name. */
export type NamedPractitioner = Pick<PractitionerRow, 'id' | 'name' | 'profession'>;

/** Reads the names of those of the practitioners that the tenant has. */
export async function namePractitioners(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<NamedPractitioner[]> {
  return [
    ...(await db<NamedPractitioner[]>`
      select id, name, profession from practitioners where project_id = ${tenant} and id = any(${[...ids]})`),
  ];
}

/**
 * Finds practitioners of the tenant by the beginning of a word of the name, in any case. Reads the whole directory, which has at most 100,000
 * practitioners.
 */
export async function searchPractitioners(
  db: Db,
  tenant: Tenant,
  typed: string,
  limit: number,
): Promise<NamedPractitioner[]> {
  const text = typed.trim().toLowerCase().replace(/\s+/g, ' ');
  if ([...text].length < 2) return [];
  return [
    ...(await db<NamedPractitioner[]>`
      select id, name, profession from practitioners
      where project_id = ${tenant} and strpos(' ' || lower(name), ${` ${text}`}) > 0 order by name, id limit ${limit}`),
  ];
}

/** Reads a practitioner and the database's clock in one round trip. */
export function findPractitionerNow(
  db: Db,
  tenant: Tenant,
  id: string,
): Query<(PractitionerRow & { readonly now: Date }) | undefined> {
  const found = db<(PractitionerRow & { now: Date })[]>`
    select *, platform.now() as now from practitioners where project_id = ${tenant} and id = ${id}`;
  return found.withResult(([row]) => row);
}

/** Reads those of the practitioners that the tenant has, by ID, and the database's clock. */
export async function findPractitionersNow(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PractitionerRow & { readonly now: Date }>> {
  const rows = await db<(PractitionerRow & { now: Date })[]>`
    select *, (select platform.now()) as now from practitioners where project_id = ${tenant} and id = any(${[...new Set(ids)]})`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** A practitioner with the booked times of a period in ascending order, and the time by the database's clock. */
export interface BookedPractitioner extends PractitionerRow {
  readonly booked: readonly Slot[];
  readonly now: Date;
}

/**
 * Reads a practitioner with the times of all active bookings that overlap the range, in one round trip. Bookings with less than `gapMs`
 * between them are joined to one time. So the number of times is limited by the length of the range, also if a project makes many short
 * bookings.
 *
 * @param gapMs the shortest gap between bookings that matters, in milliseconds: the duration of the slots to find
 */
export async function findPractitionerWithBookings(
  db: Db,
  tenant: Tenant,
  id: string,
  range: Slot,
  gapMs: number,
): Promise<BookedPractitioner | undefined> {
  // The bookings are selected by the condition of the table's exclusion constraint, so that the constraint's index finds them. They do not
  // overlap, so the booking before a gap is the previous one in the order of their starts.
  const [row] = await db<BookedPractitioner[]>`
    select p.*, platform.now() as now, (
      select coalesce(jsonb_agg(jsonb_build_object('start', (extract(epoch from starts_at) * 1000)::bigint,
                                                   'end', (extract(epoch from ends_at) * 1000)::bigint)
                                order by starts_at), '[]')
      from (
        select min(starts_at) as starts_at, max(ends_at) as ends_at
        from (
          select starts_at, ends_at, count(*) filter (where follows_gap) over (order by starts_at) as gaps_before
          from (
            select b.starts_at, b.ends_at,
                   b.starts_at - lag(b.ends_at) over (order by b.starts_at) >= ${gapMs} * interval '1 millisecond' as follows_gap
            from bookings b
            where b.project_id = p.project_id and b.practitioner_id = p.id
              and b.status <> 'cancelled' and b.recorded_by is null
              and tstzrange(b.starts_at, b.ends_at) && tstzrange(${new Date(range.start)}, ${new Date(range.end)})
          ) booking
        ) numbered
        group by gaps_before
      ) joined
    ) as booked
    from practitioners p where p.project_id = ${tenant} and p.id = ${id}`;
  return row;
}

/**
 * Returns SQL for the entries as rows with new IDs. Lists are sorted by descending ID. So the first entry gets the largest ID, and lists
 * have the directory's order.
 */
function asRows(db: Db, entries: readonly DirectoryEntry[]) {
  const rows = [...entries].reverse().map((entry) => ({
    id: newId('prc_'),
    external_reference: entry.reference,
    name: entry.name,
    profession: entry.profession,
    city: entry.city,
    country: entry.country,
    fee_amount: entry.feeAmount,
    fee_currency: entry.feeCurrency,
    timezone: entry.timezone,
    weekly_hours: entry.weeklyHours.map((hours) => ({ ...hours, formats: [...hours.formats] })),
  }));
  return db`jsonb_to_recordset(${jsonb(rows)}) as entry(id text, external_reference text, name text,
    profession text, city text, country text, fee_amount bigint, fee_currency text, timezone text, weekly_hours jsonb)`;
}

/** Inserts the entries if the project has no practitioner. Concurrent calls insert each entry once. */
export async function seedPractitioners(
  sql: Sql,
  tenant: Tenant,
  entries: readonly DirectoryEntry[],
): Promise<void> {
  await sql`
    insert into practitioners (id, project_id, external_reference, name, profession, city, country,
                               fee_amount, fee_currency, timezone, weekly_hours)
    select id, ${tenant}, external_reference, name, profession, city, country,
           fee_amount, fee_currency, timezone, weekly_hours
    from ${asRows(sql, entries)}
    where not exists (select 1 from practitioners where project_id = ${tenant})
    on conflict (project_id, external_reference) do nothing`;
}

/** Inserts and updates practitioners by their reference, in one statement: all or none. Practitioners with a known reference keep their IDs. */
export async function upsertPractitioners(
  db: Db,
  tenant: Tenant,
  entries: readonly DirectoryEntry[],
): Promise<{ readonly added: number; readonly changed: number }> {
  const written = await db<{ added: boolean }[]>`
    insert into practitioners as known (id, project_id, external_reference, name, profession, city, country,
                                        fee_amount, fee_currency, timezone, weekly_hours)
    select id, ${tenant}, external_reference, name, profession, city, country,
           fee_amount, fee_currency, timezone, weekly_hours
    from ${asRows(db, entries)}
    on conflict (project_id, external_reference) do update set
      name = excluded.name, profession = excluded.profession, city = excluded.city, country = excluded.country,
      fee_amount = excluded.fee_amount, fee_currency = excluded.fee_currency,
      timezone = excluded.timezone, weekly_hours = excluded.weekly_hours
    where (known.name, known.profession, known.city, known.country, known.fee_amount, known.fee_currency,
           known.timezone, known.weekly_hours)
      is distinct from (excluded.name, excluded.profession, excluded.city, excluded.country, excluded.fee_amount,
                        excluded.fee_currency, excluded.timezone, excluded.weekly_hours)
    returning (xmax = 0) as added`;
  const added = written.filter((row) => row.added).length;
  return { added, changed: written.length - added };
}
