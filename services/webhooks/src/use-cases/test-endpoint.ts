/**
 * Tests an endpoint: stores a test event, sends it and records the attempts. With an idempotency key the test is a command: a second
 * request with the key waits for the first, and after a crash a repeated request or the sweep sends the same event again. A test that the
 * receiver did not accept responds 502, and its key can be used again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  commitCommand,
  dropCommand,
  executeCommand,
  type JsonResponse,
  StartAgain,
} from '@carecover/commands';
import { TEST_EVENT_TYPE, WEBHOOK_TEST, type WebhookDelivery } from '@carecover/contract';
import {
  type Caller,
  type Command,
  isRejection,
  isSimulated,
  newId,
  notFound,
  type Tenant,
  unavailable,
} from '@carecover/domain';
import type { Call, HandlerResponse } from '@carecover/http';
import { databaseNow, type Sql, type Tx } from '@carecover/postgres';
import { activeTraceparent } from '@carecover/telemetry';
import type { DeliveryCapacity } from '../delivery/capacity';
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
  readonly capacity: DeliveryCapacity;
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

/** Thrown if no capacity was free for a test. It is not repeated, because the client's request would wait longer than a test takes. */
class TestNotSent extends Error {
  override readonly name = 'TestNotSent';
}

class TestNotAccepted extends Error {
  override readonly name = 'TestNotAccepted';

  constructor(readonly delivery: WebhookDelivery) {
    super('the receiver accepted no attempt of the test event');
  }
}

/** @throws ApiError service_unavailable for TestNotSent; the error itself otherwise */
function toUnavailable(error: unknown): never {
  throw error instanceof TestNotSent ? unavailable('The webhooks service') : error;
}

/**
 * Tests an endpoint and responds with the delivery: 200 if the receiver accepted it, otherwise 502.
 *
 * @throws ApiError resource_not_found, service_unavailable, idempotency_conflict
 */
export async function testEndpoint(
  deps: EndpointTestDeps,
  call: Call<'testWebhookEndpoint'>,
): Promise<HandlerResponse> {
  const { sql } = deps;
  const { caller, params } = call;
  const eventId = newId('evt_');
  const endpointId = params.webhook_endpoint_id;
  if (call.idempotencyKey === null) {
    const endpoint = await readTestableEndpoint(sql, caller, endpointId);
    const { record } = await sendTest(deps, caller, endpoint, eventId).catch(toUnavailable);
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
      execute: async (command) => {
        const isFirst = command.resourceId === eventId;
        if (!isFirst && (await waitForFirstRequest(sql, caller.tenant, command.id))) return null;
        const endpoint = await readEndpoint(sql, caller, endpointId);
        return executeTestCommand(deps, endpoint, command);
      },
    });
  } catch (error) {
    if (error instanceof TestNotAccepted) return { status: 502, body: error.delivery };
    return toUnavailable(error);
  }
}

/**
 * Executes a test command again after the process that executed it has stopped. If the endpoint of the command can no longer be tested, or
 * if the receiver does not accept the test, the command is deleted. No rejection is kept, because no request waits for it.
 *
 * @returns the response; null if there is none
 * @throws ApiError resource_not_found if the endpoint can no longer be tested; TestNotSent
 */
export async function finishTest(deps: EndpointTestDeps, command: Command): Promise<JsonResponse | null> {
  const { id, caller, body } = command;
  try {
    const endpoint = await readTestableEndpoint(deps.sql, caller, (body as TestBody).webhook_endpoint_id);
    return await executeTestCommand(deps, endpoint, command);
  } catch (error) {
    if (error instanceof TestNotAccepted) return null;
    if (isRejection(error)) await dropCommand(deps.sql, caller.tenant, id, null);
    throw error;
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
 * @throws StartAgain if the receiver did not accept the test, because the command is then deleted
 */
async function waitForFirstRequest(sql: Sql, tenant: Tenant, commandId: string): Promise<boolean> {
  for (;;) {
    const state = await testCommandState(sql, tenant, commandId, ABANDONED_AFTER_MS);
    if (state === undefined) throw new StartAgain(`command ${commandId} is gone`);
    if (state.answered || state.abandoned) return state.answered;
    await sleep(POLL_MS);
  }
}

/**
 * Executes a test command. If the receiver accepted the test event, stores the response of the command and returns it. Otherwise deletes the
 * command, so that its key can be used again.
 *
 * @throws TestNotAccepted with the delivery; TestNotSent
 */
async function executeTestCommand(
  deps: EndpointTestDeps,
  endpoint: EndpointRow,
  { id, resourceId: eventId, caller }: Command,
): Promise<JsonResponse | null> {
  const { isAccepted, record } = await sendTest(deps, caller, endpoint, eventId);
  if (isAccepted) {
    return commitCommand(deps.sql, caller.tenant, id, async (tx) => ({
      status: 200,
      body: await record(tx),
    }));
  }
  const delivery = await deps.sql.begin(async (tx) => {
    const recorded = await record(tx);
    await dropCommand(tx, caller.tenant, id, null);
    return recorded;
  });
  throw new TestNotAccepted(delivery);
}

interface TestResult {
  readonly isAccepted: boolean;
  /** Records the attempts of the test event, and returns its delivery. */
  readonly record: (tx: Tx) => Promise<WebhookDelivery>;
}

async function sendTest(
  { sql, keyring, sender, capacity }: EndpointTestDeps,
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
  const simulatedAt = isSimulated(caller.tenant) ? at : null;
  const traceparent = activeTraceparent();
  const outgoingRequest = { url: endpoint.url, eventId, payload, secrets, traceparent, simulatedAt };
  const attempts = await sendTestEvent(sender, capacity, caller.tenant, outgoingRequest);
  if (attempts === null) throw new TestNotSent('too many tests are in progress');
  return {
    isAccepted: attempts.at(-1)?.outcome.accepted === true,
    record: async (tx) => deliveryResource(await recordTestAttempts(tx, endpoint, eventId, at, attempts)),
  };
}
