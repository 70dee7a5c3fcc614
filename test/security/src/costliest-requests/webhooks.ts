/** The costliest requests of webhook endpoints, deliveries and events. */
import { eventTypes, type OperationId } from '@carecover/contract';
import {
  type Costliest,
  type CostlyProject,
  createEach,
  randomText,
  UNIQUE,
  WAITING_LEAD_MS,
} from './costly';

const URL_LENGTH = 2_000;
const WHOLE_PAGE = { limit: '100' };

const endpoint = (project: CostlyProject) =>
  project.shared('an endpoint', async () => {
    const { accepting } = project.world.receivers;
    const url = accepting + randomText(URL_LENGTH - accepting.length);
    return project.world.createEndpoint(url);
  });

const withEndpoint = async (project: CostlyProject) => ({
  webhook_endpoint_id: (await endpoint(project)).id,
});

const deliveredEvent = (project: CostlyProject) =>
  project.shared('a delivered event', () => project.world.createDeliveredEvent());

export const webhooksRequests = {
  listWebhookEndpoints: {
    create: async (project) => {
      await endpoint(project);
      return [{ query: WHOLE_PAGE }];
    },
  },
  createWebhookEndpoint: {
    create: async ({ world }) => [
      { body: { url: `${world.receivers.accepting}${randomText(1_900)}${UNIQUE}`, events: [...eventTypes] } },
    ],
  },
  getWebhookEndpoint: { create: async (project) => [{ params: await withEndpoint(project) }] },
  updateWebhookEndpoint: {
    create: async (project) => [{ params: await withEndpoint(project), body: { events: [...eventTypes] } }],
  },
  disableWebhookEndpoint: {
    create: (project) =>
      createEach(project, async () => ({
        params: { webhook_endpoint_id: (await project.world.createEndpoint()).id },
      })),
  },
  testWebhookEndpoint: {
    leadMs: WAITING_LEAD_MS,
    create: async (project) => {
      const { id } = await project.world.createEndpoint(project.silentReceiver);
      return [{ params: { webhook_endpoint_id: id } }];
    },
  },
  rotateWebhookSecret: { create: async (project) => [{ params: await withEndpoint(project) }] },
  listWebhookDeliveries: {
    create: async (project) => {
      const { endpointId } = await deliveredEvent(project);
      return [{ params: { webhook_endpoint_id: endpointId }, query: WHOLE_PAGE }];
    },
  },
  redeliverEvent: {
    create: async (project) => {
      const { endpointId, eventId } = await deliveredEvent(project);
      return [{ params: { webhook_endpoint_id: endpointId, event_id: eventId } }];
    },
  },
  recoverWebhookEndpoint: {
    create: async (project) => {
      const { endpointId } = await deliveredEvent(project);
      const { world } = project;
      return [
        {
          params: { webhook_endpoint_id: endpointId },
          body: { since: world.daysFromNow(-29), until: world.daysFromNow(0) },
        },
      ];
    },
  },
  listEvents: {
    create: async (project) => {
      await deliveredEvent(project);
      return [{ query: WHOLE_PAGE }];
    },
  },
  getEvent: {
    create: async (project) => [{ params: { event_id: (await deliveredEvent(project)).eventId } }],
  },
} satisfies Partial<Record<OperationId, Costliest>>;
