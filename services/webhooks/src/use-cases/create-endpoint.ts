/** Registers an endpoint and returns its signing secret once. */

import { writeOnce } from '@carecover/commands';
import { newId } from '@carecover/domain';
import type { Call, HandlerResponse } from '@carecover/http';
import { requireEndpointUrl } from '../address/endpoint-url';
import { endpointResource } from '../resources';
import { requireBelowLimit } from '../rules/endpoint-status';
import { newSigningSecret } from '../signing/signature';
import { insertEndpoint, lockActiveEndpoints } from '../store/endpoints';
import { replaceSecret } from '../store/signing-secrets';
import type { EndpointDeps } from './update-endpoint';

/**
 * Creates an active endpoint. Only the first response contains the signing secret; the stored response, which a repeated request gets, does
 * not.
 *
 * @throws ApiError webhook_url_not_allowed, endpoint_limit_reached, idempotency_conflict
 */
export async function createEndpoint(
  { sql, keyring, policy }: EndpointDeps,
  call: Call<'createWebhookEndpoint'>,
): Promise<HandlerResponse> {
  const secret = newSigningSecret();
  const { caller } = call;
  const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
    const { url, events } = call.body;
    requireEndpointUrl(url, policy);
    requireBelowLimit(await lockActiveEndpoints(tx, caller.tenant), caller.endpointLimit);
    const id = newId('whe_');
    const endpoint = await insertEndpoint(tx, caller.tenant, { id, url, events });
    await replaceSecret(tx, caller.tenant, id, keyring.encrypt(secret, id));
    return { status: 201, body: endpointResource(endpoint), resourceId: id };
  });
  if (reply.replayed) return reply;
  return { status: reply.status, body: { ...JSON.parse(reply.text), signing_secret: secret } };
}
