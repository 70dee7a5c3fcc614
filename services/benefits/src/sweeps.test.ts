import { finishCommand } from '@carecover/commands';
import { newId, type OwnedResource, simulatedProjectId, storedTenant } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { Killed } from '@carecover/testing/services';
import { benefitsCleanups, benefitsSweeps, signalTarget } from './sweeps';
import { type Opened, open, useBenefits } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { apiErrorOf, newCaller } from './testing/test-benefits';
import { reviewPreauthorization } from './use-cases/review-preauthorization';

const suite = useBenefits();
let isTemporalUp = true;
/** The IDs of the pre-authorizations whose workflow runs. */
const running = new Set<string>();

beforeEach(async () => {
  isTemporalUp = true;
  running.clear();
  await suite.benefits.sql`delete from workflow_signals`;
  await suite.benefits.sql`delete from pending_commands`;
});
afterEach(() => suite.benefits.care.reset());

/** Runs every sweep once. */
async function sweep(): Promise<void> {
  const temporal = {
    findNotRunning: async (resources: readonly OwnedResource[]) =>
      isTemporalUp ? resources.filter(({ id }) => !running.has(id)) : null,
  };
  for (const { run } of benefitsSweeps(suite.benefits.deps, temporal, createLog('test', 'silent')))
    await run();
}

const idOf = ({ preauthorization }: Opened) => preauthorization.id;
const pathOf = (opened: Opened) => ({ preauthorization_id: idOf(opened) });

const statusOf = async (opened: Opened) =>
  (await suite.benefits.call('getPreauthorization', undefined, { params: pathOf(opened) })).body.status;

/** Returns what changed in the pre-authorization since its workflow's last signal; null if no signal is enqueued. */
async function enqueued(opened: Opened): Promise<string[] | null> {
  const [row] = await suite.benefits.sql<{ changes: { what: string }[] }[]>`
    select changes from workflow_signals where resource_id = ${idOf(opened)}`;
  return row === undefined ? null : row.changes.map(({ what }) => what);
}

/** Sends an approval whose process ends while care confirms the booking, and ends the command's lease. Returns the command's ID. */
async function interruptApproval(opened: Opened): Promise<string> {
  suite.benefits.care.beforeConfirming = () => Promise.reject(new Killed());
  const deciding = suite.benefits.call('decidePreauthorization', approval(await suite.benefits.now()), {
    params: pathOf(opened),
  });
  await expect(deciding).rejects.toBeInstanceOf(Killed);
  suite.benefits.care.reset();
  const [row] = await suite.benefits.sql<{ id: string }[]>`
    update pending_commands set leased_until = clock_timestamp() - interval '1 second' where workflow_id = ${idOf(opened)}
    returning id`;
  if (row === undefined) throw new Error('the approval is not pending');
  return row.id;
}

test('an open pre-authorization whose workflow does not run gets one as soon as Temporal is available', async () => {
  const [lost, kept] = [await open(suite.benefits), await open(suite.benefits)];
  running.add(idOf(kept));
  await suite.benefits.sql`delete from workflow_signals`;
  await suite.benefits.database.setClockOffset(11_000);
  isTemporalUp = false;
  await sweep();
  expect(await enqueued(lost)).toBeNull();
  isTemporalUp = true;
  await sweep();
  expect([await enqueued(lost), await enqueued(kept)]).toEqual([[], null]);
});

test('an overdue deadline takes effect, also while Temporal is unavailable', async () => {
  for (const isUp of [false, true]) {
    await suite.benefits.database.setClockOffset(0);
    const opened = await open(suite.benefits);
    await suite.benefits.database.setClockOffset(14 * DAY_MS + 11_000);
    isTemporalUp = isUp;
    await sweep();
    await sweep();
    expect(await statusOf(opened)).toBe('expired');
    expect((await suite.benefits.eventsOf(idOf(opened))).length).toBe(2);
    expect(await enqueued(opened)).toEqual(['requested', 'expired']);
  }
});

