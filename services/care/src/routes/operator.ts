/** Routes of operators: the names of practitioners by their IDs, and practitioners by the beginning of a name. */
import type { OperatorRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { namePractitioners, searchPractitioners } from '../store/practitioners';

const SHOWN = 10;
const MAX_NAMES = 200;

export function operatorRoutes(sql: Sql): OperatorRoute[] {
  return [
    {
      method: 'POST',
      path: '/practitioners/names',
      async handle({ tenant }, _params, body) {
        const { ids } = body as { readonly ids: readonly string[] };
        return { data: await namePractitioners(sql, tenant, ids.slice(0, MAX_NAMES)) };
      },
    },
    {
      method: 'POST',
      path: '/search',
      async handle({ tenant }, _params, body) {
        const { text } = body as { readonly text: string };
        return { data: await searchPractitioners(sql, tenant, text, SHOWN) };
      },
    },
  ];
}
