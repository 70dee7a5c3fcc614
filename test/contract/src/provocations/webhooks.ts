/** Provocations of webhook endpoints, deliveries and events. */
import type { World } from '@carecover/testing/stack';
import type { Attempt, Provocation, Provocations } from './provocation';

/**
 * Creates a provocation that prepares a new endpoint, disabled if `disabled` is true, and whose request is about this endpoint and has the
 * given body.
 */
function withEndpoint(body?: (world: World) => unknown, disabled = false): Provocation {
  return async (world) => {
    const { id } = await world.createEndpoint();
    if (disabled) await world.client.webhookEndpoints.disable(id);
    return { params: { webhook_endpoint_id: id }, ...(body === undefined ? {} : { body: body(world) }) };
  };
}

/**
 * Creates a provocation in a project that has the maximum number of active endpoints. `request` gets the ID of a disabled endpoint of this
 * project.
 */
function atEndpointLimit(request: (id: string) => Omit<Attempt, 'cleanUp'>): Provocation {
  return async (world) => {
    const { id } = await world.createEndpoint();
    await world.client.webhookEndpoints.disable(id);
    await world.createEndpoint();
    await world.limitEndpoints(1);
    return { ...request(id), cleanUp: () => world.limitEndpoints() };
  };
}

const forbidden = 'https://169.254.169.254/latest/meta-data';
const window = (world: World) => ({ since: world.daysFromNow(-2), until: world.daysFromNow(-1) });

export const webhooksProvocations: Provocations = {
  listWebhookEndpoints: { success: async () => ({ query: { status: 'active' } }) },
  createWebhookEndpoint: {
    success: async (world) => ({
      body: { url: `${world.receivers.accepting}?${world.uniqueReference('n')}`, events: ['claim.settled'] },
    }),
    webhook_url_not_allowed: async () => ({ body: { url: forbidden, events: ['claim.settled'] } }),
    endpoint_limit_reached: atEndpointLimit(() => ({
      body: { url: 'https://example.com/hooks', events: ['claim.settled'] },
    })),
  },
  getWebhookEndpoint: { success: withEndpoint() },
  updateWebhookEndpoint: {
    success: withEndpoint(() => ({ events: ['claim.denied'] })),
    webhook_url_not_allowed: withEndpoint(() => ({ url: forbidden })),
    endpoint_limit_reached: atEndpointLimit((id) => ({
      params: { webhook_endpoint_id: id },
      body: { status: 'active' },
    })),
  },
  disableWebhookEndpoint: { success: withEndpoint() },
  testWebhookEndpoint: {
    success: withEndpoint(),
    'failure 502': async (world) => ({
      params: { webhook_endpoint_id: (await world.createEndpoint(world.receivers.rejecting)).id },
    }),
  },
  rotateWebhookSecret: { success: withEndpoint(), endpoint_disabled: withEndpoint(undefined, true) },
  listWebhookDeliveries: { success: withEndpoint() },
  redeliverEvent: {
    success: async (world) => {
      const { endpointId, eventId } = await world.createDeliveredEvent();
      return { params: { webhook_endpoint_id: endpointId, event_id: eventId } };
    },
    endpoint_disabled: async (world) => {
      const { endpointId, eventId } = await world.createDeliveredEvent();
      await world.client.webhookEndpoints.disable(endpointId);
      return { params: { webhook_endpoint_id: endpointId, event_id: eventId } };
    },
  },
  recoverWebhookEndpoint: { success: withEndpoint(window), endpoint_disabled: withEndpoint(window, true) },
  listEvents: { success: async () => ({ query: { type: 'claim.submitted' } }) },
  getEvent: {
    success: async (world) => ({ params: { event_id: (await world.createDeliveredEvent()).eventId } }),
  },
};