test('the sweep and the workflow leave the deadlines of a simulated project to the advances of its clock', async () => {
  const { benefits } = suite;
  const before = benefits.caller;
  benefits.caller = newCaller({ tenant: storedTenant(simulatedProjectId(newId('prj_'))) });
  try {
    const opened = await open(benefits);
    await benefits.database.setClockOffset(15 * DAY_MS);
    await sweep();
    const { tenant } = benefits.caller;
    const [row] = await benefits.sql`select status from preauthorizations where id = ${idOf(opened)}`;
    expect(row).toEqual({ status: 'pending' });
    await benefits.database.setClockOffset(0);
    const report = await reviewPreauthorization(benefits.sql, tenant, idOf(opened));
    expect(report).toMatchObject({
      status: 'pending',
      dueInMs: null,
      deadline: expect.stringContaining('T'),
    });
  } finally {
    benefits.caller = before;
  }
});

test('the deadline of the decision does not expire a pre-authorization with an interrupted approval', async () => {
  const opened = await open(suite.benefits);
  await interruptApproval(opened);
  await suite.benefits.database.setClockOffset(15 * DAY_MS);
  await sweep();
  expect(await statusOf(opened)).toBe('pending');
});

test('the workflow of a pre-authorization with an interrupted approval is signalled, and not again before it has tried', async () => {
  const [interrupted, other] = [await open(suite.benefits), await open(suite.benefits)];
  running.add(idOf(interrupted)).add(idOf(other));
  await suite.benefits.sql`delete from workflow_signals`;
  const commandId = await interruptApproval(interrupted);
  await sweep();
  expect([await enqueued(interrupted), await enqueued(other)]).toEqual([
    ['decidePreauthorization interrupted'],
    null,
  ]);
  await sweep();
  expect(await enqueued(interrupted)).toEqual(['decidePreauthorization interrupted']);
  const { sql, deps, caller } = suite.benefits;
  expect(await finishCommand(sql, deps.executors, caller.tenant, commandId)).toEqual({ outcome: 'executed' });
  expect(await statusOf(interrupted)).toBe('approved');
});

test('a workflow is started only for a pre-authorization that awaits its decision or its use', async () => {
  const [pending, approved, cancelled] = [
    await open(suite.benefits),
    await open(suite.benefits),
    await open(suite.benefits),
  ];
  await suite.benefits.call('decidePreauthorization', approval(await suite.benefits.now()), {
    params: pathOf(approved),
  });
  await suite.benefits.call(
    'cancelPreauthorization',
    { reason_code: 'not_wanted' },
    { params: pathOf(cancelled) },
  );
  const { tenant, environment } = suite.benefits.caller;
  const resources = [pending, approved, cancelled].map((each) => ({ id: idOf(each), tenant, environment }));
  const waiting = await signalTarget.findWaiting(suite.benefits.sql, resources);
  expect([...waiting].sort()).toEqual([idOf(pending), idOf(approved)].sort());
});

test('rejected commands are deleted after their retention', async () => {
  const { benefits } = suite;
  const opened = await open(benefits);
  const tooMuch = approval(await benefits.now(), { approved_amount: 350_001 });
  const key = newId('key_');
  await apiErrorOf(benefits.call('decidePreauthorization', tooMuch, { params: pathOf(opened), key }));
  const kept = async () =>
    (await benefits.sql`select 1 from rejected_commands where resource_id = ${idOf(opened)}`).length;
  const cleanUp = async () => {
    for (const { run } of benefitsCleanups(benefits.sql, { REJECTED_COMMANDS_DAYS: 30 })) await run();
  };
  await benefits.database.setClockOffset(29 * DAY_MS);
  await cleanUp();
  expect(await kept()).toBe(1);
  await benefits.database.setClockOffset(31 * DAY_MS);
  await cleanUp();
  expect(await kept()).toBe(0);
});
