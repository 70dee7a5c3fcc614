/** The claim workflow on a Temporal server that skips time: deadlines, crashes, long histories and terminated runs. */
import { join } from 'node:path';
import type { Claim } from '@carecover/contract';
import { eventually } from '@carecover/local/testing';
import { ApiError, newId, startOptionsOf } from '@carecover/platform';
import { recordHistory } from '@carecover/platform/replay';
import { CLAIM_STATUS, DUE_AT, PROJECT_ID } from '@carecover/platform/workflow';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { adjudication, Provider } from '../../../services/claims/src/testing/provider';
import { startTestClaims, type TestClaims } from '../../../services/claims/src/testing/test-claims';

const DAY = 24 * 3_600_000;
const HISTORIES = join(__dirname, '../histories');

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());

const handle = (claimId: string, runId?: string) =>
  claims.environment.client.workflow.getHandle(claimId, runId);

async function statusOf(claimId: string): Promise<string> {
  return (await handle(claimId).describe()).status.name;
}

async function databaseTime(): Promise<number> {
  const [row] = await claims.sql<{ now: Date }[]>`select platform.now() as now`;
  return row?.now.getTime() ?? Number.NaN;
}

async function inDays(days: number): Promise<string> {
  return new Date((await databaseTime()) + days * DAY).toISOString();
}

const becomes = (claimId: string, status: Claim['status']) =>
  eventually(`the claim is ${status}`, async () => (await provider.read(claimId)).status === status);

const runIs = (claimId: string, status: string) =>
  eventually(`its run is ${status}`, async () => (await statusOf(claimId)) === status);

const keepHistory = (claimId: string, name: string, runId?: string) =>
  recordHistory(HISTORIES, name, handle(claimId, runId));

async function terminate(claimId: string): Promise<void> {
  await handle(claimId).terminate('as if Temporal had lost it');
}

async function startAgain(claimId: string, historyLimit?: number): Promise<void> {
  const claim = { id: claimId, tenant: provider.tenant, environment: 'sandbox' } as const;
  const { args, ...options } = startOptionsOf(claimWorkflow, claim);
  const [input] = args;
  await claims.environment.client.workflow.start(claimWorkflow.type, {
    ...options,
    args: [historyLimit === undefined ? input : { ...input, historyLimit }],
  });
}

async function valuedEvents(claimId: string) {
  const { body } = await provider.value(claimId, await databaseTime());
  return body.events as {
    type: string;
    effective_at: string;
    recorded_at: string;
    reason_code: string | null;
  }[];
}

test('a request without a response lapses at its due_at, and the claim is submitted again', async () => {
  const { id } = await provider.submitted();
  const dueAt = await inDays(14);
  await provider.query(id, dueAt);
  await claims.pass(13 * DAY);
  expect(await provider.read(id)).toMatchObject({
    status: 'queried',
    information_requests: [{ status: 'open' }],
  });
  await claims.pass(DAY + 1_000);
  await becomes(id, 'submitted');
  const claim = await provider.read(id);
  expect(claim).toMatchObject({
    submission_version: 1,
    information_requests: [{ status: 'cancelled', due_at: dueAt, resolved_at: dueAt }],
  });
  expect((await valuedEvents(id)).at(-1)).toMatchObject({
    type: 'submitted',
    effective_at: dueAt,
    reason_code: 'information_request_lapsed',
  });
  const events = await claims.sql`select type from outbox where resource_id = ${id} order by seq`;
  expect(events.map((row) => row.type)).toEqual(['claim.submitted', 'claim.information_requested']);
  await keepHistory(id, 'lapsed');
});

test('the current details name the latest commands with their outcomes', async () => {
  const { id } = await provider.submitted();
  const details = async () => {
    type Metadata = { readonly currentDetails: string };
    return (await handle(id).query<Metadata>('__temporal_workflow_metadata')).currentDetails;
  };
  const { lines } = adjudication(100_000, 50_000);
  await provider.ask('adjudicateClaim', id, { ...adjudication(100_000, 50_000), lines: lines.slice(1) });
  await provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000));
  const [, commands = ''] = (await details()).split('Latest commands of this run:\n\n');
  expect(
    commands.split('\n').map((line) => line.replace(/^- \S+ /, '').replace(/request [^)]+/, 'request')),
  ).toEqual([
    '`submit` (request): executed',
    expect.stringMatching(/^`adjudicate` \(request\): rejected: .*line/),
    '`adjudicate` (request): executed',
  ]);
});

