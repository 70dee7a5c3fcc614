/**
 * The routes by which the gateway advances the clock of a simulated project: it reads the service's due items, and lets the service execute
 * those of an instant. See docs/decisions/0062-test-clocks.md.
 */
import { ApiError, isSimulated, storedTenant, type Tenant } from '@carecover/domain';
import type { InternalRoute } from '@carecover/http';
import { atProjectTime, type Sql } from '@carecover/postgres';
import { type DueItemsSql, listDueItems, readDueItems } from './store/due-items';

/** Maximum number of items that one request executes. */
const BATCH = 100;

const instantOf = (value: unknown) => (value === null ? null : new Date(String(value)));

/**
 * Creates the routes. Only projects with simulated time have them.
 *
 * @param executeItem executes what is due of a resource, at its instant. It must be idempotent, because it can be called again.
 */
export function clockRoutes(
  sql: Sql,
  dueItems: DueItemsSql,
  executeItem: (tenant: Tenant, resource: string) => Promise<unknown>,
): InternalRoute[] {
  /** Executes the items until `at`, each at `at`. @returns their number */
  async function execute(tenant: Tenant, at: Date): Promise<number> {
    const items = await listDueItems(sql, dueItems, tenant, at, BATCH);
    for (const { resource } of items) {
      await atProjectTime(sql, tenant, () => executeItem(tenant, resource), at.getTime());
    }
    const [left] = await listDueItems(sql, dueItems, tenant, at, 1);
    const stays = items.find(({ resource, what }) => resource === left?.resource && what === left.what);
    if (stays !== undefined) {
      throw new ApiError(
        'invalid_state',
        `${stays.what} of ${stays.resource} was executed at ${at.toISOString()} and is still due.`,
      );
    }
    return items.length;
  }

  const route = (
    path: string,
    handle: (tenant: Tenant, body: Record<string, unknown>) => Promise<unknown>,
  ) => ({
    method: 'POST' as const,
    path: `/clock/${path}`,
    caller: 'gateway' as const,
    handle: async ({ tenant }: { readonly tenant: string }, _params: unknown, body: unknown) => {
      if (!isSimulated(tenant)) throw new ApiError('permission_denied', 'The project has real time.');
      return handle(storedTenant(tenant), body as Record<string, unknown>);
    },
  });

  return [
    route('due', (tenant, { until }) => readDueItems(sql, dueItems, tenant, instantOf(until))),
    route('execute', async (tenant, { at, until }) => {
      const completed = await execute(tenant, new Date(String(at)));
      const [next = null] = await listDueItems(sql, dueItems, tenant, new Date(String(until)), 1);
      return { completed, next };
    }),
  ];
}
