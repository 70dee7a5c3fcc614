/**
 * SQL of the credits of imported settlement files that matched no remittance, or whose settlement was reversed. They are kept so that an
 * operator can assign them.
 */
import { parseInstant } from '@carecover/contract';
import { type Db, jsonb, type Tenant } from '@carecover/platform';
import type { StoredRow } from '../rules/matching';
import type { CreditRow } from '../settlement-files/row';

/** A credit of a settlement file that is kept, as the operator CLI shows it. */
export interface KeptRow {
  /** The number of the kept row, which PostgreSQL generates and an operator passes to the CLI. Not its line in the file. */
  readonly row: number;
  readonly project_id: Tenant;
  readonly source_reference: string;
  readonly payer_reference: string | null;
  readonly currency: string;
  /** In minor units. */
  readonly amount: number;
  readonly observed_at: Date;
  readonly file: string;
  readonly line: number;
}

/**
 * Keeps rows of a settlement file. If a kept row with the same source_reference has the same currency, amount and time, it is the same credit,
 * and only its payer_reference, file, line and time of import change. If it differs in them, it is another credit and does not change.
 *
 * @returns the source references of the rows that are stored; those of other credits are missing
 */
export async function keepUnmatchedRows(
  db: Db,
  tenant: Tenant,
  file: string,
  rows: readonly CreditRow[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const kept = rows.map(({ sourceReference, payerReferences, currency, amount, observedAt, line }) => ({
    source_reference: sourceReference,
    payer_reference: payerReferences[0] ?? null,
    currency,
    amount,
    observed_at: new Date(parseInstant(observedAt)),
    line,
  }));
  const stored = await db<{ source_reference: string }[]>`
    insert into unmatched_rows (project_id, source_reference, payer_reference, currency, amount, observed_at, file, line)
    select ${tenant}, source_reference, payer_reference, currency, amount, observed_at, ${file}, line
    from jsonb_to_recordset(${jsonb(kept)}) as kept (source_reference text, payer_reference text, currency text,
      amount bigint, observed_at timestamptz, line integer)
    order by source_reference
    on conflict (project_id, source_reference) do update set payer_reference = excluded.payer_reference, file = excluded.file,
      line = excluded.line, imported_at = excluded.imported_at
    where (unmatched_rows.currency, unmatched_rows.amount, unmatched_rows.observed_at)
      = (excluded.currency, excluded.amount, excluded.observed_at)
    returning source_reference`;
  return new Set(stored.map(({ source_reference }) => source_reference));
}

/** Finds the stored rows of a project, dismissed ones included, by source_reference. */
export async function findStoredRows(
  db: Db,
  tenant: Tenant,
  sourceReferences: readonly string[],
): Promise<Map<string, StoredRow>> {
  if (sourceReferences.length === 0) return new Map();
  const rows = await db<
    (Pick<KeptRow, 'source_reference' | 'currency' | 'amount' | 'observed_at'> & {
      readonly is_dismissed: boolean;
    })[]
  >`
    select source_reference, currency, amount, observed_at, dismissed_at is not null as is_dismissed from unmatched_rows
    where project_id = ${tenant} and source_reference = any(${[...sourceReferences]})`;
  return new Map(
    rows.map(({ source_reference, currency, amount, observed_at, is_dismissed }) => [
      source_reference,
      { currency, amount, observedAt: observed_at.getTime(), isDismissed: is_dismissed },
    ]),
  );
}

/**
 * Reads the open rows of one project, or of all projects if `tenant` is null, oldest first. A row is open if no unreversed settlement records
 * it and no operator has dismissed it. @param limit maximum number of rows; all if null
 */
export async function listUnmatchedRows(
  db: Db,
  tenant: Tenant | null,
  limit: number | null = null,
): Promise<KeptRow[]> {
  return [
    ...(await db<KeptRow[]>`
      select id as row, project_id, source_reference, payer_reference, currency, amount, observed_at, file, line
      from unmatched_rows kept
      where (${tenant}::text is null or project_id = ${tenant}) and dismissed_at is null and ${isUnsettled(db)}
      order by id limit ${limit}`),
  ];
}

/**
 * Reads the row with the given number, of one project or, if `tenant` is null, of any project. A dismissed row is found too. Returns
 * undefined if there is no such row, or if an unreversed settlement records it.
 */
export async function findUnmatchedRow(
  db: Db,
  tenant: Tenant | null,
  row: number,
): Promise<(KeptRow & { readonly dismissed: boolean }) | undefined> {
  const [found] = await db<(KeptRow & { readonly dismissed: boolean })[]>`
    select id as row, project_id, source_reference, payer_reference, currency, amount, observed_at, file, line,
      dismissed_at is not null as dismissed
    from unmatched_rows kept
    where (${tenant}::text is null or project_id = ${tenant}) and id = ${row} and ${isUnsettled(db)}`;
  return found;
}

/** Dismisses an open row of a project. Returns the row; undefined if the project has no open row with this number. */
export async function dismissUnmatchedRow(db: Db, tenant: Tenant, row: number): Promise<KeptRow | undefined> {
  const [dismissed] = await db<KeptRow[]>`
    update unmatched_rows kept set dismissed_at = platform.now()
    where project_id = ${tenant} and id = ${row} and dismissed_at is null and ${isUnsettled(db)}
    returning id as row, project_id, source_reference, payer_reference, currency, amount, observed_at, file, line`;
  return dismissed;
}

/** SQL of whether no unreversed settlement records the row, under its own source_reference or the one under which it was assigned. */
function isUnsettled(db: Db) {
  return db`not exists (
    select from settlements
    where settlements.project_id = kept.project_id and settlements.status <> 'reversed'
      and settlements.source_reference = any(array[kept.source_reference, kept.assigned_reference]))`;
}

/** A kept row that is being assigned, with the source_reference of its next settlement; null if all that it can have are used. */
export type AssignedRow = Pick<KeptRow, 'currency' | 'amount' | 'observed_at'> & {
  readonly assigned_reference: string | null;
};

/**
 * Stores in a kept row the source_reference under which it is assigned. Because no two settlements of a project have one source_reference,
 * this is the first unused one of the row's own reference, and that with `#2` to `#9`, in the 200 characters of the API's limit. Whether the
 * row is open and which references are used is read in one statement: a settlement that is committed later makes this assignment fail.
 *
 * @returns undefined if the project has no row with this number, or an unreversed settlement records it
 */
export async function assignReference(db: Db, tenant: Tenant, row: number): Promise<AssignedRow | undefined> {
  const [assigned] = await db<AssignedRow[]>`
    update unmatched_rows kept
    set assigned_reference = (
      select candidate.reference
      from generate_series(1, 9) attempt
      cross join lateral (
        select case attempt when 1 then kept.source_reference else left(kept.source_reference, 198) || '#' || attempt end as reference
      ) candidate
      where not exists (
        select from settlements where project_id = kept.project_id and source_reference = candidate.reference)
      order by attempt limit 1)
    where project_id = ${tenant} and id = ${row} and ${isUnsettled(db)}
    returning currency, amount, observed_at, assigned_reference`;
  return assigned;
}
