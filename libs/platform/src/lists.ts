/** Reads the pages of list operations, newest first by ID. IDs sort by creation time, so a cursor stays valid while rows are added. */
import { type IdentifierKind, identifierPrefixes, PAGE_SIZE, parseInstant } from '@carecover/contract';
import { ApiError } from './api-error';
import { type Db, type Fragment, identifier } from './postgres';
import type { OperatorRoute } from './service-server';
import type { Caller, Tenant } from './tenant';

export interface ListQuery {
  readonly limit?: number | string;
  readonly starting_after?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface ListResult<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/**
 * The source of a list: a table or view with the columns id, project_id and created_at, and the kind of resource, which determines the
 * prefix of its IDs.
 */
export interface Listed {
  readonly table: string;
  readonly kind: IdentifierKind;
  /** Whether the rows of a page have at most about a megabyte together, so that one statement can read the whole page. */
  readonly hasSmallRows?: true;
}

/** Selects the rows that have `value` in the column; all rows if `value` is undefined. */
export interface ColumnFilter {
  readonly column: string;
  readonly value: string | undefined;
}

/**
 * The maximum number of characters of a page's items, about. A page ends early, with `has_more`, before the item that would exceed it; its
 * first item is there in any case. Without it, a page of a hundred large resources could take tens of megabytes in each process on its way.
 */
const PAGE_CHARACTERS = 1024 * 1024;

/** The number of rows that the first statement of a page reads, because a row can have hundreds of kilobytes. */
const FIRST_STEP = 4;

/** The maximum difference in milliseconds between the time in an ID and created_at for which `platform.id_matches_time` returns true. */
const ID_SLACK_MS = 60_000;

/**
 * The SQL expression by which the indexes `…_of_other_time` order the rows whose ID differs from created_at by more than a minute. Only these
 * indexes have it. The planner takes such rows for frequent, and would look for them in the order of the primary key, through all rows.
 */
const otherTimeOrder = (db: Db): Fragment => db`(id || '')`;

/** Returns the smallest ID that can be generated at the instant `atMs`. */
function earliestId(kind: IdentifierKind, atMs: number): string {
  return identifierPrefixes[kind] + Math.max(0, atMs).toString(16).padStart(12, '0');
}

/**
 * Returns an SQL expression for a text that sorts after the IDs of all rows that the tenant created at or before the instant `atMs` (epoch
 * milliseconds). The expression reads one row, from the index of the rows whose ID differs from created_at by more than a minute.
 */
export function idAfterAllCreatedBy(db: Db, { table, kind }: Listed, tenant: Tenant, atMs: number): Fragment {
  return db`
    greatest(${earliestId(kind, atMs + ID_SLACK_MS + 1)}::text collate "C", (
      select id || '0' from ${identifier(table)} where project_id = ${tenant} and not platform.id_matches_time(id, created_at)
      order by ${otherTimeOrder(db)} desc limit 1))`;
}

/**
 * Returns an SQL expression for a text that sorts before the IDs of all rows that the tenant created after the instant `atMs` (epoch
 * milliseconds). The expression reads one row, as that of {@link idAfterAllCreatedBy} does.
 */
export function idBeforeAllCreatedAfter(
  db: Db,
  { table, kind }: Listed,
  tenant: Tenant,
  atMs: number,
): Fragment {
  return db`
    least(${earliestId(kind, atMs - ID_SLACK_MS)}::text collate "C", (
      select left(id, -1) from ${identifier(table)} where project_id = ${tenant} and not platform.id_matches_time(id, created_at)
      order by ${otherTimeOrder(db)} limit 1))`;
}

/** Bounds on the IDs of the rows on a page. Both bounds are exclusive; undefined means that there is no bound. */
interface IdBounds {
  readonly above?: string | undefined;
  readonly below?: string | undefined;
}

/** Returns the earlier of two upper bounds on IDs; undefined if there is neither. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

interface CreationTime {
  /** Conditions on created_at. */
  readonly exact: Fragment;
  /**
   * The bounds on an ID that follow from the conditions on created_at. They hold only for rows whose ID contains a time close to
   * created_at.
   */
  readonly ofIds: IdBounds;
}

