/** The filters of bookings and sessions by their start. */
import { EARLIEST_INSTANT, formatInstant, parseInstant } from '@carecover/contract';
import { type Db, type Fragment, identifier, type Tenant, unindexed } from '@carecover/platform';

export interface StartFilters {
  readonly starts_after?: string;
  readonly starts_before?: string;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** If a period contains at most this number of items, the index on their start finds them. Otherwise the list reads the items by ID. */
const MOST_BY_START = 500;

/**
 * Returns the condition on the start of the items, and the bounds on their creation time that follow from it, for a list in the order of
 * IDs.
 *
 * If the period contains few items, they are read by their IDs. Otherwise the bounds on the creation time limit the list: an item that
 * starts before an instant was also created before it, and an item that starts after an instant was created at most the project's longest
 * lead before it. (The lead is the time from an item's creation to its start.)
 *
 * @param idColumn the column of bookings that is the ID of the listed items
 */
export async function startFilter(
  db: Db,
  tenant: Tenant,
  idColumn: 'id' | 'session_id',
  query: StartFilters,
): Promise<{
  readonly condition: Fragment;
  readonly created_after?: string;
  readonly created_before?: string;
}> {
  const { starts_after, starts_before, created_after, created_before } = query;
  if (starts_after === undefined && starts_before === undefined) return { condition: db`` };
  const period = startsIn(db, query);
  const found = await findByStart(db, tenant, idColumn, period);
  if (found !== null) return { condition: db`and id = any(${found})` };
  const condition = unindexed(db, period);
  const after = starts_after === undefined ? [] : [earlierBy(starts_after, await longestLeadMs(db, tenant))];
  const latest = [...after, created_after].filter(isGiven).sort(byInstant).at(-1);
  const earliest = [starts_before, created_before].filter(isGiven).sort(byInstant)[0];
  return {
    condition,
    ...(latest !== undefined && { created_after: latest }),
    ...(earliest !== undefined && { created_before: earliest }),
  };
}

/** Returns the SQL condition that an item starts in the period of the query. */
export function startsIn(
  db: Db,
  { starts_after, starts_before }: Pick<StartFilters, 'starts_after' | 'starts_before'>,
): Fragment {
  return db`true
    ${starts_after === undefined ? db`` : db`and starts_at > ${new Date(parseInstant(starts_after))}`}
    ${starts_before === undefined ? db`` : db`and starts_at < ${new Date(parseInstant(starts_before))}`}`;
}

/** Returns the IDs of the items that meet a condition on their start; null if they are more than {@link MOST_BY_START}. */
export async function findByStart(
  db: Db,
  tenant: Tenant,
  idColumn: 'id' | 'session_id',
  condition: Fragment,
): Promise<string[] | null> {
  const found = await db<{ id: string }[]>`
    select ${identifier(idColumn)} as id from bookings
    where project_id = ${tenant} and ${condition} order by starts_at limit ${MOST_BY_START + 1}`;
  return found.length > MOST_BY_START ? null : found.map(({ id }) => id);
}

/** Returns the instant that is `ms` milliseconds before another one; the earliest instant that the API accepts if it would be earlier. */
function earlierBy(instant: string, ms: number): string {
  return formatInstant(Math.max(EARLIEST_INSTANT, parseInstant(instant) - ms));
}

const isGiven = (instant: string | undefined): instant is string => instant !== undefined;
const byInstant = (a: string, b: string) => parseInstant(a) - parseInstant(b);

/** Reads the longest time, in milliseconds, between the creation of a booking of the project and its start; 0 without bookings. */
export async function longestLeadMs(db: Db, tenant: Tenant): Promise<number> {
  const [row] = await db<{ ms: number | null }[]>`
    select (extract(epoch from max(starts_at - created_at)) * 1000)::bigint as ms from bookings
    where project_id = ${tenant}`;
  return row?.ms ?? 0;
}
