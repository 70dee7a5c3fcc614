/** What became of sending events to an endpoint, and sending them again. */
import { parseInstant } from '@carecover/contract';
import { type Handlers, listPage, notFound, type Sql, writeOnce } from '@carecover/platform';
import { type DeliveryRow, redeliver, toDelivery, withHistory } from '../store/deliveries';
import { lockEndpoint, readEndpoint } from '../store/endpoints';
import { recoverMissed } from '../store/recoveries';
import { assertActive } from './endpoints';

type DeliveryOperations = 'listWebhookDeliveries' | 'redeliverEvent' | 'recoverWebhookEndpoint';

export function deliveryHandlers(sql: Sql): Required<Pick<Handlers, DeliveryOperations>> {
  return {
    async listWebhookDeliveries({ caller, params, query }) {
      const { id } = await readEndpoint(sql, caller, params.webhook_endpoint_id);
      const filter = query.status === undefined ? sql`` : sql`and status = ${query.status}`;
      // A key that may read the endpoint may read its deliveries.
      const everything = { ...caller, resourceIds: null };
      const page = await listPage<DeliveryRow, DeliveryRow>(
        sql,
        everything,
        'deliveries',
        query,
        filter,
        (row) => row,
        sql`and endpoint_id = ${id}`,
      );
      return { status: 200, body: { ...page, data: await withHistory(sql, id, page.data) } };
    },

    redeliverEvent: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const { webhook_endpoint_id, event_id } = call.params;
        const endpoint = await lockEndpoint(tx, call.caller, webhook_endpoint_id);
        const delivery = await redeliver(tx, endpoint.id, event_id);
        if (delivery === null) throw notFound();
        assertActive(endpoint);
        return { status: 202, body: toDelivery(delivery), resourceId: event_id };
      }),

    recoverWebhookEndpoint: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const endpoint = await lockEndpoint(tx, call.caller, call.params.webhook_endpoint_id);
        assertActive(endpoint);
        const [since, until] = [
          new Date(parseInstant(call.body.since)),
          new Date(parseInstant(call.body.until)),
        ];
        const count = await recoverMissed(tx, endpoint, since, until);
        return { status: 202, body: { object: 'webhook_recovery', count }, resourceId: endpoint.id };
      }),
  };
}
