/**
 * The filters of bookings and sessions by their start. A list has the order of creation, so no index has both orders: the items of a short
 * period are found by their start first, and those of a long one are read in the order of the list (docs/decisions/0046).
 */
import { EARLIEST_INSTANT, formatInstant, LATEST_INSTANT, parseInstant } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import {
  type Db,
  earliestOf,
  type Fragment,
  identifier,
  type ListQuery,
  latestOf,
} from '@carecover/postgres';

export interface StartFilters {
  readonly starts_after?: string | undefined;
  readonly starts_before?: string | undefined;
}

type Bounds = Pick<ListQuery, 'created_after' | 'created_before'>;

/** The condition that selects the items of a list, and the exclusive bounds on their creation time that follow from it. */
export interface StartCondition extends Bounds {
  readonly condition: Fragment;
}

/** If a period contains at most this number of items, the index on their start finds them. */
const MOST_BY_START = 100;

/**
 * Returns the condition on the start of the items of a list, and the bounds on their creation time that follow from it: an item was created
 * at least the project's shortest lead before its start, and at most the longest lead. (The lead is the time from the creation to the start.)
 *
 * @param table the table or view of the list
 * @param status a further SQL condition on the items, which starts with `and`
 */
export async function startFilter(
  db: Db,
  tenant: Tenant,
  table: 'bookings' | 'sessions',
  query: StartFilters,
  status: Fragment = db``,
): Promise<StartCondition> {
  const { starts_after, starts_before } = query;
  if (starts_after === undefined && starts_before === undefined) return { condition: status };
  const after =
    starts_after === undefined ? db`` : db`and starts_at > ${new Date(parseInstant(starts_after))}`;
  const before =
    starts_before === undefined ? db`` : db`and starts_at < ${new Date(parseInstant(starts_before))}`;
  const condition = db`${status} ${after} ${before}`;
  const found = await db<{ id: string }[]>`
    select id from ${identifier(table)} where project_id = ${tenant} ${condition} order by starts_at limit ${MOST_BY_START + 1}`;
  if (found.length <= MOST_BY_START)
    return { condition: db`${status} and id = any(${found.map(({ id }) => id)})` };
  const { shortest, longest } = await leadsMs(db, tenant);
  return {
    condition,
    created_after: starts_after && earlierBy(starts_after, longest),
    created_before: starts_before && earlierBy(starts_before, shortest),
  };
}

/** Returns a query for the items that were created within its own bounds and others. */
export function createdWithin<Query extends ListQuery>(query: Query, bounds: Bounds): Query {
  return {
    ...query,
    created_after: latestOf(query.created_after, bounds.created_after),
    created_before: earliestOf(query.created_before, bounds.created_before),
  };
}

/** Returns the instant that is `ms` milliseconds before another one, or the nearest one to it that the API accepts. */
function earlierBy(instant: string, ms: number): string {
  return formatInstant(Math.min(LATEST_INSTANT, Math.max(EARLIEST_INSTANT, parseInstant(instant) - ms)));
}

/** Reads the shortest and the longest time, in milliseconds, between the creation of a booking of the project and its start; 0 without bookings. */
async function leadsMs(
  db: Db,
  tenant: Tenant,
): Promise<{ readonly shortest: number; readonly longest: number }> {
  const [row] = await db<{ shortest: number | null; longest: number | null }[]>`
    select (extract(epoch from min(starts_at - created_at)) * 1000)::bigint as shortest,
           (extract(epoch from max(starts_at - created_at)) * 1000)::bigint as longest
    from bookings where project_id = ${tenant}`;
  return { shortest: row?.shortest ?? 0, longest: row?.longest ?? 0 };
}
