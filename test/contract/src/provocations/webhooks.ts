/** Webhook endpoints, deliveries and events. */
import type { World } from '@carecover/test-support';
import type { Attempt, Provocation, Provocations } from './provocation';

/** A request about a fresh endpoint; `disabled` disables it first. */
function endpoint(body?: (world: World) => unknown, disabled = false): Provocation {
  return async (world) => {
    const { id } = await world.endpoint();
    if (disabled) await world.client.webhookEndpoints.disable(id);
    return { params: { webhook_endpoint_id: id }, ...(body === undefined ? {} : { body: body(world) }) };
  };
}

/** A request about a fresh endpoint, with another one active where the project can have one alone. */
function atLimit(request: (id: string) => Omit<Attempt, 'afterwards'>): Provocation {
  return async (world) => {
    const { id } = await world.endpoint();
    await world.client.webhookEndpoints.disable(id);
    await world.endpoint();
    await world.limitEndpoints(1);
    return { ...request(id), afterwards: () => world.limitEndpoints() };
  };
}

const forbidden = 'https://169.254.169.254/latest/meta-data';
const window = (world: World) => ({ since: world.inDays(-2), until: world.inDays(-1) });

export const webhooksProvocations: Provocations = {
  listWebhookEndpoints: { success: async () => ({ query: { status: 'active' } }) },
  createWebhookEndpoint: {
    success: async (world) => ({
      body: { url: `${world.receivers.accepting}?${world.unique('n')}`, events: ['claim.settled'] },
    }),
    webhook_url_not_allowed: async () => ({ body: { url: forbidden, events: ['claim.settled'] } }),
    endpoint_limit_reached: atLimit(() => ({
      body: { url: 'https://example.com/hooks', events: ['claim.settled'] },
    })),
  },
  getWebhookEndpoint: { success: endpoint() },
  updateWebhookEndpoint: {
    success: endpoint(() => ({ events: ['claim.denied'] })),
    webhook_url_not_allowed: endpoint(() => ({ url: forbidden })),
    endpoint_limit_reached: atLimit((id) => ({
      params: { webhook_endpoint_id: id },
      body: { status: 'active' },
    })),
  },
  disableWebhookEndpoint: { success: endpoint() },
  testWebhookEndpoint: {
    success: endpoint(),
    'failure 502': async (world) => ({
      params: { webhook_endpoint_id: (await world.endpoint(world.receivers.rejecting)).id },
    }),
  },
  rotateWebhookSecret: { success: endpoint(), endpoint_disabled: endpoint(undefined, true) },
  listWebhookDeliveries: { success: endpoint() },
  redeliverEvent: {
    success: async (world) => {
      const { endpointId, eventId } = await world.told();
      return { params: { webhook_endpoint_id: endpointId, event_id: eventId } };
    },
    endpoint_disabled: async (world) => {
      const { endpointId, eventId } = await world.told();
      await world.client.webhookEndpoints.disable(endpointId);
      return { params: { webhook_endpoint_id: endpointId, event_id: eventId } };
    },
  },
  recoverWebhookEndpoint: { success: endpoint(window), endpoint_disabled: endpoint(window, true) },
  listEvents: { success: async () => ({ query: { type: 'claim.submitted' } }) },
  getEvent: { success: async (world) => ({ params: { event_id: (await world.told()).eventId } }) },
};