test('a request without a deadline waits for ever', async () => {
  const { id } = await provider.submitted();
  await provider.query(id);
  await claims.pass(91 * DAY);
  expect((await provider.read(id)).status).toBe('queried');
});

test('evidence in time leaves nothing to lapse, and a second request has its own deadline', async () => {
  const { id } = await provider.submitted();
  await provider.answer(await provider.query(id, await inDays(3)));
  await provider.query(id, await inDays(20));
  await claims.pass(10 * DAY);
  expect((await provider.read(id)).status).toBe('queried');
  await claims.pass(11 * DAY);
  await becomes(id, 'submitted');
});

test('a late timer lets nothing late through: evidence after due_at is 409, an adjudication finds the claim submitted', async () => {
  const { id } = await provider.submitted();
  const dueAt = await inDays(1);
  const queried = await provider.query(id, dueAt);
  await terminate(id);
  await claims.pass(2 * DAY);
  const late = await provider.ask('submitClaimEvidence', id, {
    information_request_id: queried.information_requests[0]?.id,
    evidence_refs: ['referral:8812'],
  });
  expect(late).toMatchObject({ status: 409, code: 'invalid_state' });
  const approved = await provider.adjudicate(id, 100_000, 50_000);
  expect(approved).toMatchObject({ status: 'approved', information_requests: [{ status: 'cancelled' }] });
  const events = await valuedEvents(id);
  expect(events.slice(-2).map((event) => event.type)).toEqual(['submitted', 'approved']);
  expect(events.at(-2)?.effective_at).toBe(dueAt);
});

test('operators find the claim by its status and deadline, and the run ends when nothing can happen any more', async () => {
  const { id } = await provider.submitted();
  const dueAt = await inDays(7);
  await provider.query(id, dueAt);
  const queried = await handle(id).describe();
  expect(queried.typedSearchAttributes.get(CLAIM_STATUS)).toBe('queried');
  expect(queried.typedSearchAttributes.get(DUE_AT)?.toISOString()).toBe(dueAt);
  expect(queried.typedSearchAttributes.get(PROJECT_ID)).toBe(provider.tenant);
  await provider.answer(await provider.read(id));
  expect((await handle(id).describe()).typedSearchAttributes.get(DUE_AT)).toBeUndefined();
  await provider.adjudicate(id, 100_000, 50_000);
  expect(await statusOf(id)).toBe('RUNNING');
  await provider.remit(id, 150_000);
  await provider.settle(id, 150_000);
  await runIs(id, 'COMPLETED');
  expect((await handle(id).describe()).typedSearchAttributes.get(CLAIM_STATUS)).toBe('settled');
  await keepHistory(id, 'settled');
});

test('a denied claim awaits nothing, so its run ends, and a later adjudication starts it from the facts', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 0, 0);
  await runIs(id, 'COMPLETED');
  await keepHistory(id, 'denied');
  expect((await provider.adjudicate(id, 100_000, 0)).status).toBe('partially_approved');
  expect(await statusOf(id)).toBe('RUNNING');
});

test('advice and part of the money change nothing that the run waits for, so it is not signalled', async () => {
  const signals = async (claimId: string) =>
    (await handle(claimId).fetchHistory()).events?.filter(
      (event) => event.workflowExecutionSignaledEventAttributes,
    ).length;
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  await provider.remit(id, 150_000);
  await provider.settle(id, 50_000);
  const last = await provider.settle(id, 100_000);
  await runIs(id, 'COMPLETED');
  expect(await signals(id)).toBe(1);
  await provider.settle(id, -100_000, { settlementId: last });
  await runIs(id, 'RUNNING');
});

