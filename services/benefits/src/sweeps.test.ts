import {
  createLog,
  newId,
  type OwnedResource,
  type ShownStatus,
  type Sweep,
  unavailable,
} from '@carecover/platform';
import { preauthorizationSteps } from './activities';
import { benefitsSweeps } from './sweeps';
import { open } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { directTemporal } from './testing/direct-temporal';
import { apiErrorOf, TestBenefits } from './testing/test-benefits';

let benefits: TestBenefits;
const started: string[] = [];
/** The running workflows with the statuses that they show in Temporal. */
const shown: ShownStatus[] = [];
const signalled: string[] = [];
let isTemporalUp = true;
/** IDs of pre-authorizations whose workflow gives no response, because it waits for an unavailable service. */
const waiting = new Set<string>();

beforeAll(async () => {
  benefits = await TestBenefits.open();
});
afterAll(() => benefits.close());
beforeEach(async () => {
  isTemporalUp = true;
  await benefits.database.setClockOffset(0);
});

/** Creates the sweeps of a process whose workflows execute commands directly. */
function newSweeps(): Sweep[] {
  const direct = directTemporal(benefits.sql);
  const engine = {
    command: async (...[workflow, command]: Parameters<typeof direct.command>) => {
      if (waiting.has(command.resourceId)) throw unavailable('Temporal');
      await direct.command(workflow, command);
    },
    ensureAllRunning: async (_workflow: unknown, resources: readonly OwnedResource[]) => {
      if (isTemporalUp) started.push(...resources.map(({ id }) => id));
      return isTemporalUp ? 0 : null;
    },
    async *listRunning() {
      yield shown;
    },
    signalRunning: async (_workflow: unknown, id: string) => signalled.push(id) > 0,
  };
  return benefitsSweeps(benefits.sql, engine, createLog('test', 'silent'));
}

/** Runs every sweep once. */
async function sweep(sweeps = newSweeps()): Promise<void> {
  for (const { run } of sweeps) await run();
}

const statusOf = async (id: string) =>
  (await benefits.call('getPreauthorization', undefined, { params: { preauthorization_id: id } })).body
    .status;

test('an open pre-authorization without a workflow gets a new one as soon as Temporal is available', async () => {
  const { preauthorization } = await open(benefits);
  await benefits.database.setClockOffset(6_000);
  isTemporalUp = false;
  await sweep();
  expect(started).not.toContain(preauthorization.id);
  isTemporalUp = true;
  await sweep();
  expect(started).toContain(preauthorization.id);

  // The step is executed as if the workflow had run and Temporal had then lost the run.
  await preauthorizationSteps(benefits.sql).review({
    resourceId: preauthorization.id,
    tenant: benefits.caller.tenant,
    environment: 'sandbox',
  });
  started.length = 0;
  await sweep();
  expect(started).toContain(preauthorization.id);
});

test('an overdue deadline takes effect, also while Temporal is unavailable', async () => {
  const { preauthorization } = await open(benefits);
  await benefits.database.setClockOffset(14 * DAY_MS + 6_000);
  isTemporalUp = false;
  await sweep();
  expect(await statusOf(preauthorization.id)).toBe('expired');
  expect((await benefits.eventsOf(preauthorization.id)).length).toBe(2);

  await benefits.database.setClockOffset(0);
  const second = await open(benefits);
  await benefits.database.setClockOffset(14 * DAY_MS + 6_000);
  isTemporalUp = true;
  await sweep();
  await sweep();
  expect(await statusOf(second.preauthorization.id)).toBe('expired');
  expect((await benefits.eventsOf(second.preauthorization.id)).length).toBe(2);
});

test('a command without a sender is executed, and its retry gets the response', async () => {
  const { preauthorization } = await open(benefits);
  const params = { preauthorization_id: preauthorization.id };
  const key = newId('key_');
  const decision = approval(await benefits.now());
  const rejection = await apiErrorOf(benefits.call('decidePreauthorization', decision, { params, key }));
  expect(rejection.code).toBe('service_unavailable');
  await benefits.database.setClockOffset(60_000);
  await sweep();
  expect(await statusOf(preauthorization.id)).toBe('approved');
  const again = await benefits.call('decidePreauthorization', decision, { params, key });
  expect(again).toMatchObject({ replayed: true, body: { status: 'approved' } });
});

test('a command whose workflow waits does not block other commands', async () => {
  const [first, second] = [await open(benefits), await open(benefits)];
  const decision = approval(await benefits.now());
  for (const { preauthorization } of [first, second]) {
    const params = { preauthorization_id: preauthorization.id };
    await apiErrorOf(benefits.call('decidePreauthorization', decision, { params }));
  }
  waiting.add(first.preauthorization.id);
  await benefits.database.setClockOffset(60_000);
  await sweep();
  expect(await statusOf(second.preauthorization.id)).toBe('approved');
  waiting.clear();
  await sweep();
  expect(await statusOf(first.preauthorization.id)).toBe('approved');
});

test('a stale command that is rejected is deleted, and the sweep continues', async () => {
  const { preauthorization } = await open(benefits);
  const params = { preauthorization_id: preauthorization.id };
  const tooMuch = approval(await benefits.now(), { approved_amount: 350_001 });
  await apiErrorOf(benefits.call('decidePreauthorization', tooMuch, { params }));
  await benefits.database.setClockOffset(60_000);
  await sweep();
  expect(await benefits.sql`select 1 from pending_commands`).toHaveLength(0);
  expect(await statusOf(preauthorization.id)).toBe('pending');
});

test('a workflow that shows an outdated status is signalled', async () => {
  const [cancelled, pending] = [await open(benefits), await open(benefits)];
  shown.push(
    { id: cancelled.preauthorization.id, status: 'pending' },
    { id: pending.preauthorization.id, status: 'pending' },
  );
  const params = { preauthorization_id: cancelled.preauthorization.id };
  await apiErrorOf(benefits.call('cancelPreauthorization', { reason_code: 'not_wanted' }, { params }));
  await benefits.database.setClockOffset(60_000);
  const sweeps = newSweeps();
  for (let pass = 0; pass < 3; pass++) await sweep(sweeps);
  expect(await statusOf(cancelled.preauthorization.id)).toBe('cancelled');
  expect(signalled).toEqual([cancelled.preauthorization.id]);
});

test('a cancellation does not overtake an approval that was interrupted after it reserved the session', async () => {
  const { preauthorization } = await open(benefits);
  const params = { preauthorization_id: preauthorization.id };
  await apiErrorOf(benefits.call('decidePreauthorization', approval(await benefits.now()), { params }));
  const commandOf = async (operation: string) => {
    const [row] = await benefits.sql<{ id: string }[]>`
      select id from commands where resource_id = ${preauthorization.id} and operation = ${operation}`;
    if (row === undefined) throw new Error(`there is no ${operation}`);
    const { tenant } = benefits.caller;
    return { resourceId: preauthorization.id, tenant, environment: 'sandbox', commandId: row.id } as const;
  };
  const steps = preauthorizationSteps(benefits.sql);
  await steps.beginDecision(await commandOf('decidePreauthorization'));

  await apiErrorOf(benefits.call('cancelPreauthorization', { reason_code: 'not_wanted' }, { params }));
  const rejection = await apiErrorOf(steps.cancel(await commandOf('cancelPreauthorization')));
  expect(rejection.code).toBe('invalid_state');
  await benefits.database.setClockOffset(60_000);
  await sweep();
  expect(await statusOf(preauthorization.id)).toBe('approved');
});
