/** Changes an endpoint: its URL, events and status. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import type { Call } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { AddressPolicy } from '../address/address-rules';
import { requireEndpointUrl } from '../address/endpoint-url';
import { endpointResource } from '../resources';
import { requireBelowLimit } from '../rules/endpoint-status';
import type { Keyring } from '../signing/keyring';
import {
  changeEndpoint,
  disableEndpoint as disableLockedEndpoint,
  enableEndpoint,
  lockActiveEndpoints,
  lockEndpoint,
  readEndpoint,
} from '../store/endpoints';

/** Dependencies of the functions that create, change and test endpoints. */
export interface EndpointDeps {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly policy: AddressPolicy;
}

/**
 * Changes those fields of an endpoint that the body contains. `status: active` enables a disabled endpoint.
 *
 * @throws ApiError resource_not_found, webhook_url_not_allowed, endpoint_limit_reached, idempotency_conflict
 */
export function updateEndpoint(
  { sql, policy }: EndpointDeps,
  call: Call<'updateWebhookEndpoint'>,
): Promise<JsonResponse> {
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const { caller, body } = call;
    const id = call.params.webhook_endpoint_id;
    const endpoint = await lockEndpoint(tx, caller, id);
    const { url = endpoint.url, events = endpoint.events, status = endpoint.status } = body;
    if (body.url !== undefined) requireEndpointUrl(body.url, policy);
    if (status === 'active' && endpoint.status === 'disabled') {
      requireBelowLimit(await lockActiveEndpoints(tx, caller.tenant), caller.endpointLimit);
    }
    await changeEndpoint(tx, endpoint, { url, events });
    if (status === 'active') await enableEndpoint(tx, caller.tenant, id);
    else await disableLockedEndpoint(tx, caller.tenant, id, 'requested');
    return { status: 200, body: endpointResource(await readEndpoint(tx, caller, id)), resourceId: id };
  });
}

/**
 * Disables an endpoint. Its pending deliveries end; they can be recovered when the endpoint is active again.
 *
 * @throws ApiError resource_not_found, idempotency_conflict
 */
export function disableEndpoint(
  { sql }: EndpointDeps,
  call: Call<'disableWebhookEndpoint'>,
): Promise<JsonResponse> {
  return writeOnce(sql, call, call.replayStatus, async (tx) => {
    const { caller } = call;
    const id = call.params.webhook_endpoint_id;
    await lockEndpoint(tx, caller, id);
    await disableLockedEndpoint(tx, caller.tenant, id, 'requested');
    return { status: 200, body: endpointResource(await readEndpoint(tx, caller, id)), resourceId: id };
  });
}
