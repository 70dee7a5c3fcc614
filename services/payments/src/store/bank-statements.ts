/** SQL of imported statements, and of the settings of bank accounts. */

import type { Tenant } from '@carecover/domain';
import { type Db, jsonb } from '@carecover/postgres';
import type { StatementRow } from '../settlement-files/row';

/** Stores a statement, or what a repeated import says of it. */
export async function storeStatement(
  db: Db,
  tenant: Tenant,
  file: string,
  { account, statement, page, number, differences, line, balances }: StatementRow,
): Promise<void> {
  const { currency, opening, closing, hasFinalClosing, closesOn, rejected } = balances;
  await db`
    insert into bank_statements (project_id, account, statement, page, number, differences, file, line,
      currency, opening, closing, has_final_closing, closes_on, rejected)
    values (${tenant}, ${account}, ${statement}, ${page ?? 0}, ${number}, ${jsonb(differences)}, ${file}, ${line},
      ${currency}, ${opening}, ${closing}, ${hasFinalClosing}, ${closesOn}, ${rejected})
    on conflict (project_id, account, statement, page) do update
    set differences = excluded.differences, file = excluded.file, line = excluded.line, imported_at = excluded.imported_at,
      currency = excluded.currency, opening = excluded.opening, closing = excluded.closing,
      has_final_closing = excluded.has_final_closing, closes_on = excluded.closes_on, rejected = excluded.rejected`;
}

/** An entry that a page of a statement lists. */
export type ListedEntry = Pick<StatementRow, 'account' | 'statement' | 'page'> & { readonly row: number };

/** Stores which entries the pages of statements list. What is stored already does not change. */
export async function listEntries(db: Db, tenant: Tenant, listed: readonly ListedEntry[]): Promise<void> {
  if (listed.length === 0) return;
  await db`
    insert into bank_statement_entries (project_id, account, statement, page, entry_id)
    select ${tenant}, account, statement, coalesce(page, 0), "row"
    from jsonb_to_recordset(${jsonb(listed)}) as listed (account text, statement text, page integer, "row" bigint)
    on conflict do nothing`;
}

/** An imported statement, or a page of one, as the console shows it. */
export interface ImportedStatement {
  readonly account: string;
  readonly statement: string;
  readonly page: number;
  /** What differs from its own entries; empty if all agrees. */
  readonly differences: readonly string[];
  readonly file: string;
  readonly imported_at: Date;
}

/** Reads the statements of a project that were imported last, newest first. */
export async function listStatements(db: Db, tenant: Tenant, limit: number): Promise<ImportedStatement[]> {
  return [
    ...(await db<ImportedStatement[]>`
      select account, statement, page, differences, file, imported_at from bank_statements
      where project_id = ${tenant} order by imported_at desc, account, statement, page limit ${limit}`),
  ];
}

/**
 * Returns the number of the imported statement of the account that closes before a statement, if the one directly before it is missing; null if none is
 * missing. Banks that number their statements per year start again at 1. Messages without a closing balance, such as notifications of entries, have
 * numbers of their own.
 */
export async function findNumberBeforeGap(
  db: Db,
  tenant: Tenant,
  { account, number, balances: { closing, closesOn } }: StatementRow,
): Promise<number | null> {
  if (number === null || number === 1 || closesOn === null) return null;
  const [before] = await db<{ number: number }[]>`
    select number from bank_statements
    where project_id = ${tenant} and account = ${account} and (closing is null) = ${closing === null}
      and (closes_on, number) < (${closesOn}, ${number}::bigint)
    order by closes_on desc, number desc limit 1`;
  return before === undefined || before.number === number - 1 ? null : before.number;
}

/** Reads the time zones of the accounts of a project that have one of their own, by account. */
export async function readTimeZones(db: Db, tenant: Tenant): Promise<Map<string, string>> {
  const rows = await db<{ account: string; time_zone: string }[]>`
    select account, time_zone from bank_accounts where project_id = ${tenant}`;
  return new Map(rows.map(({ account, time_zone }) => [account, time_zone]));
}

/** Sets the time zone of an account; null lets the account have that of its project again. */
export async function setTimeZone(
  db: Db,
  tenant: Tenant,
  account: string,
  timeZone: string | null,
): Promise<void> {
  if (timeZone === null)
    await db`delete from bank_accounts where project_id = ${tenant} and account = ${account}`;
  else
    await db`
      insert into bank_accounts (project_id, account, time_zone) values (${tenant}, ${account}, ${timeZone})
      on conflict (project_id, account) do update set time_zone = excluded.time_zone`;
}
