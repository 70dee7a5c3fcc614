/**
 * Does to the runs of resources what an operator can do in Temporal's UI and with its command line, at each status at which a resource has
 * a run. Afterwards every open resource must have a run again that makes progress, without a further act, and no command may be pending.
 */
import type { CallOptions, ClaimId, PreauthorizationId, RemittanceId } from '@carecover/client';
import { CHANGED } from '@carecover/temporal/workflow';
import { eventually } from '@carecover/testing/servers';
import { mapConcurrently, retryUntilResponse, useWorld } from '@carecover/testing/stack';
import { Client, Connection, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { Aftermath, useEventReceiver } from './aftermath';

const AT_ONCE = 6;
/** A sweep runs every ten seconds, ignores what changed in the ten seconds before, and starts at most 20 runs per second. */
const PATIENCE_MS = 90_000;
const REASON = { reason_code: 'entered_in_error' };

const running = useWorld();
const received = useEventReceiver(running);
let connection: Connection;
let temporal: Client;
beforeAll(async () => {
  connection = await Connection.connect({ address: running.stack.file.temporal_address });
  temporal = new Client({ connection });
});
afterAll(() => connection?.close());

const namespace = 'default';
const executionOf = ({ workflowId }: WorkflowHandle) => ({ workflowId });

/** Resets a run to its first workflow task, as the UI offers it. */
async function reset(handle: WorkflowHandle): Promise<void> {
  const { events } = await handle.fetchHistory();
  const first = events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed != null);
  if (first?.eventId == null) throw new Error(`${handle.workflowId} has executed no workflow task`);
  await connection.workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: executionOf(handle),
    reason: 'an operator resets the run',
    requestId: crypto.randomUUID(),
    workflowTaskFinishEventId: first.eventId,
  });
}

async function pause(handle: WorkflowHandle): Promise<void> {
  const paused = connection.workflowService.pauseWorkflowExecution({
    namespace,
    workflowId: handle.workflowId,
    reason: 'an operator pauses the run',
    identity: 'operator',
    requestId: crypto.randomUUID(),
  });
  await expect(paused).rejects.toThrow(/not enabled|UNIMPLEMENTED/i);
}

/** What operators can do to a run. */
const acts: Readonly<Record<string, (handle: WorkflowHandle) => Promise<unknown>>> = {
  cancel: (handle) => handle.cancel(),
  terminate: (handle) => handle.terminate('an operator ends the run'),
  reset,
  pause,
  delete: (handle) =>
    connection.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: executionOf(handle) }),
  'send an unknown signal': (handle) => handle.signal('continue', { now: true }),
  'send the signal of changes without an input': (handle) => handle.signal(CHANGED),
  'send the signal of changes with a wrong input': (handle) =>
    handle.signal(CHANGED, [null, 7, { what: { is: 'not text' } }], 'more'),
};

/** A resource that has a run, and the call that ends its run. */
interface Open {
  readonly id: string;
  readonly end: () => Promise<unknown>;
}

/** Creates a resource at each status at which it has a run. */
const statuses: Readonly<Record<string, () => Promise<Open>>> = {
  async 'a submitted claim'() {
    const { id } = await running.world.createSubmittedClaim();
    return { id, end: () => running.world.client.claims.cancel(id, REASON) };
  },
  async 'a queried claim'() {
    const { id } = await running.world.createQueriedClaim();
    return { id, end: () => running.world.client.claims.cancel(id, REASON) };
  },
  async 'an adjudicated claim'() {
    const { id } = await running.world.createAdjudicatedClaim();
    return { id, end: () => running.world.client.claims.reverse(id, REASON) };
  },
  async 'a remitted claim'() {
    const { id } = await running.world.createAdjudicatedClaim();
    const remittance = await remit(id);
    return { id, end: () => settle(remittance) };
  },
  async 'a pending pre-authorization'() {
    const { preauthorization } = await running.world.createPendingPreauthorization();
    return { id: preauthorization.id, end: () => cancelPreauthorization(preauthorization.id) };
  },
  async 'an approved pre-authorization'() {
    const { preauthorization } = await running.world.createApprovedPreauthorization();
    return { id: preauthorization.id, end: () => cancelPreauthorization(preauthorization.id) };
  },
  async 'a received remittance'() {
    const { id } = await running.world.createRemittance();
    return { id, end: () => settle(id) };
  },
  async 'a remittance in exception'() {
    const { world } = running;
    const { id } = await world.createRemittance();
    const tooMuch = await world.client.settlements.create(world.settlementInput(id, 300_001));
    return {
      id,
      async end() {
        await world.client.settlements.reverse(tooMuch.id, REASON);
        await settle(id);
      },
    };
  },
};