test('money is recorded while Temporal is unavailable, and the run ends once it is back', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  await provider.remit(id, 150_000);
  const signal = jest.spyOn(claims.engine, 'signalRunning').mockResolvedValue(false);
  await provider.settle(id, 150_000);
  expect((await provider.read(id)).status).toBe('settled');
  await eventually('it was tried', async () => signal.mock.calls.length > 0);
  signal.mockRestore();
  await claims.sql`update workflow_reviews set leased_until = null`;
  await runIs(id, 'COMPLETED');
});

test('an ended claim comes back from its facts for a command, and for money that is taken back', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  await provider.remit(id, 150_000);
  const settlementId = await provider.settle(id, 150_000);
  await runIs(id, 'COMPLETED');
  await provider.settle(id, -150_000, { settlementId });
  await runIs(id, 'RUNNING');
  expect((await provider.read(id)).status).toBe('approved');
  await provider.settle(id, 150_000);
  await runIs(id, 'COMPLETED');
  expect(await provider.ask('cancelClaim', id, { reason_code: 'aa' })).toMatchObject({
    code: 'invalid_state',
  });
  const reversed = await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' });
  expect(reversed).toMatchObject({ status: 200, body: { status: 'reversed' } });
  await keepHistory(id, 'revived-and-reversed');
});

test('a rejected submission leaves no run behind', async () => {
  const input = provider.submission();
  claims.others.rejections.set(input.eligibility_check_id, new ApiError('not_eligible', 'As benefits says.'));
  await provider.submit(input);
  const claimId = claims.others.calls.findLast((call) => call.name === 'releaseFromClaim')?.claimId ?? '';
  await runIs(claimId, 'COMPLETED');
  await keepHistory(claimId, 'rejected');
});

test('a submission that benefits rejects after another attempt of it created the claim releases nothing', async () => {
  const input = provider.submission();
  const { eligibility_check_id, session_id, preauthorization_id = null } = input;
  const failures = 1_000_000;
  claims.others.outages.set('useForClaim', failures);
  const asked = provider.submit(input);
  await eventually(
    'it has called benefits',
    async () => claims.others.outages.get('useForClaim') !== failures,
  );
  const [command] = await claims.sql<{ id: string; resource_id: string }[]>`
    select id, resource_id from commands join pending_commands using (id) where body ->> 'session_id' = ${session_id}`;
  const { id: commandId = '', resource_id: claimId = '' } = command ?? {};
  const session = claims.others.sessions.get(session_id);
  if (session === undefined) throw new Error('the session is not in care');
  await claims.activities.commitSubmission({
    ...{ tenant: provider.tenant, claimId, commandId, session, preauthorizationId: preauthorization_id },
    ...{ currency: 'KES', payerId: 'payer_1', plan: 'Outpatient' },
  });
  claims.others.rejections.set(eligibility_check_id, new ApiError('not_eligible', 'As benefits says.'));
  claims.others.outages.delete('useForClaim');
  expect(await asked).toMatchObject({ status: 201, body: { id: claimId } });
  expect(claims.others.asked('releaseFromClaim', claimId)).toBe(0);
});

test('what a cancelled claim used is given back however long benefits is unavailable', async () => {
  const claim = await provider.submitted();
  // The release fails six times. The activity retries fewer times, so the workflow must wait with a timer and then call the activity again.
  claims.others.outages.set('releaseFromClaim', 6);
  const cancelled = await provider.ask('cancelClaim', claim.id, { reason_code: 'recorded_in_error' });
  expect(cancelled.status).toBe(200);
  expect(claims.others.uses.has(claim.id)).toBe(false);
  await keepHistory(claim.id, 'cancelled');
});

test('an hour without another service adds fewer than a thousand events, and ends half a minute after it is back', async () => {
  const { id } = await provider.submitted();
  claims.others.outages.set('openLiability', 1_000_000);
  const asked = provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000));
  const lengthOf = async () => (await handle(id).describe()).historyLength;
  await eventually('it waits for its next attempt', async () => (await lengthOf()) > 20);
  await claims.environment.sleep(3_600_000);
  const length = await lengthOf();
  expect(length).toBeGreaterThan(500);
  expect(length).toBeLessThan(1_000);
  claims.others.outages.set('openLiability', 0);
  await claims.environment.sleep(31_000);
  await becomes(id, 'approved');
  expect([200, 503]).toContain((await asked).status);
});

