/** The route by which an operator searches a service's resources of a project. */
import type { Tenant } from '@carecover/domain';
import { type Search, searchRange } from '@carecover/postgres';
import type { OperatorRoute } from './service-server';

/** Maximum number of found resources of each kind. */
const MAX_FOUND = 10;

/**
 * Makes the route `POST /operator/search` with the typed `text` and the `amounts` in minor units that it can mean.
 *
 * @example searchRoute((tenant, search) => searchClaims(sql, tenant, search))
 */
export function searchRoute(find: (tenant: Tenant, search: Search) => Promise<unknown[]>): OperatorRoute {
  return {
    method: 'POST',
    path: '/search',
    async handle({ tenant }, _params, body) {
      const { text, amounts } = body as { readonly text: string; readonly amounts: readonly number[] };
      return { data: await find(tenant, { range: searchRange(text), amounts, limit: MAX_FOUND }) };
    },
  };
}