const cancelPreauthorization = (id: PreauthorizationId) =>
  running.world.client.preauthorizations.cancel(id, REASON);

async function remit(claimId: ClaimId): Promise<RemittanceId> {
  const { world } = running;
  const allocations = [{ claim_id: claimId, paid_amount: 300_000 }];
  return (await world.client.remittances.create(world.remittanceInput(allocations))).id;
}

const settle = (id: RemittanceId) =>
  running.world.client.settlements.create(running.world.settlementInput(id));

const handleOf = (id: string) => temporal.workflow.getHandle(id);

/** The status of a resource's newest run; `none` if Temporal has none. */
async function runStatus(id: string): Promise<string> {
  try {
    return (await handleOf(id).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'none';
    throw error;
  }
}

/** Waits until each of the resources satisfies the condition, and names those that don't. */
async function untilEach(what: string, ids: readonly string[], holds: (id: string) => Promise<boolean>) {
  let open = [...ids];
  try {
    await eventually(
      what,
      async () => {
        const checked = await mapConcurrently(open, AT_ONCE, async (id) => ({ id, isDone: await holds(id) }));
        open = checked.filter(({ isDone }) => !isDone).map(({ id }) => id);
        return open.length === 0;
      },
      PATIENCE_MS,
    );
  } catch (error) {
    throw new Error(`${what}, except ${open.map((id) => names.get(id) ?? id).join('; ')}`, { cause: error });
  }
}

const isRunning = async (id: string) => (await runStatus(id)) === 'RUNNING';

/** What was done to which resource, for the message of a failure. */
const names = new Map<string, string>();

test('after each act at each status, every resource has a run that makes progress, without a further act', async () => {
  const cases = Object.entries(acts).flatMap(([act, execute]) =>
    Object.entries(statuses).map(([status, create]) => ({ act, execute, status, create })),
  );
  const opened = await mapConcurrently(cases, AT_ONCE, async ({ act, execute, status, create }) => {
    const resource = await create();
    names.set(resource.id, `${act}: ${status}`);
    return { ...resource, execute };
  });
  const ids = opened.map(({ id }) => id);
  await untilEach('every resource has its run', ids, isRunning);

  await mapConcurrently(opened, AT_ONCE, ({ id, execute }) => execute(handleOf(id)));
  // The act can end a run after the call for it has returned, so the run that is read must show the facts.
  await untilEach('every resource has its run again', ids, async (id) => {
    if (!(await isRunning(id))) return false;
    const metadata = handleOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return metadata.then(
      ({ currentDetails }) => currentDetails !== '',
      () => false,
    );
  });
  await mapConcurrently(opened, AT_ONCE, ({ end }) => end());
  await untilEach('the run of every ended resource has ended', ids, async (id) => !(await isRunning(id)));
  const aftermath = new Aftermath(running, received);
  expect(await aftermath.countPendingCommands()).toBe(0);
}, 600_000);

test('after each act on the run that finishes an interrupted command, the command is finished once', async () => {
  const { world } = running;
  const claims = await mapConcurrently(Object.entries(acts), AT_ONCE, async ([act, execute]) => {
    const { id } = await world.createSubmittedClaim();
    names.set(id, `${act}: an interrupted adjudication`);
    const adjudicate = (options: CallOptions) =>
      world.client.claims.adjudicate(id, world.adjudicationInput(), options);
    return { id, execute, adjudicate, idempotencyKey: crypto.randomUUID() };
  });
  const ids = claims.map(({ id }) => id);
  const payments = running.stack.part('payments');
  await payments.stop();
  const outcomes = await Promise.allSettled(
    claims.map(({ adjudicate, idempotencyKey }) => adjudicate({ idempotencyKey, maxRetries: 0 })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(claims.map(() => 'rejected'));
  await untilEach('every run finishes its command', ids, async (id) => {
    const { raw } = await handleOf(id).describe();
    return (raw.pendingActivities ?? []).length > 0;
  });
  await mapConcurrently(claims, AT_ONCE, ({ id, execute }) => execute(handleOf(id)));
  await payments.start();

  const aftermath = new Aftermath(running, received);
  await eventually(
    'no command is pending',
    async () => (await aftermath.countPendingCommands()) === 0,
    PATIENCE_MS,
  );
  for (const { id, adjudicate, idempotencyKey } of claims) {
    const repeated = await retryUntilResponse(adjudicate, { idempotencyKey });
    expect(repeated).toMatchObject({ id, status: 'partially_approved' });
    const { events } = await world.client.claims.valuation(id, { valuation_at: repeated.updated_at });
    expect(events.filter(({ type }) => type === 'partially_approved')).toHaveLength(1);
  }
  await untilEach('every claim has its run', ids, isRunning);
}, 600_000);
