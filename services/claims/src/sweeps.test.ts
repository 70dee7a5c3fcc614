/** The sweeps complete what a crash or a restore left unfinished. Runs on a Temporal server in real time, and terminates workflow runs. */

import { newId } from '@carecover/domain';
import { CLAIM_STATUS } from '@carecover/setup/search-attributes';
import { eventually } from '@carecover/testing/servers';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
  provider = new Provider(claims);
}, 120_000);
afterAll(() => claims.stop());
afterEach(async () => {
  claims.others.outages.clear();
  await claims.database.setClockOffset(0);
});

const handle = (claimId: string) => claims.environment.client.workflow.getHandle(claimId);

async function lose(claimId: string): Promise<void> {
  await claims.signalsSent();
  await handle(claimId).terminate('as if Temporal had lost it');
}

async function isRunning(claimId: string): Promise<boolean> {
  return (await claims.runStatus(claimId)) === 'running';
}

/** Returns the status that the newest run of a claim shows in Temporal. */
async function shownStatus(claimId: string): Promise<string | undefined> {
  return (await handle(claimId).describe()).typedSearchAttributes.get(CLAIM_STATUS);
}

test('open claims whose runs or first signals are lost get a run, ended claims get none', async () => {
  const open = await Promise.all(Array.from({ length: 12 }, () => provider.submitted()));
  const ended = await provider.submitted();
  await provider.ask('cancelClaim', ended.id, { reason_code: 'aa' });
  await Promise.all(open.map(({ id }) => lose(id)));
  const send = jest.spyOn(claims.runs, 'signalOrStart').mockResolvedValue(false);
  const unsignalled = await provider.submitted();
  await claims.sql`delete from workflow_signals where resource_id = ${unsignalled.id}`;
  send.mockRestore();
  await claims.database.setClockOffset(20_000);
  await eventually('each of them runs', async () => {
    await claims.sweep();
    return (await Promise.all([...open, unsignalled].map(({ id }) => isRunning(id)))).every(Boolean);
  });
  expect(await isRunning(ended.id)).toBe(false);
});

test('a request past its deadline lapses although its timer is lost', async () => {
  const { id } = await provider.submitted();
  await provider.query(id, new Date(Date.now() + 10_000).toISOString());
  await lose(id);
  await claims.database.setClockOffset(30_000);
  await claims.sweep();
  await eventually('it is submitted', async () => (await provider.read(id)).status === 'submitted');
});

test('an interrupted command is executed once by its claim’s workflow, and its key gives the response', async () => {
  const { id } = await provider.submitted();
  const key = newId('key_');
  await claims.pendingCommand(provider.tenant, 'adjudicateClaim', id, adjudication(0, 0), key);
  await Promise.all([claims.sweep(), claims.sweep()]);
  await eventually('it is denied', async () => (await provider.read(id)).status === 'denied');
  const replay = await provider.ask('adjudicateClaim', id, adjudication(0, 0), key);
  expect(replay).toMatchObject({ status: 200, replayed: true, body: { adjudication: { version: 1 } } });
});

test('an interrupted command that a rule rejects is deleted, and does not delay another one', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 1, 0);
  await provider.remit(id, 1);
  const rejected = await claims.pendingCommand(provider.tenant, 'adjudicateClaim', id, adjudication(0, 0));
  const other = await provider.submitted();
  await claims.pendingCommand(provider.tenant, 'adjudicateClaim', other.id, adjudication(0, 0));
  await claims.sweep();
  await eventually('both have ended', async () => {
    const left = await claims.sql`select 1 from pending_commands`;
    return left.length === 0;
  });
  expect(await claims.sql`select 1 from commands where id = ${rejected}`).toHaveLength(0);
  expect((await provider.read(id)).status).toBe('partially_approved');
  expect((await provider.read(other.id)).status).toBe('denied');
});

test('an interrupted command that can not be finished does not hide others, and is tried by its own workflow alone', async () => {
  const [poisoned, other] = [await provider.submitted(), await provider.submitted()];
  claims.others.outages.set(`openLiability ${poisoned.id}`, Number.POSITIVE_INFINITY);
  const { tenant } = provider;
  const commandId = await claims.pendingCommand(tenant, 'adjudicateClaim', poisoned.id, adjudication(0, 0));
  await claims.sweep();
  await eventually('the workflow tries it', async () => {
    const [row] = await claims.sql`select pending_step from claims where id = ${poisoned.id}`;
    return row?.pending_step !== null;
  });
  await claims.pendingCommand(tenant, 'adjudicateClaim', other.id, adjudication(0, 0));
  await claims.sweep();
  await eventually(
    'the other one is executed',
    async () => (await provider.read(other.id)).status === 'denied',
  );
  expect((await provider.submitted()).status).toBe('submitted');
  const interruptions = async () => {
    const { events } = await handle(poisoned.id).fetchHistory();
    return events?.filter((event) => event.workflowExecutionSignaledEventAttributes != null).length;
  };
  await claims.signalsSent();
  const before = await interruptions();
  await claims.sweep();
  await claims.signalsSent();
  expect(await interruptions()).toBe(before);
  claims.others.outages.clear();
  await claims.sql`update pending_commands set attempted_at = null where id = ${commandId}`;
  await eventually('it is executed too', async () => (await provider.read(poisoned.id)).status === 'denied');
});

test('ended claims that benefits has not released are released, and one that can not be released does not hide the others', async () => {
  const ended = await Promise.all(Array.from({ length: 8 }, () => provider.submitted()));
  const [poisoned, ...others] = ended;
  for (const { id } of ended) claims.others.outages.set(`releaseFromClaim ${id}`, Number.POSITIVE_INFINITY);
  await Promise.all(ended.map(({ id }) => provider.ask('cancelClaim', id, { reason_code: 'aa' })));
  await claims.signalsSent();
  for (const { id } of others) claims.others.outages.delete(`releaseFromClaim ${id}`);
  await claims.database.setClockOffset(60_000);
  const sweep = claims.sweeps.find(({ name }) => name === 'ended claims that still use something');
  await expect(sweep?.run()).rejects.toMatchObject({ code: 'service_unavailable' });
  const unreleased = await claims.sql<{ id: string }[]>`
    select id from claims where project_id = ${provider.tenant} and status = 'cancelled' and released_at is null`;
  expect(unreleased.map(({ id }) => id)).toEqual([poisoned?.id]);
  expect(others.filter(({ id }) => claims.others.uses.has(id))).toEqual([]);
});

test('a run shows what changed while its signals could not be sent', async () => {
  const { id } = await provider.submitted();
  await claims.signalsSent();
  const spy = jest.spyOn(claims.runs, 'signalOrStart').mockResolvedValue(false);
  await provider.query(id);
  expect(await shownStatus(id)).not.toBe('queried');
  spy.mockRestore();
  await eventually('the run shows the status', async () => (await shownStatus(id)) === 'queried');
  expect(await isRunning(id)).toBe(true);
});
