/**
 * Routes of operators: the deliveries about a resource, failing endpoints, endpoints that the service disabled, and how many messages are
 * dead-lettered.
 */
import type { OperatorRoute } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { summarizeDeadLetteredMessages } from '../store/dead-lettered-messages';
import { deliveriesOfResource } from '../store/deliveries';
import { endpointsDisabledByService, failingEndpoints } from '../store/endpoints';

const LIMIT = 100;

/** Returns the response with the first {@link LIMIT} rows that `read` returns, and whether there are more. */
async function firstRows<T>(read: (limit: number) => Promise<readonly T[]>) {
  const rows = await read(LIMIT + 1);
  return { data: rows.slice(0, LIMIT), has_more: rows.length > LIMIT };
}

export function operatorRoutes(sql: Sql): OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/resources/:resource/deliveries',
      async handle({ tenant }, { resource = '' }) {
        // A text that does not match this pattern is the ID of no resource.
        const isId = /^\w{1,64}$/.test(resource);
        return firstRows(async (limit) => (isId ? deliveriesOfResource(sql, tenant, resource, limit) : []));
      },
    },
    {
      method: 'GET',
      path: '/failing_endpoints',
      handle: ({ tenant }) => firstRows((limit) => failingEndpoints(sql, tenant, limit)),
    },
    {
      method: 'GET',
      path: '/endpoints_disabled_by_service',
      handle: ({ tenant }) => firstRows((limit) => endpointsDisabledByService(sql, tenant, limit)),
    },
    // A message that could not be parsed has no project, so every operator sees the number, and none sees the content.
    { method: 'GET', path: '/dead_lettered_messages', handle: () => summarizeDeadLetteredMessages(sql) },
  ];
}
