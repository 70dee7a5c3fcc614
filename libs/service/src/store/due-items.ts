/** Reads the due items of a simulated project. */
import type { DueItemKind } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import type { Db, Fragment } from '@carecover/postgres';

export interface DueItem {
  readonly at: Date;
  /** The identifier of the resource. */
  readonly resource: string;
  readonly what: DueItemKind;
}

/** Returns the SQL of the tenant's due items until an instant (null: no limit), as columns `at`, `resource` and `what`. */
export type DueItemsSql = (db: Db, tenant: Tenant, until: Date | null) => Fragment;

/** Reads the earliest due items, in the order of their due times, then of the resources. */
export async function listDueItems(
  db: Db,
  dueItems: DueItemsSql,
  tenant: Tenant,
  until: Date,
  limit: number,
): Promise<DueItem[]> {
  return db<DueItem[]>`
    select at, resource, what from (${dueItems(db, tenant, until)}) due order by at, resource limit ${limit}`;
}

/** Reads the earliest due item, and counts all. */
export async function readDueItems(
  db: Db,
  dueItems: DueItemsSql,
  tenant: Tenant,
  until: Date | null,
): Promise<{ readonly next: DueItem | null; readonly count: number }> {
  const [row] = await db<(DueItem & { count: number })[]>`
    select at, resource, what, count(*) over ()::integer as count
    from (${dueItems(db, tenant, until)}) due order by at, resource limit 1`;
  if (row === undefined) return { next: null, count: 0 };
  const { count, ...next } = row;
  return { next, count };
}
