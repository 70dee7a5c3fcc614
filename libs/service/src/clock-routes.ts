/**
 * The routes by which the gateway advances the clock of a simulated project: it reads the service's due items, and lets the service execute
 * those until an instant. See docs/decisions/0062-test-clocks.md.
 */
import { ApiError, isSimulated, storedTenant, type Tenant } from '@carecover/domain';
import type { InternalRoute } from '@carecover/http';
import { atInstant, atProjectTime, type Sql, type Tx } from '@carecover/postgres';
import { failpoint } from '@carecover/process';
import { type DueItem, type DueItemsSql, listDueItems, readDueItems } from './store/due-items';
import { listSentEvents } from './store/sent-events';

/** Maximum number of items that one request executes, of those in one transaction, and the time in milliseconds after which it starts no further one. */
const BATCH = 100;
const SET = 25;
const RUN_MS = 2_000;
/** Maximum number of events that one request returns. */
const EVENTS = 1_000;

/** An executed item, and the instant at which it was executed. */
interface Executed {
  readonly item: DueItem;
  readonly at: Date;
}

/** What one request has executed. */
interface Run {
  readonly completed: number;
  /** The last instant whose items are all executed; null if some of the first one are left. */
  readonly at: Date | null;
  /** The earliest due item that is left; null if there is none. */
  readonly next: DueItem | null;
}

const dateOf = (value: unknown) => (value === null ? null : new Date(String(value)));
const later = (a: Date, b: Date) => (a < b ? b : a);

/**
 * Returns the run of executed items.
 *
 * @param next the earliest due item after the run
 * @throws ApiError invalid_state if the first instant has an item that is still due after its execution
 */
function runOf(executed: readonly Executed[], next: DueItem | null, now: Date): Run {
  const open = next === null ? null : later(next.at, now);
  const done = executed.filter(({ at }) => open === null || at < open);
  const stays = executed.some(({ item }) => item.resource === next?.resource && item.what === next.what);
  if (next !== null && stays && done.length === 0) {
    throw new ApiError(
      'invalid_state',
      `${next.what} of ${next.resource} was executed at ${open?.toISOString()} and is still due.`,
    );
  }
  return { completed: (stays ? done : executed).length, at: done.at(-1)?.at ?? null, next };
}

/** Creates a route of the gateway below `/clock`, which only projects with simulated time have. */
export function clockRoute(
  path: string,
  handle: (tenant: Tenant, body: Readonly<Record<string, unknown>>) => Promise<unknown>,
): InternalRoute {
  return {
    method: 'POST',
    path: `/clock/${path}`,
    caller: 'gateway',
    handle: async ({ tenant }, _params, body) => {
      if (!isSimulated(tenant)) throw new ApiError('permission_denied', 'The project has real time.');
      return handle(storedTenant(tenant), body as Readonly<Record<string, unknown>>);
    },
  };
}

/**
 * Creates the routes of a service with due items.
 *
 * @param executeItem executes what is due of a resource, at the instant of the transaction. It must be idempotent, because it can be called again.
 * @param afterCommit does what follows the commit of an item, at the same instant
 */
export function clockRoutes(
  sql: Sql,
  dueItems: DueItemsSql,
  executeItem: (tx: Tx, tenant: Tenant, resource: string) => Promise<unknown>,
  afterCommit?: (tenant: Tenant, resource: string) => Promise<unknown>,
): InternalRoute[] {
  /** Executes items in one transaction, each at its own instant. */
  async function executeSet(tenant: Tenant, set: readonly Executed[]): Promise<void> {
    const transaction = () =>
      sql.begin(async (tx) => {
        for (const { item, at } of set) {
          // The item commits at this instant once, so its IDs can follow from it.
          const scope = `due/${item.what}/${item.resource}/${at.getTime()}`;
          await atInstant(tx, tenant, at.getTime(), () => executeItem(tx, tenant, item.resource), scope);
          failpoint('clock.executed-item', item.what);
        }
      });
    await atProjectTime(sql, tenant, transaction, set[0]?.at.getTime(), 'due');
    if (afterCommit === undefined) return;
    for (const { item, at } of set)
      await atProjectTime(sql, tenant, () => afterCommit(tenant, item.resource), at.getTime());
  }

  /** Executes due items in the order of their instants, each at its own, or at `now` if it is overdue, until one fails. */
  async function executeEach(tenant: Tenant, items: readonly DueItem[], now: Date): Promise<Executed[]> {
    const endMs = performance.now() + RUN_MS;
    const executed: Executed[] = [];
    const due = items.map((item) => ({ item, at: later(item.at, now) }));
    let size = SET;
    while (executed.length < due.length && performance.now() < endMs) {
      const set = due.slice(executed.length, executed.length + size);
      try {
        await executeSet(tenant, set);
        executed.push(...set);
      } catch (error) {
        // Those before the item that fails are executed one by one. The next request fails by this item, after the clock has moved to them.
        if (set.length === 1 && executed.length === 0) throw error;
        if (set.length === 1) break;
        size = 1;
      }
    }
    return executed;
  }

  return [
    clockRoute('due', (tenant, { until }) => readDueItems(sql, dueItems, tenant, dateOf(until))),
    clockRoute('execute', async (tenant, body) => {
      const now = new Date(String(body.now));
      const items = await listDueItems(sql, dueItems, tenant, new Date(String(body.through)), BATCH);
      const executed = await executeEach(tenant, items, now);
      const [next = null] = await listDueItems(sql, dueItems, tenant, new Date(String(body.until)), 1);
      return runOf(executed, next, now);
    }),
    clockRoute('events', (tenant, { after }) => listSentEvents(sql, tenant, Number(after), EVENTS)),
  ];
}
