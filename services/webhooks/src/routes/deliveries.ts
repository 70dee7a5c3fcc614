/** HTTP routes of events and their deliveries. */
import type { Handlers } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { deliveryRecordResource } from '../resources';
import { attemptsOf, listDeliveries } from '../store/deliveries';
import { readEndpoint } from '../store/endpoints';
import { listEvents, readEventPayload } from '../store/events';
import { recoverEndpoint } from '../use-cases/recover-endpoint';
import { redeliverEvent } from '../use-cases/redeliver-event';

type DeliveryOperations =
  | 'listWebhookDeliveries'
  | 'redeliverEvent'
  | 'recoverWebhookEndpoint'
  | 'listEvents'
  | 'getEvent';

export function deliveryHandlers(sql: Sql): Required<Pick<Handlers, DeliveryOperations>> {
  return {
    async listWebhookDeliveries({ caller, params, query }) {
      const endpoint = await readEndpoint(sql, caller, params.webhook_endpoint_id);
      const page = await listDeliveries(sql, caller, endpoint, query);
      const attempts = await attemptsOf(sql, page.data);
      const data = page.data.map((row) => deliveryRecordResource(row, attempts));
      return { status: 200, body: { ...page, data } };
    },

    redeliverEvent: (call) => redeliverEvent(sql, call),

    recoverWebhookEndpoint: (call) => recoverEndpoint(sql, call),

    async listEvents({ caller, query }) {
      return { status: 200, body: await listEvents(sql, caller, query) };
    },

    async getEvent({ caller, params }) {
      return { status: 200, text: await readEventPayload(sql, caller, params.event_id), replayed: false };
    },
  };
}
