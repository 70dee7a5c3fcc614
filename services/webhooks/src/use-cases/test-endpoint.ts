/**
 * Tests an endpoint: stores a test event, sends it and records the attempts. With an idempotency key the test is a command: a second
 * request with the key waits for the first, and after a crash a repeated request or the sweep sends the same event again. A test that the
 * receiver did not accept responds 502, and its key can be used again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_EVENT_TYPE, WEBHOOK_TEST, type WebhookDelivery } from '@carecover/contract';
import {
  ApiError,
  activeTraceparent,
  type Call,
  type Caller,
  CommandGone,
  commitCommand,
  databaseNow,
  dropCommand,
  executeCommand,
  type HandlerResult,
  newId,
  notFound,
  readCommand,
  type SentCommand,
  type Sql,
  type Tenant,
  type Tx,
  unavailable,
} from '@carecover/platform';
import type { DestinationSlots } from '../delivery/destination-slots';
import type { Sender } from '../delivery/sender';
import { sendTestEvent, testEventPayload } from '../delivery/test-event';
import { deliveryResource } from '../resources';
import type { Keyring } from '../signing/keyring';
import { type EndpointRow, readEndpoint } from '../store/endpoints';
import { insertEvent } from '../store/events';
import { validSecretsOf } from '../store/signing-secrets';
import { recordTestAttempts, testCommandState } from '../store/test-deliveries';

export interface EndpointTestDeps {
  readonly sql: Sql;
  readonly keyring: Keyring;
  readonly sender: Sender;
  readonly slots: DestinationSlots;
}

/** The stored body of a test command, from which another process can execute it after a crash. */
interface TestBody {
  readonly webhook_endpoint_id: string;
}

/**
 * Milliseconds, more than any test of an endpoint takes. If a test command is older and has no response, the process that executed it has
 * stopped.
 */
const ABANDONED_AFTER_MS = WEBHOOK_TEST.totalMs + 2_000;
const POLL_MS = 50;

class TestNotAccepted extends Error {
  override readonly name = 'TestNotAccepted';

  constructor(readonly delivery: WebhookDelivery) {
    super('the receiver accepted no attempt of the test event');
  }
}

/**
 * Tests an endpoint and responds with the delivery: 200 if the receiver accepted it, otherwise 502.
 *
 * @throws ApiError resource_not_found, service_unavailable, idempotency_conflict
 */
export async function testEndpoint(
  deps: EndpointTestDeps,
  call: Call<'testWebhookEndpoint'>,
): Promise<HandlerResult> {
  const { sql } = deps;
  const { caller, params } = call;
  const eventId = newId('evt_');
  const endpointId = params.webhook_endpoint_id;
  if (call.idempotencyKey === null) {
    const endpoint = await readTestableEndpoint(sql, caller, endpointId);
    const { record } = await sendTest(deps, caller, endpoint, eventId);
    const delivery = await sql.begin(record);
    return { status: delivery.delivered ? 200 : 502, body: delivery };
  }
  const body: TestBody = { webhook_endpoint_id: endpointId };
  try {
    return await executeCommand(sql, call, {
      resourceId: eventId,
      body,
      replayStatus: call.replayStatus,
      precheck: async () => {
        await readTestableEndpoint(sql, caller, endpointId);
      },
      send: async (command) => {
        const isFirst = command.resourceId === eventId;
        if (!isFirst && (await waitForFirstRequest(sql, caller.tenant, command.id))) return;
        const endpoint = await readEndpoint(sql, caller, endpointId);
        const failed = await executeTestCommand(deps, caller, endpoint, command);
        if (failed !== null) throw new TestNotAccepted(failed);
      },
    });
  } catch (error) {
    if (error instanceof TestNotAccepted) return { status: 502, body: error.delivery };
    throw error;
  }
}

/**
 * Executes a test command again after the process that executed it has stopped. The sweep calls this function. If the endpoint of the
 * command can no longer be tested, the function deletes the command.
 */