test('a long claim continues as new without losing a command', async () => {
  const { id } = await provider.submitted();
  await terminate(id);
  await startAgain(id, 40);
  for (let round = 0; round < 6; round++) {
    const queried = await provider.query(id, await inDays(30));
    const [answer, read] = await Promise.all([provider.answer(queried), provider.read(id)]);
    expect(answer.status).toBe('submitted');
    expect(['queried', 'submitted']).toContain(read.status);
  }
  expect((await provider.read(id)).submission_version).toBe(7);
  const { events } = await handle(id).fetchHistory();
  const began = events?.[0]?.workflowExecutionStartedEventAttributes;
  const before = began?.continuedExecutionRunId ?? '';
  expect(before).not.toBe('');
  await keepHistory(id, 'continued-as-new', before);
});

/** Executes the first step of a command, which includes payments, as a worker does that then crashes before the commit in claims. */
async function executeUntilCommit(
  claim: Claim,
  operation: 'adjudicateClaim' | 'reverseClaim',
  body: object,
  key: string,
) {
  const of = { tenant: provider.tenant, claimId: claim.id };
  const commandId = await claims.pendingCommand(provider.tenant, operation, claim.id, body, key);
  if (operation === 'adjudicateClaim') {
    await claims.activities.prepareAdjudication({ ...of, commandId }, newId('req_'));
  } else {
    await claims.activities.prepareReversal({ ...of, commandId }, newId('req_'));
  }
}

describe('an Update that is lost between a step elsewhere and the commit, in a run that continues', () => {
  test('is completed before a cancellation is decided, which finds the claim adjudicated', async () => {
    const claim = await provider.submitted();
    const key = newId('key_');
    await executeUntilCommit(claim, 'adjudicateClaim', adjudication(100_000, 50_000), key);
    const cancelled = await provider.ask('cancelClaim', claim.id, { reason_code: 'aa' });
    expect(cancelled).toMatchObject({ status: 409, code: 'invalid_state' });
    expect((await provider.read(claim.id)).status).toBe('approved');
    const replay = await provider.ask('adjudicateClaim', claim.id, adjudication(100_000, 50_000), key);
    expect(replay).toMatchObject({ status: 200, replayed: true, body: { status: 'approved' } });
    expect((await valuedEvents(claim.id)).filter((event) => event.type === 'approved')).toHaveLength(1);
    await keepHistory(claim.id, 'lost-adjudication');
  });

  test('is completed before another adjudication is prepared, and payments has the liability of the later one', async () => {
    const claim = await provider.submitted();
    await executeUntilCommit(claim, 'adjudicateClaim', adjudication(100_000, 50_000), newId('key_'));
    const { adjudication: last } = await provider.adjudicate(claim.id, 70_000, 0);
    expect(last).toMatchObject({ version: 2 });
    expect(claims.others.accounts.get(claim.id)).toMatchObject({ version: 2, payer: 70_000 });
    const approvals = (await valuedEvents(claim.id)).filter(({ type }) => type.endsWith('approved'));
    expect(approvals.map(({ type }) => type)).toEqual(['approved', 'partially_approved']);
  });

  test('is a reversal, which is completed before another adjudication, and what the claim used is given back', async () => {
    const { id } = await provider.submitted();
    const claim = await provider.adjudicate(id, 100_000, 0);
    await executeUntilCommit(claim, 'reverseClaim', { reason_code: 'recorded_in_error' }, newId('key_'));
    const adjudicated = await provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000));
    expect(adjudicated).toMatchObject({ status: 409, code: 'invalid_state' });
    expect((await provider.read(id)).status).toBe('reversed');
    expect(claims.others.uses.has(id)).toBe(false);
  });

  test('and that payments then rejects, leaves the claim free for the command that came later', async () => {
    const claim = await provider.submitted();
    await executeUntilCommit(claim, 'adjudicateClaim', adjudication(100_000, 50_000), newId('key_'));
    claims.others.rejections.set(claim.id, new ApiError('invalid_state', 'As payments says.'));
    const queried = await provider.query(claim.id);
    expect(queried.status).toBe('queried');
  });
});

