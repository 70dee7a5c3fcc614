/** Tests of a step in another service: its input and result, which service can call it, and the outcome that the workflow receives. */
import type { Issuer } from '@carecover/config';
import { ApiError, storedTenant, unavailable } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { asActivities } from '@carecover/temporal';
import { SERVICE_SECRET, signerOf, TEST_ISSUER_KEYS } from '@carecover/testing/services';
import { ApplicationFailure } from '@temporalio/common';
import { serviceCaller } from './authority';
import { remoteSteps, type StepHandlers, stepRoutes } from './remote-steps';
import { ServiceClient } from './service-client';
import { createServiceApp, startHttpServer } from './service-server';

interface Steps {
  reserve(input: { tenant: string; id: string }, requestId: string): Promise<{ reserved: string }>;
  release(input: { tenant: string; id: string }, requestId: string): Promise<void>;
}

const NAMES = { reserve: true, release: true } as const;
const tenant = 'prj_one';

let fail: () => void = () => undefined;
const received: unknown[] = [];
const handlers: StepHandlers<Steps> = {
  async reserve(input) {
    received.push(input);
    fail();
    return { reserved: input.id };
  },
  async release() {
    return undefined;
  },
};

let server: Awaited<ReturnType<typeof startHttpServer>>;
let client: ServiceClient;
let claims: Steps;
beforeAll(async () => {
  const app = createServiceApp({
    service: 'care',
    contextKeys: TEST_ISSUER_KEYS,
    hashSecret: SERVICE_SECRET,
    log: createLog('care', 'silent'),
    ready: async () => undefined,
    handlers: {},
    internal: stepRoutes<Steps>('claims', handlers),
  });
  server = await startHttpServer(app, '127.0.0.1', 0);
  client = clientOf('claims');
  claims = stepsOf('claims');
});
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()));
  await server.close();
});
afterEach(() => {
  fail = () => undefined;
});

const clients: ServiceClient[] = [];

/** Makes the client with which a service calls care. */
function clientOf(service: Issuer): ServiceClient {
  const made = new ServiceClient('care', [`http://127.0.0.1:${server.port}`], signerOf(service));
  clients.push(made);
  return made;
}

const stepsOf = (service: Issuer) =>
  asActivities(remoteSteps<Steps>(clientOf(service), { service, environment: 'sandbox' }, NAMES));
/**
 * Returns `final` with the failure's code if the workflow receives the step's failure, `retried` if Temporal retries the step, and `none`
 * if the step succeeds.
 */
const failureOf = (step: Promise<unknown>) =>
  step.then(
    () => 'none',
    (error: unknown) =>
      error instanceof ApplicationFailure && error.nonRetryable ? `final ${error.details?.[0]}` : 'retried',
  );

test('the step receives the input and returns its result, or null without one', async () => {
  expect(await claims.reserve({ tenant, id: 'one' }, 'req_1')).toEqual({ reserved: 'one' });
  expect(received.at(-1)).toEqual({ tenant, id: 'one' });
  expect(await claims.release({ tenant, id: 'one' }, 'req_1')).toBeNull();
});

test.each([
  ['a rejection is final and has its code', new ApiError('invalid_state', 'No.'), 'final invalid_state'],
  ['so is a missing resource', new ApiError('resource_not_found', 'No.'), 'final resource_not_found'],
  ['a service that lacks a part is retried', unavailable('The database'), 'retried'],
  ['so is a fault', new Error('a fault'), 'retried'],
])('%s', async (_, thrown, outcome) => {
  fail = () => {
    throw thrown;
  };
  expect(await failureOf(claims.reserve({ tenant, id: 'one' }, 'req_1'))).toBe(outcome);
});

test('a call to an unavailable service is retried', async () => {
  const unreachable = new ServiceClient('care', ['http://127.0.0.1:1'], signerOf('claims'));
  const steps = asActivities(
    remoteSteps<Steps>(unreachable, { service: 'claims', environment: 'sandbox' }, NAMES),
  );
  expect(await failureOf(steps.reserve({ tenant, id: 'one' }, 'req_1'))).toBe('retried');
  await unreachable.close();
});

test('a call by another service is an internal error, never the rejection of a command', async () => {
  received.length = 0;
  expect(await failureOf(stepsOf('benefits').reserve({ tenant, id: 'one' }, 'req_1'))).toBe('retried');
  expect(received).toEqual([]);
});

test('the context of one tenant can not be used for another', async () => {
  const one = serviceCaller(storedTenant('prj_two'), 'sandbox', 'claims', 'req_1');
  await expect(client.post(one, '/steps/reserve', { tenant, id: 'one' })).rejects.toThrow('403');
});

test('a call whose context is rejected, because the keys or the clocks differ, is one to an unavailable service', async () => {
  const one = serviceCaller(tenant, 'sandbox', 'payments', 'req_1');
  await expect(clientOf('payments').post(one, '/steps/reserve', { tenant, id: 'one' })).rejects.toMatchObject(
    {
      code: 'service_unavailable',
      cause: { message: expect.stringContaining('signed context') },
    },
  );
});
