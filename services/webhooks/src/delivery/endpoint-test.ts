/**
 * Carries out the test of an endpoint: keeps its event, sends it, and writes down what became of that. Under an idempotency
 * key it is a command, which a retry or a sweep takes up where its sender died: the same event once more, never a second.
 */
import { TEST_EVENT_TYPE, type WebhookDelivery } from '@carecover/contract';
import {
  ApiError,
  activeTraceparent,
  type Caller,
  commitCommand,
  databaseNow,
  dropCommand,
  notFound,
  readCommand,
  type Sql,
  type Tx,
  unavailable,
} from '@carecover/platform';
import type { Keyring } from '../signing/keyring';
import { type EndpointRow, readEndpoint } from '../store/endpoints';
import { keepEvent } from '../store/events';
import { recordPing } from '../store/ping-deliveries';
import { liveSecrets } from '../store/signing-secrets';
import type { Destinations } from './destinations';
import { pingPayload, tryPing } from './ping';
import type { Sender } from './sender';

export interface EndpointTestDeps {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly sender: Sender;
  readonly destinations: Destinations;
}

interface Tested {
  readonly accepted: boolean;
  readonly record: (tx: Tx) => Promise<WebhookDelivery>;
}

/** What the command of a test needs to be carried out by somebody else. */
export interface TestBody {
  readonly webhook_endpoint_id: string;
}

/** The endpoint where it can be tested. @throws ApiError resource_not_found */
export async function testableEndpoint(sql: Sql, caller: Caller, id: string): Promise<EndpointRow> {
  const endpoint = await readEndpoint(sql, caller, id);
  if (endpoint.status === 'disabled' || caller.environment === 'production') throw notFound();
  return endpoint;
}

async function ping(
  { sql, keyring, sender, destinations }: EndpointTestDeps,
  caller: Caller,
  endpoint: EndpointRow,
  eventId: string,
): Promise<Tested> {
  const at = await databaseNow(sql);
  const payload = await keepEvent(sql, {
    id: eventId,
    tenant: caller.tenant,
    resourceId: endpoint.id,
    type: TEST_EVENT_TYPE,
    payload: pingPayload(eventId, caller.environment, at),
    createdAt: at,
  });
  const secrets = (await liveSecrets(sql, endpoint.id)).map((sealed) => keyring.open(sealed, endpoint.id));
  const traceparent = activeTraceparent();
  const outgoingRequest = { url: endpoint.url, eventId, payload, secrets, traceparent };
  const tries = await tryPing(sender, destinations, caller.tenant, outgoingRequest);
  if (tries === null) throw unavailable('The webhooks service');
  return {
    accepted: tries.at(-1)?.outcome.accepted === true,
    record: (tx) => recordPing(tx, endpoint, eventId, at, tries),
  };
}

/** A test that is not remembered. */
export async function testOnce(
  deps: EndpointTestDeps,
  caller: Caller,
  endpoint: EndpointRow,
  eventId: string,
): Promise<WebhookDelivery> {
  const { record } = await ping(deps, caller, endpoint, eventId);
  return deps.sql.begin(record);
}

/**
 * Carries out a test's command: gives null where it was accepted, which is its answer from then on, and the delivery where
 * it was not: then the command is forgotten, as any failure is.
 */
export async function executeTestCommand(
  deps: EndpointTestDeps,
  caller: Caller,
  endpoint: EndpointRow,
  command: { readonly id: string; readonly resourceId: string },
): Promise<WebhookDelivery | null> {
  const { accepted, record } = await ping(deps, caller, endpoint, command.resourceId);
  if (accepted) {
    await commitCommand(deps.sql, command.id, async (tx) => ({ status: 200, body: await record(tx) }));
    return null;
  }
  return deps.sql.begin(async (tx) => {
    const delivery = await record(tx);
    await dropCommand(tx, command.id);
    return delivery;
  });
}

/** For the sweep: carries out a test whose sender is gone; one whose endpoint can no longer be tested is forgotten. */
export async function resendTest(deps: EndpointTestDeps, commandId: string): Promise<void> {
  const command = await readCommand(deps.sql, commandId);
  if (command === null || command.answered) return;
  const { webhook_endpoint_id } = command.body as TestBody;
  try {
    const endpoint = await testableEndpoint(deps.sql, command.caller, webhook_endpoint_id);
    await executeTestCommand(deps, command.caller, endpoint, command);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'service_unavailable') throw error;
    await dropCommand(deps.sql, commandId);
  }
}