describe('a run that is lost between a step elsewhere and the commit', () => {
  /** Puts a command into the state after a crash in which the workflow's run is lost as well. */
  async function abandon(...command: Parameters<typeof executeUntilCommit>) {
    await terminate(command[0].id);
    await executeUntilCommit(...command);
  }

  test('an adjudication is finished first, and a cancellation that came later finds the claim decided', async () => {
    const claim = await provider.submitted();
    const key = newId('key_');
    await abandon(claim, 'adjudicateClaim', adjudication(100_000, 50_000), key);
    expect((await provider.read(claim.id)).status).toBe('submitted');
    expect(await provider.ask('cancelClaim', claim.id, { reason_code: 'aa' })).toMatchObject({ status: 409 });
    expect((await provider.read(claim.id)).status).toBe('approved');
    const replay = await provider.ask('adjudicateClaim', claim.id, adjudication(100_000, 50_000), key);
    expect(replay).toMatchObject({ status: 200, replayed: true, body: { status: 'approved' } });
    expect((await valuedEvents(claim.id)).filter((event) => event.type === 'approved')).toHaveLength(1);
    await keepHistory(claim.id, 'unfinished-adjudication');
  });

  test('a reversal is finished first, and what the claim used is given back', async () => {
    const { id } = await provider.submitted();
    const claim = await provider.adjudicate(id, 100_000, 0);
    const key = newId('key_');
    await abandon(claim, 'reverseClaim', { reason_code: 'recorded_in_error' }, key);
    await startAgain(id);
    await becomes(id, 'reversed');
    await eventually('what it used is given back', async () => !claims.others.uses.has(id));
    const replay = await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' }, key);
    expect(replay).toMatchObject({ status: 200, body: { status: 'reversed' } });
  });

  test('where payments then rejects, the claim stands as it did and is free for other commands', async () => {
    const claim = await provider.submitted();
    await abandon(claim, 'adjudicateClaim', adjudication(100_000, 50_000), newId('key_'));
    claims.others.rejections.set(claim.id, new ApiError('invalid_state', 'As payments says.'));
    const cancelled = await provider.ask('cancelClaim', claim.id, { reason_code: 'aa' });
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  });
});

test('a caller who waits while the run is lost gets the answer from the next run, and one effect', async () => {
  const { id } = await provider.submitted();
  claims.others.outages.set('openLiability', 1_000);
  const asked = provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000));
  await eventually('its command is pending', async () => {
    const [row] = await claims.sql`select pending_step from claims where id = ${id}`;
    return row?.pending_step !== null;
  });
  await terminate(id);
  claims.others.outages.set('openLiability', 0);
  expect(await asked).toMatchObject({ status: 200, body: { status: 'approved' } });
  expect((await valuedEvents(id)).filter((event) => event.type === 'approved')).toHaveLength(1);
});

test('a rejection by payments is returned and deletes the command, and the key accepts a corrected body', async () => {
  const { id } = await provider.submitted();
  const key = newId('key_');
  claims.others.rejections.set(id, new ApiError('invalid_state', 'As payments says.'));
  expect(await provider.ask('adjudicateClaim', id, adjudication(1, 0), key)).toMatchObject({ status: 409 });
  claims.others.rejections.delete(id);
  const corrected = await provider.ask('adjudicateClaim', id, adjudication(0, 0), key);
  expect(corrected).toMatchObject({ status: 200, replayed: false, body: { status: 'denied' } });
});

test('twenty commands at once on one claim are executed one after the other, and each is answered', async () => {
  const { id } = await provider.submitted();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => provider.ask('adjudicateClaim', id, adjudication(index, 0))),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  const versions = answers.map((answer) => answer.body.adjudication.version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  await keepHistory(id, 'busy');
});