/**
 * Translates the query's limits on the creation time to conditions on created_at, and to bounds on the IDs of the rows whose ID contains a
 * time close to created_at. Returns null if the query has no such limit.
 */
function creationTime(db: Db, kind: IdentifierKind, query: ListQuery): CreationTime | null {
  const after = query.created_after === undefined ? null : parseInstant(query.created_after);
  const before = query.created_before === undefined ? null : parseInstant(query.created_before);
  if (after === null && before === null) return null;
  return {
    exact: db`
      ${after === null ? db`` : db`and created_at > ${new Date(after)}`}
      ${before === null ? db`` : db`and created_at < ${new Date(before)}`}`,
    ofIds: {
      above: after === null ? undefined : earliestId(kind, after - ID_SLACK_MS),
      below: before === null ? undefined : earliestId(kind, before + ID_SLACK_MS),
    },
  };
}

/**
 * Rewrites a condition so that the planner uses no index for it and estimates that half of the rows meet it. The planner then reads the
 * page in the order of another index. For the original condition, a generic plan would read all rows that meet it and sort them.
 */
export function unindexed(db: Db, condition: Fragment): Fragment {
  return db`and coalesce((${condition}), false)`;
}

/**
 * Returns the SQL conditions of the filters and ID bounds, and the order of the rows. The first filter with a value is written as a range
 * over its column and the ID. For an equality, PostgreSQL's generic plan would expect many rows and scan the index of the IDs instead of
 * the column's index.
 */
function selection(db: Db, filters: readonly (ColumnFilter | Fragment)[], { above, below }: IdBounds) {
  let conditions = db``;
  let first: ColumnFilter | undefined;
  for (const filter of filters) {
    if (!('column' in filter)) conditions = db`${conditions} ${filter}`;
    else if (filter.value !== undefined && first === undefined) first = filter;
    else if (filter.value !== undefined)
      conditions = db`${conditions} and ${identifier(filter.column)} = ${filter.value}`;
  }
  if (first === undefined) {
    const isAbove = above === undefined ? db`` : db`and id > ${above}`;
    const isBelow = below === undefined ? db`` : db`and id < ${below}`;
    return { conditions: db`${isAbove} ${isBelow} ${conditions}`, order: db`id desc` };
  }
  const column = identifier(first.column);
  const { value } = first;
  const from = above === undefined ? db`${column} >= ${value}` : db`(${column}, id) > (${value}, ${above})`;
  const to = below === undefined ? db`${column} <= ${value}` : db`(${column}, id) < (${value}, ${below})`;
  // A comparison of rows does not show the planner that the column is not null, which an index with this condition requires.
  return {
    conditions: db`and ${column} is not null and ${from} and ${to} ${conditions}`,
    order: db`${column} desc, id desc`,
  };
}

/**
 * Reads one page of the rows that the caller can read from a table.
 *
 * For a query by creation time, rows are found by bounds on their IDs, which contain a time. Rows whose ID differs from created_at by more
 * than a minute, because the row's command waited for Temporal or the process's clock differs from the database's, have a separate index.
 *
 * @param filters column filters, the most selective one first, and SQL conditions, each of which starts with `and`. Each filtered column
 *   has an index that ends with the column and `id`. The row of the cursor need not meet the filters
 * @param within conditions that define the list, such as the parent of its rows; the row of the cursor must meet them
 * @throws ApiError validation_failed if the cursor is not the ID of a row of this list
 */
