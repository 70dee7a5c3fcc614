/** The sweeps complete what a crash or a restore left unfinished. Runs on a Temporal server in real time, and terminates workflow runs. */
import { eventually } from '@carecover/local/testing';
import { newId } from '@carecover/platform';
import { CLAIM_STATUS } from '@carecover/setup/search-attributes';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';
import { realTimeTemporal } from './testing/test-temporal';
import { commitCancellation } from './use-cases/cancel-claim';
import { commitInformationRequest } from './use-cases/request-information';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims(realTimeTemporal);
  provider = new Provider(claims);
}, 120_000);
afterAll(() => claims.stop());
afterEach(() => claims.database.setClockOffset(0));

const handle = (claimId: string) => claims.environment.client.workflow.getHandle(claimId);

async function lose(claimId: string): Promise<void> {
  await handle(claimId).terminate('as if Temporal had lost it');
}

async function isRunning(claimId: string): Promise<boolean> {
  return (await handle(claimId).describe()).status.name === 'RUNNING';
}

/** Returns the status that the newest run of a claim shows in Temporal. */
async function shownStatus(claimId: string): Promise<string | undefined> {
  return (await handle(claimId).describe()).typedSearchAttributes.get(CLAIM_STATUS);
}

async function sweep(): Promise<void> {
  for (const { run } of claims.sweeps) await run();
}

test('open claims whose runs are lost get a new one, ended claims get none', async () => {
  const open = await Promise.all(Array.from({ length: 12 }, () => provider.submitted()));
  const ended = await provider.submitted();
  await provider.ask('cancelClaim', ended.id, { reason_code: 'aa' });
  await Promise.all(open.map(({ id }) => lose(id)));
  await claims.database.setClockOffset(20_000);
  await eventually('each of them runs', async () => {
    await sweep();
    return (await Promise.all(open.map(({ id }) => isRunning(id)))).every(Boolean);
  });
  expect(await isRunning(ended.id)).toBe(false);
});

test('a request past its deadline lapses although its timer is lost', async () => {
  const { id } = await provider.submitted();
  await provider.query(id, new Date(Date.now() + 10_000).toISOString());
  await lose(id);
  await claims.database.setClockOffset(30_000);
  await sweep();
  await eventually('it is submitted', async () => (await provider.read(id)).status === 'submitted');
});

test('a command whose sender is gone is executed once, and its key gives the answer', async () => {
  const { id } = await provider.submitted();
  const body = { reason_code: 'recorded_in_error' };
  const key = newId('key_');
  await claims.pendingCommand(provider.tenant, 'cancelClaim', id, body, key);
  await claims.database.setClockOffset(60_000);
  await sweep();
  expect((await provider.read(id)).status).toBe('cancelled');
  const replay = await provider.ask('cancelClaim', id, body, key);
  expect(replay).toMatchObject({ status: 200, replayed: true, body: { status: 'cancelled' } });
});

test('a stale command that is rejected is forgotten, and the sweep goes on', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 1, 0);
  const rejected = await claims.pendingCommand(provider.tenant, 'cancelClaim', id, { reason_code: 'aa' });
  const other = await provider.submitted();
  await claims.pendingCommand(provider.tenant, 'cancelClaim', other.id, { reason_code: 'aa' });
  await claims.database.setClockOffset(60_000);
  await sweep();
  expect(await claims.sql`select 1 from commands where id = ${rejected}`).toHaveLength(0);
  expect((await provider.read(id)).status).toBe('partially_approved');
  expect((await provider.read(other.id)).status).toBe('cancelled');
});

test('an ended claim that benefits has not released is released', async () => {
  const { id } = await provider.submitted();
  await provider.ask('cancelClaim', id, { reason_code: 'aa' });
  await claims.sql`update claims set released_at = null where id = ${id}`;
  const asked = claims.others.asked('releaseFromClaim', id);
  await claims.database.setClockOffset(60_000);
  await sweep();
  await eventually('benefits is called', async () => claims.others.asked('releaseFromClaim', id) > asked);
  await eventually('that is written down', async () => {
    const [row] = await claims.sql`select released_at from claims where id = ${id}`;
    return row?.released_at !== null;
  });
});

test('an open run that does not know that its claim has ended is told once, releases what the claim used, and ends', async () => {
  const { id } = await provider.submitted();
  const { tenant } = provider;
  const commandId = await claims.pendingCommand(tenant, 'cancelClaim', id, { reason_code: 'aa' });
  await commitCancellation(claims.sql, { tenant, claimId: id, commandId });
  expect(await isRunning(id)).toBe(true);
  claims.others.outages.set(`releaseFromClaim ${id}`, 2);
  await claims.database.setClockOffset(60_000);
  await sweep();
  await sweep();
  const signals = async () => {
    const { events } = await handle(id).fetchHistory();
    return events?.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null).length;
  };
  expect(await signals()).toBe(1);
  await eventually('it is released', async () => {
    const [row] = await claims.sql`select released_at from claims where id = ${id}`;
    return row?.released_at !== null;
  });
  await eventually('the run ends', async () => !(await isRunning(id)));
});

describe('a run that lost an Update after its commit', () => {
  test('shows the new status', async () => {
    const { id } = await provider.submitted();
    const body = { reason_code: 'documents', requested_evidence_types: ['notes'], due_at: null };
    const commandId = await claims.pendingCommand(provider.tenant, 'requestClaimInformation', id, body);
    await commitInformationRequest(claims.sql, { tenant: provider.tenant, claimId: id, commandId });
    expect(await shownStatus(id)).toBe('submitted');
    await eventually('the run shows the status', async () => {
      await sweep();
      return (await shownStatus(id)) === 'queried';
    });
    expect(await isRunning(id)).toBe(true);
  });

  test('ends if no deadline would end it', async () => {
    const { id } = await provider.submitted();
    const step = { tenant: provider.tenant, claimId: id };
    const commandId = await claims.pendingCommand(provider.tenant, 'adjudicateClaim', id, adjudication(0, 0));
    const prepared = await claims.activities.prepareAdjudication({ ...step, commandId }, commandId);
    if (prepared === null) throw new Error('the adjudication is not prepared');
    await claims.activities.commitAdjudication({ ...step, commandId, ...prepared });
    expect((await provider.read(id)).status).toBe('denied');
    expect(await isRunning(id)).toBe(true);
    await eventually('the run ends', async () => {
      await sweep();
      return !(await isRunning(id));
    });
  });
});
