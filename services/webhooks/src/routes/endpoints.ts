/** The endpoints of a project: register, read, change, disable, rotate the secret. */
import {
  ApiError,
  type Caller,
  type Handlers,
  listPage,
  newId,
  type Sql,
  type Tx,
  writeOnce,
} from '@carecover/platform';
import type { AddressPolicy } from '../address/address-rules';
import { assertEndpointUrl } from '../address/endpoint-url';
import type { Keyring } from '../signing/keyring';
import { newSigningSecret } from '../signing/signature';
import {
  changeEndpoint,
  disableEndpoint,
  type EndpointRow,
  insertEndpoint,
  lockActiveEndpoints,
  lockEndpoint,
  openEndpoint,
  readEndpoint,
  toEndpoint,
} from '../store/endpoints';
import { replaceSecret } from '../store/signing-secrets';

export interface EndpointDeps {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly policy: AddressPolicy;
}

type EndpointOperations =
  | 'listWebhookEndpoints'
  | 'createWebhookEndpoint'
  | 'getWebhookEndpoint'
  | 'updateWebhookEndpoint'
  | 'disableWebhookEndpoint'
  | 'rotateWebhookSecret';

/** The one rejection of everything that would send to a disabled endpoint. */
export function assertActive(endpoint: EndpointRow): void {
  if (endpoint.status === 'disabled') {
    throw new ApiError('endpoint_disabled', 'The endpoint is disabled; PATCH its status to active first.');
  }
}

/** Rejects one more active endpoint than the project may have. @throws ApiError endpoint_limit_reached */
async function assertBelowLimit(tx: Tx, caller: Caller): Promise<void> {
  const active = await lockActiveEndpoints(tx, caller);
  if (active < caller.endpointLimit) return;
  throw new ApiError(
    'endpoint_limit_reached',
    `The project has ${active} active webhook endpoints and can have at most ${caller.endpointLimit}; disable one first.`,
  );
}

export function endpointHandlers({
  sql,
  keyring,
  policy,
}: EndpointDeps): Required<Pick<Handlers, EndpointOperations>> {
  return {
    async listWebhookEndpoints({ caller, query }) {
      const status = query.status === undefined ? sql`` : sql`and status = ${query.status}`;
      return { status: 200, body: await listPage(sql, caller, 'endpoints', query, status, toEndpoint) };
    },

    /** The secret is added to the first answer alone: what is remembered for replays, and stored, has none. */
    async createWebhookEndpoint(call) {
      const secret = newSigningSecret();
      const reply = await writeOnce(sql, call, call.replayStatus, async (tx) => {
        const { url, events } = call.body;
        assertEndpointUrl(url, policy);
        await assertBelowLimit(tx, call.caller);
        const id = newId('whe_');
        const endpoint = await insertEndpoint(tx, { id, tenant: call.caller.tenant, url, events });
        await replaceSecret(tx, id, keyring.seal(secret, id));
        return { status: 201, body: toEndpoint(endpoint), resourceId: id };
      });
      if (reply.replayed) return reply;
      return { status: reply.status, body: { ...JSON.parse(reply.text), signing_secret: secret } };
    },

    async getWebhookEndpoint({ caller, params }) {
      return { status: 200, body: toEndpoint(await readEndpoint(sql, caller, params.webhook_endpoint_id)) };
    },

    updateWebhookEndpoint: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const { caller, body } = call;
        const id = call.params.webhook_endpoint_id;
        const endpoint = await lockEndpoint(tx, caller, id);
        const { url = endpoint.url, events = endpoint.events, status = endpoint.status } = body;
        if (body.url !== undefined) assertEndpointUrl(body.url, policy);
        if (status === 'active' && endpoint.status === 'disabled') await assertBelowLimit(tx, caller);
        await changeEndpoint(tx, endpoint, { url, events });
        if (status === 'active') await openEndpoint(tx, id);
        else await disableEndpoint(tx, id, 'requested');
        return { status: 200, body: toEndpoint(await readEndpoint(tx, caller, id)), resourceId: id };
      }),

    disableWebhookEndpoint: (call) =>
      writeOnce(sql, call, call.replayStatus, async (tx) => {
        const id = call.params.webhook_endpoint_id;
        await lockEndpoint(tx, call.caller, id);
        await disableEndpoint(tx, id, 'requested');
        return { status: 200, body: toEndpoint(await readEndpoint(tx, call.caller, id)), resourceId: id };
      }),

    async rotateWebhookSecret({ caller, params }) {
      const secret = newSigningSecret();
      const endpoint = await sql.begin(async (tx) => {
        const locked = await lockEndpoint(tx, caller, params.webhook_endpoint_id);
        assertActive(locked);
        await replaceSecret(tx, locked.id, keyring.seal(secret, locked.id));
        return locked;
      });
      return { status: 200, body: { ...toEndpoint(endpoint), signing_secret: secret } };
    },
  };
}