export async function listPage<Row extends { id: string }, T>(
  db: Db,
  caller: Caller,
  listed: Listed,
  query: ListQuery,
  filters: readonly (ColumnFilter | Fragment)[],
  toResource: (row: Row) => T,
  within: Fragment = db``,
): Promise<ListResult<T>> {
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const table = identifier(listed.table);
  const { tenant, resourceIds } = caller;
  const visible = resourceIds === null ? db`` : db`and id = any(${[...resourceIds]})`;
  if (query.starting_after !== undefined) {
    const known = await db`
      select 1 from ${table} where id = ${query.starting_after} and project_id = ${tenant} ${within} ${visible}`;
    if (known.length === 0)
      throw new ApiError(
        'validation_failed',
        '/query/starting_after must be the ID of a resource in this list',
      );
  }
  const select = (conditions: Fragment, order: Fragment, count: number) =>
    firstRows(
      db,
      db`
        select * from ${table} where project_id = ${tenant} ${within} ${visible} ${conditions} order by ${order} limit ${limit + 1}`,
      count,
    );
  const selectTimes = (
    { exact, ofIds: { above, below } }: CreationTime,
    cursor: string | undefined,
    count: number,
  ) => {
    const matching = selection(db, filters, { above, below: earlier(cursor, below) });
    const matches = unindexed(db, db`platform.id_matches_time(id, created_at) ${exact}`);
    const isBelow = cursor === undefined ? db`` : db`and ${otherTimeOrder(db)} < ${cursor}`;
    const filtered = unindexed(db, db`true ${selection(db, filters, {}).conditions}`);
    const times = db`
      (${select(db`${matching.conditions} ${matches}`, matching.order, count)})
      union all
      (${select(db`${isBelow} ${filtered} ${exact} and not platform.id_matches_time(id, created_at)`, db`${otherTimeOrder(db)} desc`, count)})
      order by id desc limit ${limit + 1}`;
    return firstRows(db, times, count);
  };
  const time = creationTime(db, listed.kind, query);
  const selectAfter = (cursor: string | undefined, count: number) => {
    if (time !== null) return selectTimes(time, cursor, count);
    const page = selection(db, filters, { below: cursor });
    return select(page.conditions, page.order, count);
  };
  const { items, hasMore } = await readInSteps<Row, T>({
    limit,
    firstStep: listed.hasSmallRows === true ? limit + 1 : FIRST_STEP,
    cursor: query.starting_after,
    read: (cursor, count) => db<Row[]>`${selectAfter(cursor, count)}`,
    toItem: toResource,
  });
  return { object: 'list', data: items, has_more: hasMore };
}

/**
 * Returns a statement that reads the first `count` rows of another one, which has a limit. PostgreSQL plans it as the other one, because the
 * planner does not know the value of the subquery: for a lower limit, it would search a longer index for the few rows.
 */
function firstRows(db: Db, statement: Fragment, count: number): Fragment {
  return db`select * from (${statement}) page limit (select ${count}::integer)`;
}

/** Returns about how many characters the JSON of a value has. This takes a fraction of the time that the JSON takes. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 3;
  if (typeof value !== 'object' || value === null) return 6;
  let sum = 2;
  if (Array.isArray(value)) for (const item of value) sum += charactersOf(item);
  else for (const [name, member] of Object.entries(value)) sum += name.length + 3 + charactersOf(member);
  return sum;
}

interface Steps<Row, T> {
  /** The maximum number of items. */
  readonly limit: number;
  /** The number of rows that the first statement reads. */
  readonly firstStep: number;
  /** The ID of the row before the first one; undefined to start with the first row. */
  readonly cursor: string | undefined;
  /** Reads the `count` rows after the row with the ID `cursor`. */
  readonly read: (cursor: string | undefined, count: number) => PromiseLike<readonly Row[]>;
  readonly toItem: (row: Row) => T;
}

/**
 * Reads rows until there are `limit` items, or until they have {@link PAGE_CHARACTERS}. Each statement reads as many rows as are likely
 * needed, from the size of the rows before, so that large rows which do not fit are not read.
 */
