/**
 * Reads the pages of list operations, newest first or oldest first: in the order of created_at, and of the ID for rows with the same created_at. Both never
 * change, so a cursor, which is the ID of a row, stays valid while rows are added (docs/decisions/0046).
 */
import { PAGE_SIZE, parseInstant } from '@carecover/contract';
import type { Caller, Tenant } from '@carecover/domain';
import { ApiError } from '@carecover/domain';
import { type Db, type Fragment, identifier } from './statement';

export interface ListQuery {
  readonly limit?: number | string;
  readonly starting_after?: string;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  /** By default `desc`, newest first. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface ListResult<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
}

/**
 * The source of a list: a table or view with the columns id, project_id and created_at. It has an index on (project_id, created_at, id), and
 * for each filtered column one on (project_id, column, created_at, id).
 */
export interface Listed {
  readonly table: string;
  /** The column that orders rows with the same created_at, if it is not the ID. Its values are unique. */
  readonly tieBreaker?: string;
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

/** Returns the latest of the given instants; undefined if none is given. */
export function latestOf(...instants: readonly (string | undefined)[]): string | undefined {
  return sorted(instants).at(-1);
}

/** Returns the earliest of the given instants; undefined if none is given. */
export function earliestOf(...instants: readonly (string | undefined)[]): string | undefined {
  return sorted(instants)[0];
}

function sorted(instants: readonly (string | undefined)[]): string[] {
  return instants
    .filter((each) => each !== undefined)
    .sort((one, other) => parseInstant(one) - parseInstant(other));
}

/** The place of a row in the order of a list. */
interface Position {
  readonly createdAt: Date;
  /** The value of the list's tie breaker, by default the ID. */
  readonly tie: string;
}

const positionOf = (row: object, tieBreaker: string): Position => {
  const values = row as Readonly<Record<string, unknown>>;
  return { createdAt: values.created_at as Date, tie: values[tieBreaker] as string };
};

/**
 * Returns the conditions on the place of a page's rows: after the cursor, and within the limits of the query on created_at, which are
 * exclusive. Of the two bounds where the page starts, the cursor and a limit, only the later one in the order of the list is a condition:
 * PostgreSQL starts to read an index at one of them, which could be the other one.
 */
function isOnPage(db: Db, tieBreaker: string, cursor: Position | undefined, query: ListQuery): Fragment {
  const after = query.created_after === undefined ? null : new Date(parseInstant(query.created_after));
  const before = query.created_before === undefined ? null : new Date(parseInstant(query.created_before));
  const place = db`(created_at, ${identifier(tieBreaker)})`;
  if (query.order === 'asc') {
    const isOlder = before === null ? db`` : db`and created_at < ${before}`;
    if (after !== null && (cursor === undefined || after >= cursor.createdAt))
      return db`${isOlder} and created_at > ${after}`;
    return cursor === undefined
      ? isOlder
      : db`${isOlder} and ${place} > (${cursor.createdAt}, ${cursor.tie})`;
  }
  const isYounger = after === null ? db`` : db`and created_at > ${after}`;
  const isEarlier = before !== null && (cursor === undefined || before <= cursor.createdAt);
  const end = isEarlier ? { createdAt: before, tie: '' } : cursor;
  if (end === undefined) return isYounger;
  return db`${isYounger} and ${place} < (${end.createdAt}, ${end.tie})`;
}

/**
 * Returns the SQL condition that a column has a value. The value is a subquery, so that PostgreSQL does not estimate from all projects how many
 * rows have it. A status of most rows can be rare in one project, and the index without the status would be read to its end.
 */
function hasValue(db: Db, column: string, value: string): Fragment {
  return db`and ${identifier(column)} = (select ${value}::text)`;
}

/** Returns the SQL condition of a filter, which starts with `and`. */
function conditionOf(db: Db, filter: ColumnFilter | Fragment): Fragment {
  if (!('column' in filter)) return filter;
  return filter.value === undefined ? db`` : hasValue(db, filter.column, filter.value);
}

/**
 * Reads one page of the rows that the caller can read from a table.
 *
 * @param filters column filters, and SQL conditions, each of which starts with `and`. The row of the cursor need not meet them
 * @param within conditions that define the list, such as the parent of its rows; the row of the cursor must meet them
 * @throws ApiError validation_failed if the cursor is not the ID of a row of this list
 */
export async function listPage<Row extends { id: string }, T>(
  db: Db,
  caller: Caller,
  { table, tieBreaker = 'id', hasSmallRows }: Listed,
  query: ListQuery,
  filters: readonly (ColumnFilter | Fragment)[],
  toResource: (row: Row) => T,
  within: Fragment = db``,
): Promise<ListResult<T>> {
  const limit = Number(query.limit ?? PAGE_SIZE.default);
  const { tenant, resourceIds } = caller;
  const visible = resourceIds === null ? db`` : db`and id = any(${[...resourceIds]})`;
  const ofList = db`from ${identifier(table)} where project_id = ${tenant} ${within} ${visible}`;
  let cursor: Position | undefined;
  if (query.starting_after !== undefined) {
    const [row] =
      await db`select created_at, ${identifier(tieBreaker)} ${ofList} and id = ${query.starting_after}`;
    if (row === undefined)
      throw new ApiError(
        'validation_failed',
        '/query/starting_after must be the ID of a resource in this list',
      );
    cursor = positionOf(row, tieBreaker);
  }
  const conditions = filters.reduce<Fragment>((all, filter) => db`${all} ${conditionOf(db, filter)}`, db``);
  const tie = identifier(tieBreaker);
  const inOrder = query.order === 'asc' ? db`created_at, ${tie}` : db`created_at desc, ${tie} desc`;
  const { items, hasMore } = await readInSteps<Row, T>({
    limit,
    firstStep: hasSmallRows === true ? limit + 1 : FIRST_STEP,
    read: (last, count) => {
      const after = last === undefined ? cursor : positionOf(last, tieBreaker);
      return db<Row[]>`
        select * ${ofList} ${conditions} ${isOnPage(db, tieBreaker, after, query)}
        order by ${inOrder} limit ${count}`;
    },
    toItem: toResource,
  });
  return { object: 'list', data: items, has_more: hasMore };
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
  /** Reads the `count` rows after the row `last`; the first rows if it is undefined. */
  readonly read: (last: Row | undefined, count: number) => PromiseLike<readonly Row[]>;
  readonly toItem: (row: Row) => T;
}

/**
 * Reads rows until there are `limit` items, or until they have {@link PAGE_CHARACTERS}. Each statement reads as many rows as are likely
 * needed, from the size of the rows before, so that large rows which do not fit are not read.
 */
async function readInSteps<Row, T>({
  limit,
  firstStep,
  read,
  toItem,
}: Steps<Row, T>): Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }> {
  const items: T[] = [];
  let characters = 0;
  let last: Row | undefined;
  // One row more than the page has shows whether there are more.
  for (let count = Math.min(firstStep, limit + 1); ; ) {
    const rows = await read(last, count);
    for (const row of rows) {
      if (items.length === limit) return { items, hasMore: true };
      const item = toItem(row);
      characters += charactersOf(item);
      if (items.length > 0 && characters > PAGE_CHARACTERS) return { items, hasMore: true };
      items.push(item);
    }
    if (rows.length < count) return { items, hasMore: false };
    last = rows.at(-1);
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
 * @param table a table or view with an index on (project_id, status, created_at, id)
 */
export async function oldestRows<Row extends { readonly id: string }>(
  db: Db,
  tenant: Tenant,
  { table }: Pick<Listed, 'table'>,
  status: string,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const { items, hasMore } = await readInSteps<Row, Row>({
    limit: OLDEST,
    firstStep: FIRST_STEP,
    read: (last, count) => {
      const position = last && positionOf(last, 'id');
      const after =
        position === undefined ? db`` : db`and (created_at, id) > (${position.createdAt}, ${position.tie})`;
      return db<Row[]>`
        select * from ${identifier(table)} where project_id = ${tenant} ${hasValue(db, 'status', status)} ${after}
        order by created_at, id limit ${count}`;
    },
    toItem: (row) => row,
  });
  return { rows: items, hasMore };
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
