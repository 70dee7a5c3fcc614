/** The routes by which an operator reads a project's oldest resources in a state. */
import { type Db, type Listed, oldestRows } from '@carecover/postgres';
import type { OperatorRoute } from './service-server';

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
