/** Routes of operators: the deliveries about a resource, failing endpoints, endpoints that the service disabled, and how many messages are dead-lettered. */
import type { OperatorRoute, Sql } from '@carecover/platform';
import { summarizeDeadLetteredMessages } from '../store/dead-lettered-messages';
import { deliveriesOfResource } from '../store/deliveries';
import { endpointsDisabledByService, failingEndpoints } from '../store/endpoints';

const LIMIT = 100;

export function operatorRoutes(sql: Sql): OperatorRoute[] {
  return [
    {
      method: 'GET',
      path: '/resources/:resource/deliveries',
      async handle({ tenant }, { resource = '' }) {
        // A text with other characters is the ID of no resource.
        const isId = /^\w{1,64}$/.test(resource);
        const data = isId ? await deliveriesOfResource(sql, tenant, resource, LIMIT + 1) : [];
        return { data: data.slice(0, LIMIT), has_more: data.length > LIMIT };
      },
    },
    {
      method: 'GET',
      path: '/failing_endpoints',
      async handle({ tenant }) {
        const data = await failingEndpoints(sql, tenant, LIMIT + 1);
        return { data: data.slice(0, LIMIT), has_more: data.length > LIMIT };
      },
    },
    {
      method: 'GET',
      path: '/endpoints_disabled_by_service',
      async handle({ tenant }) {
        const data = await endpointsDisabledByService(sql, tenant, LIMIT + 1);
        return { data: data.slice(0, LIMIT), has_more: data.length > LIMIT };
      },
    },
    // A message that could not be parsed has no project, so every operator sees the number, and none sees the content.
    { method: 'GET', path: '/dead_lettered_messages', handle: () => summarizeDeadLetteredMessages(sql) },
  ];
}