export async function resendTest(
  deps: EndpointTestDeps,
  { id: commandId, caller }: Pick<SentCommand, 'id' | 'caller'>,
): Promise<void> {
  const command = await readCommand(deps.sql, caller.tenant, commandId);
  if (command === null || command.answered) return;
  const { webhook_endpoint_id } = command.body as TestBody;
  try {
    const endpoint = await readTestableEndpoint(deps.sql, command.caller, webhook_endpoint_id);
    await executeTestCommand(deps, command.caller, endpoint, command);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'service_unavailable') throw error;
    await dropCommand(deps.sql, caller.tenant, commandId);
  }
}

/** Reads an endpoint that can be tested: an active one in the sandbox. @throws ApiError resource_not_found */
async function readTestableEndpoint(sql: Sql, caller: Caller, id: string): Promise<EndpointRow> {
  const endpoint = await readEndpoint(sql, caller, id);
  if (endpoint.status === 'disabled' || caller.environment === 'production') throw notFound();
  return endpoint;
}

/**
 * Waits until the command of an earlier request with the same key has a response. Returns false if the process of that request has stopped.
 *
 * @throws CommandGone if the receiver did not accept the test, because the command is then deleted
 */
async function waitForFirstRequest(sql: Sql, tenant: Tenant, commandId: string): Promise<boolean> {
  for (;;) {
    const state = await testCommandState(sql, tenant, commandId, ABANDONED_AFTER_MS);
    if (state === undefined) throw new CommandGone(`command ${commandId} is gone`);
    if (state.answered || state.abandoned) return state.answered;
    await sleep(POLL_MS);
  }
}

/**
 * Executes a test command. If the receiver accepted the test event, stores the response of the command and returns null. Otherwise deletes
 * the command, so that its key can be used again, and returns the delivery.
 */
async function executeTestCommand(
  deps: EndpointTestDeps,
  caller: Caller,
  endpoint: EndpointRow,
  command: { readonly id: string; readonly resourceId: string },
): Promise<WebhookDelivery | null> {
  const { isAccepted, record } = await sendTest(deps, caller, endpoint, command.resourceId);
  if (isAccepted) {
    await commitCommand(deps.sql, caller.tenant, command.id, async (tx) => ({
      status: 200,
      body: await record(tx),
    }));
    return null;
  }
  return deps.sql.begin(async (tx) => {
    const delivery = await record(tx);
    await dropCommand(tx, caller.tenant, command.id);
    return delivery;
  });
}

interface TestResult {
  readonly isAccepted: boolean;
  /** Records the attempts of the test event, and returns its delivery. */
  readonly record: (tx: Tx) => Promise<WebhookDelivery>;
}

async function sendTest(
  { sql, keyring, sender, slots }: EndpointTestDeps,
  caller: Caller,
  endpoint: EndpointRow,
  eventId: string,
): Promise<TestResult> {
  const at = await databaseNow(sql);
  const payload = await insertEvent(sql, caller.tenant, {
    id: eventId,
    resourceId: endpoint.id,
    type: TEST_EVENT_TYPE,
    payload: testEventPayload(eventId, caller.environment, at),
    createdAt: at,
  });
  const encrypted = await validSecretsOf(sql, caller.tenant, endpoint.id);
  const secrets = keyring.decryptEach(encrypted, endpoint.id);
  const outgoingRequest = { url: endpoint.url, eventId, payload, secrets, traceparent: activeTraceparent() };
  const attempts = await sendTestEvent(sender, slots, caller.tenant, outgoingRequest);
  if (attempts === null) throw unavailable('The webhooks service');
  return {
    isAccepted: attempts.at(-1)?.outcome.accepted === true,
    record: async (tx) => deliveryResource(await recordTestAttempts(tx, endpoint, eventId, at, attempts)),
  };
}