async function readInSteps<Row extends { readonly id: string }, T>({
  limit,
  firstStep,
  cursor,
  read,
  toItem,
}: Steps<Row, T>): Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }> {
  const items: T[] = [];
  let characters = 0;
  let after = cursor;
  // One row more than the page has shows whether there are more.
  for (let count = Math.min(firstStep, limit + 1); ; ) {
    const rows = await read(after, count);
    for (const row of rows) {
      if (items.length === limit) return { items, hasMore: true };
      const item = toItem(row);
      characters += charactersOf(item);
      if (items.length > 0 && characters > PAGE_CHARACTERS) return { items, hasMore: true };
      items.push(item);
    }
    if (rows.length < count) return { items, hasMore: false };
    after = rows.at(-1)?.id;
    const fitting = Math.ceil((PAGE_CHARACTERS - characters) / (characters / items.length));
    count = Math.min(limit - items.length, Math.max(0, fitting)) + 1;
  }
}

/** The maximum number of rows of {@link oldestRows}. */
const OLDEST = 100;

/**
 * Reads at most 100 rows of a project that have the given status, oldest first. The rows are the items of an operators' work list. A list
 * with the newest items first would hide the items that have waited longest if there is more than one page.
 *
 * @param table a table or view with an index that ends with the columns `status` and `id`
 */
export async function oldestRows<Row extends { readonly id: string }>(
  db: Db,
  tenant: Tenant,
  { table }: Pick<Listed, 'table'>,
  status: string,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  // The condition on the status is written as a range, for the reason in the comment of `selection`.
  const read = (cursor: string | undefined, count: number) => {
    const after = cursor === undefined ? db`status >= ${status}` : db`(status, id) > (${status}, ${cursor})`;
    const statement = db`
      select * from ${identifier(table)} where project_id = ${tenant} and status <= ${status} and ${after}
      order by status, id limit ${OLDEST + 1}`;
    return db<Row[]>`${firstRows(db, statement, count)}`;
  };
  const { items, hasMore } = await readInSteps<Row, Row>({
    limit: OLDEST,
    firstStep: FIRST_STEP,
    cursor: undefined,
    read,
    toItem: (row) => row,
  });
  return { rows: items, hasMore };
}

/**
 * Makes the routes of operators' work lists, one per status: `GET /operator/oldest_{name}/{status}` with `data` and `has_more`.
 *
 * @param name the resources in plural, such as `claims`
 * @example oldestRoutes(sql, 'claims', { table: 'claims_in_full' }, ['submitted', 'queried'], claimResource)
 */
export function oldestRoutes<Row extends { readonly id: string }>(
  db: Db,
  name: string,
  listed: Pick<Listed, 'table'>,
  statuses: readonly string[],
  toResource: (row: Row) => unknown,
): OperatorRoute[] {
  return statuses.map((status) => ({
    method: 'GET',
    path: `/oldest_${name}/${status}`,
    async handle({ tenant }) {
      const { rows, hasMore } = await oldestRows<Row>(db, tenant, listed, status);
      return { data: rows.map(toResource), has_more: hasMore };
    },
  }));
}

/** A resource with its project, as found for an operator who has only its ID or reference. */
export interface Found {
  readonly id: string;
  readonly tenant: Tenant;
}

/** Finds a resource by its ID in all projects. Only the operator CLI uses it. */
export async function findOfAnyProject(
  db: Db,
  { table }: Pick<Listed, 'table'>,
  id: string,
): Promise<Found | undefined> {
  const [found] = await db<Found[]>`
    select id, project_id as tenant from ${identifier(table)} where id = ${id}`;
  return found;
}

/** Finds resources of all projects by the value of a column, such as the normal form of a reference. Only the operator CLI uses it. */
export async function findByReference(
  db: Db,
  { table, column }: Pick<Listed, 'table'> & Pick<ColumnFilter, 'column'>,
  tenants: readonly Tenant[],
  reference: string,
): Promise<Found[]> {
  return [
    ...(await db<Found[]>`
      select id, project_id as tenant from ${identifier(table)}
      where project_id = any(${[...tenants]}) and ${identifier(column)} = ${reference} order by id`),
  ];
}
