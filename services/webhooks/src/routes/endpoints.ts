/** HTTP routes of endpoints. */
import type { Handlers } from '@carecover/http';
import { endpointResource } from '../resources';
import { listEndpoints, readEndpoint } from '../store/endpoints';
import { createEndpoint } from '../use-cases/create-endpoint';
import { rotateSigningSecret } from '../use-cases/rotate-signing-secret';
import { type EndpointTestDeps, testEndpoint } from '../use-cases/test-endpoint';
import { disableEndpoint, type EndpointDeps, updateEndpoint } from '../use-cases/update-endpoint';

type EndpointOperations =
  | 'listWebhookEndpoints'
  | 'createWebhookEndpoint'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'disableWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'testWebhookEndpoint';

export function endpointHandlers(
  deps: EndpointDeps & EndpointTestDeps,
): Required<Pick<Handlers, EndpointOperations>> {
  const { sql } = deps;
  return {
    async listWebhookEndpoints({ caller, query }) {
      return { status: 200, body: await listEndpoints(sql, caller, query, endpointResource) };
    },

    createWebhookEndpoint: (call) => createEndpoint(deps, call),

    async getWebhookEndpoint({ caller, params }) {
      const endpoint = await readEndpoint(sql, caller, params.webhook_endpoint_id);
      return { status: 200, body: endpointResource(endpoint) };
    },

    updateWebhookEndpoint: (call) => updateEndpoint(deps, call),

    disableWebhookEndpoint: (call) => disableEndpoint(deps, call),

    async rotateWebhookSecret(call) {
      return { status: 200, body: await rotateSigningSecret(deps, call) };
    },

    testWebhookEndpoint: (call) => testEndpoint(deps, call),
  };
}
