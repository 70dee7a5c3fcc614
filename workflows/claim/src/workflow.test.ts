/**
 * The claim workflow on a Temporal server that skips time, with the claims service and its database: deadlines, interrupted commands, long
 * histories, terminated runs, and what operators see.
 */
import { join } from 'node:path';
import type { Claim, OperationId } from '@carecover/contract';
import { ApiError, newId, type ResourceChange } from '@carecover/domain';
import { projectAuthority } from '@carecover/http';
import { startOptionsOf } from '@carecover/temporal';
import { recordHistory } from '@carecover/temporal/replay';
import { CLAIM_STATUS, DUE_AT, PROJECT_ID } from '@carecover/temporal/workflow';
import { eventually } from '@carecover/testing/servers';
import { claimWorkflow } from '@carecover/workflow-claim/definition';
import { adjudication, Provider } from '../../../services/claims/src/testing/provider';
import { startTestClaims, type TestClaims } from '../../../services/claims/src/testing/test-claims';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HISTORIES = join(__dirname, '../histories');

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterEach(() => {
  jest.restoreAllMocks();
  claims.others.outages.clear();
});
afterAll(() => claims.stop());

const handle = (claimId: string, runId?: string) =>
  claims.environment.client.workflow.getHandle(claimId, runId);

const statusOf = (claimId: string) => claims.runStatus(claimId);

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

const attributesOf = async (claimId: string) => (await handle(claimId).describe()).typedSearchAttributes;

const shows = (claimId: string, status: Claim['status']) =>
  eventually(
    `its run shows ${status}`,
    async () =>
      (await statusOf(claimId)) !== null && (await attributesOf(claimId)).get(CLAIM_STATUS) === status,
  );

const detailsOf = async (claimId: string) =>
  (await handle(claimId).query<{ readonly currentDetails: string }>('__temporal_workflow_metadata'))
    .currentDetails;

async function eventsOf(claimId: string) {
  return (await handle(claimId).fetchHistory()).events ?? [];
}

/** Returns the changes that the newest run of a claim has received, in order, by signal. */
async function signalsOf(claimId: string): Promise<ResourceChange[][]> {
  return (await eventsOf(claimId)).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) => {
    const data = signal?.input?.payloads?.[0]?.data;
    return data == null ? [] : [JSON.parse(Buffer.from(data).toString())];
  });
}

const receives = (claimId: string, what: string) =>
  eventually(
    `its run has received ${what}`,
    async () => (await signalsOf(claimId)).flat().at(-1)?.what === what,
  );

const keepHistory = (claimId: string, name: string, runId?: string) =>
  recordHistory(HISTORIES, name, handle(claimId, runId));

/** Waits until the claim's run has received each change and has reviewed the claim after it. */
async function waits(claimId: string): Promise<void> {
  await claims.signalsSent();
  await runIs(claimId, 'running');
  await eventually('the run waits', async () => {
    const tasks = (await eventsOf(claimId)).filter(
      (event) => event.workflowTaskScheduledEventAttributes ?? event.workflowTaskCompletedEventAttributes,
    );
    return tasks.at(-1)?.workflowTaskCompletedEventAttributes != null;
  });
}

/** Terminates the claim's run when it waits: the server skips no time any more if a run is terminated during a workflow task. */
async function terminate(claimId: string): Promise<void> {
  await waits(claimId);
  await handle(claimId).terminate('as if Temporal had lost it');
}

/** Starts a run by hand. @param changes values of its input and options that differ from those of a new run */
async function startAgain(
  claimId: string,
  { historyLimit, dueAt }: { readonly historyLimit?: number; readonly dueAt?: Date } = {},
): Promise<void> {
  const claim = { id: claimId, tenant: provider.tenant, environment: 'sandbox' } as const;
  const { args, typedSearchAttributes, ...options } = startOptionsOf(claimWorkflow, claim);
  const [input] = args;
  await claims.environment.client.workflow.start(claimWorkflow.type, {
    ...options,
    args: [historyLimit === undefined ? input : { ...input, historyLimit }],
    typedSearchAttributes: [
      ...typedSearchAttributes,
      ...(dueAt === undefined ? [] : [{ key: DUE_AT, value: dueAt }]),
    ],
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

/** Runs the sweeps, and waits until the signals that they enqueue are sent. */
async function sweep(): Promise<void> {
  await claims.sweep();
  await claims.signalsSent();
}

/** Lets Temporal reject all signals as if it were unavailable, until `isBack` is called. */
function temporalAway(): { isBack: () => Promise<void> } {
  const spies = [
    jest.spyOn(claims.runs, 'signalRunning').mockResolvedValue(false),
    jest.spyOn(claims.runs, 'signalOrStart').mockResolvedValue(false),
  ];
  return {
    async isBack() {
      for (const spy of spies) spy.mockRestore();
      await claims.signalsSent();
    },
  };
}

describe('an information request', () => {
  test('without a response lapses at its due_at, and the claim is submitted again', async () => {
    const { id } = await provider.submitted();
    const dueAt = await inDays(14);
    await provider.query(id, dueAt);
    await shows(id, 'queried');
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
    await eventually(
      'the run received the lapse',
      async () => (await signalsOf(id)).flat().at(-1)?.actor === 'service:claims',
    );
    await keepHistory(id, 'lapsed');
  });

  test('without a deadline waits for ever', async () => {
    const { id } = await provider.submitted();
    await provider.query(id);
    await claims.pass(91 * DAY);
    expect((await provider.read(id)).status).toBe('queried');
  });

  test('with evidence in time leaves nothing to lapse, and a second one has its own deadline', async () => {
    const { id } = await provider.submitted();
    await provider.answer(await provider.query(id, await inDays(3)));
    await provider.query(id, await inDays(20));
    await claims.pass(10 * DAY);
    expect((await provider.read(id)).status).toBe('queried');
    await claims.pass(11 * DAY);
    await becomes(id, 'submitted');
  });

  test('lets nothing late through while its timer is lost: evidence is 409, an adjudication finds the claim submitted', async () => {
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

  test('lapses although a command on its claim can never be finished', async () => {
    const { id } = await provider.submitted();
    await provider.query(id, new Date((await databaseTime()) + 10 * MINUTE).toISOString());
    // This release has no steps for this command, so each attempt fails.
    const poisoned = await claims.pendingCommand(provider.tenant, 'createRemittance', id, {});
    await sweep();
    await eventually('the run tries it', async () => {
      const tried = await claims.sql`
        select 1 from pending_commands where id = ${poisoned} and attempted_at is not null`;
      const events = await eventsOf(id);
      return tried.length === 1 && events.some((event) => event.activityTaskScheduledEventAttributes != null);
    });
    await claims.pass(10 * MINUTE + 1_000);
    await becomes(id, 'submitted');
    expect((await provider.adjudicate(id, 0, 0)).status).toBe('denied');
    expect(await statusOf(id)).toBe('running');
    await claims.sql`delete from commands where id = ${poisoned}`;
    await claims.environment.sleep(31_000);
    await runIs(id, 'completed');
  });
});

describe('operators', () => {
  test('find the claim by its status and deadline, and the run ends when the claim awaits nothing', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    const dueAt = await inDays(7);
    await provider.query(id, dueAt);
    await shows(id, 'queried');
    const queried = await attributesOf(id);
    expect(queried.get(DUE_AT)?.toISOString()).toBe(dueAt);
    expect(queried.get(PROJECT_ID)).toBe(provider.tenant);
    await provider.answer(await provider.read(id));
    await shows(id, 'submitted');
    expect((await attributesOf(id)).get(DUE_AT)).toBeUndefined();
    await provider.adjudicate(id, 100_000, 50_000);
    await shows(id, 'approved');
    expect(await statusOf(id)).toBe('running');
    await provider.remit(id, 150_000);
    await provider.settle(id, 150_000);
    await runIs(id, 'completed');
    expect((await attributesOf(id)).get(CLAIM_STATUS)).toBe('settled');
    await keepHistory(id, 'settled');
  });

  test('see no deadline of an earlier run that ended before this one continued it', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    await terminate(id);
    await startAgain(id, { dueAt: new Date(await inDays(3)) });
    await shows(id, 'submitted');
    await eventually('no deadline is shown', async () => (await attributesOf(id)).get(DUE_AT) === undefined);
  });

  test('read in plain words what the claim awaits, until when, the requested evidence, and the latest changes', async () => {
    const { id, provider_claim_reference } = await provider.submitted();
    const dueAt = await inDays(7);
    await provider.query(id, dueAt);
    await shows(id, 'queried');
    const [state, amounts, awaited, heading, changes = ''] = (await detailsOf(id)).split('\n\n');
    expect(state).toMatch(/^\*\*queried\*\* since \S+Z, submission 1, reference /);
    expect(state).toContain(String(provider_claim_reference));
    expect(amounts).toBe('KES, minor units: billed 150000, approved -');
    expect(awaited).toBe(
      `Waits for the answer to the information request (referral_missing): referral_letter, until ${dueAt}`,
    );
    expect(heading).toBe('Latest changes of this run:');
    expect(changes.split('\n')).toEqual([
      expect.stringMatching(/^- \S+Z submitted \(project:\S+\/key:key_test, request req_\S+\)$/),
      expect.stringMatching(/^- \S+Z queried \(project:\S+\/key:key_test, request req_\S+\)$/),
    ]);
    const timer = (await eventsOf(id)).findLast((event) => event.timerStartedEventAttributes != null);
    expect(Buffer.from(timer?.userMetadata?.summary?.data ?? []).toString()).toContain(
      `the answer to the information request (referral_missing): referral_letter, until ${dueAt}`,
    );
    await provider.answer(await provider.read(id));
    await provider.adjudicate(id, 100_000, 0);
    await eventually('the decision is shown', async () =>
      (await detailsOf(id)).includes(
        'Adjudication 1: partially_approved under policy:outpatient 2026.1\n\nWaits for remittances and settlements',
      ),
    );
  });

  test('find each event of the lifecycle in the signals of the run, in order, with its actor and request', async () => {
    const { id } = await provider.submitted();
    const answered = await provider.answer(await provider.query(id, await inDays(1)));
    await provider.query(answered.id, await inDays(2));
    await shows(id, 'queried');
    await claims.pass(2 * DAY + 1_000);
    await becomes(id, 'submitted');
    await provider.adjudicate(id, 100_000, 50_000);
    await provider.adjudicate(id, 100_000, 0);
    // A review that is still to come would see the settlement, and the run would end before it receives it.
    await waits(id);
    await provider.remit(id, 100_000);
    await waits(id);
    await provider.settle(id, 100_000);
    await runIs(id, 'completed');
    const changes = (await signalsOf(id)).flat();
    expect(changes.map(({ what }) => what)).toEqual([
      ...['submitted', 'queried', 'evidence_added', 'resubmitted', 'queried', 'submitted'],
      ...['approved', 'partially_approved', 'settled'],
    ]);
    const times = changes.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    const [lapse, money] = [changes[5], changes[8]];
    expect(lapse).toMatchObject({ actor: 'service:claims', requestId: null });
    expect(money).toMatchObject({ actor: 'service:payments', requestId: null });
    const commands = changes.filter((change) => change !== lapse && change !== money);
    for (const { actor, requestId } of commands)
      expect([actor, requestId]).toEqual([
        projectAuthority(provider.tenant, 'key_test', null),
        expect.stringMatching(/^req_/),
      ]);
    // The two facts of one request have one request ID; each other request has its own.
    expect(new Set(commands.map(({ requestId }) => requestId)).size).toBe(commands.length - 1);
  });
});

describe('a run', () => {
  test('ends for a denied claim, which awaits nothing, and a later adjudication starts it from the facts', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    await provider.adjudicate(id, 0, 0);
    await runIs(id, 'completed');
    await keepHistory(id, 'denied');
    expect((await provider.adjudicate(id, 100_000, 0)).status).toBe('partially_approved');
    await runIs(id, 'running');
  });

  test('is not signalled for advice and a part of the money, which change nothing that it waits for', async () => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, 100_000, 50_000);
    await waits(id);
    const before = (await signalsOf(id)).length;
    await provider.remit(id, 150_000);
    await provider.settle(id, 50_000);
    const last = await provider.settle(id, 100_000);
    await runIs(id, 'completed');
    expect((await signalsOf(id)).length).toBe(before + 1);
    await provider.settle(id, -100_000, { settlementId: last });
    await runIs(id, 'running');
  });

  test('follows what happened while Temporal was unavailable with one signal', async () => {
    const { id } = await provider.submitted();
    await waits(id);
    const before = (await signalsOf(id)).length;
    const temporal = temporalAway();
    await provider.adjudicate(id, 100_000, 50_000);
    await provider.remit(id, 150_000);
    await provider.settle(id, 150_000);
    expect((await provider.read(id)).status).toBe('settled');
    await temporal.isBack();
    await runIs(id, 'completed');
    const signals = await signalsOf(id);
    expect(signals.slice(before).map((changes) => changes.map(({ what }) => what))).toEqual([
      ['approved', 'settled'],
    ]);
  });

  test('is not started for a claim whose life ends before its first signal, or whose submission is rejected', async () => {
    const temporal = temporalAway();
    const { id } = await provider.submitted();
    await provider.ask('cancelClaim', id, { reason_code: 'recorded_in_error' });
    const input = provider.submission();
    claims.others.rejections.set(
      input.eligibility_check_id,
      new ApiError('not_eligible', 'As benefits says.'),
    );
    expect((await provider.submit(input)).status).toBe(422);
    const rejectedId =
      claims.others.calls.findLast((call) => call.name === 'releaseFromClaim')?.claimId ?? '';
    await temporal.isBack();
    expect([await statusOf(id), await statusOf(rejectedId)]).toEqual([null, null]);
  });

  test('of an ended claim comes back from the facts for money that is taken back, and ends with the reversal', async () => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, 100_000, 50_000);
    await shows(id, 'approved');
    await provider.remit(id, 150_000);
    const settlementId = await provider.settle(id, 150_000);
    await runIs(id, 'completed');
    await provider.settle(id, -150_000, { settlementId });
    await runIs(id, 'running');
    expect((await provider.read(id)).status).toBe('approved');
    const reversed = await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' });
    expect(reversed).toMatchObject({ status: 200, body: { status: 'reversed' } });
    await runIs(id, 'completed');
    await keepHistory(id, 'revived-and-reversed');
  });

  test('that was terminated is started by the next change, and reads the facts', async () => {
    const { id } = await provider.submitted();
    await terminate(id);
    await provider.query(id, await inDays(2));
    await shows(id, 'queried');
    await claims.pass(2 * DAY + 1_000);
    await becomes(id, 'submitted');
  });

  test('lets benefits release what a cancelled claim used, if the request could not', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    claims.others.outages.set(`releaseFromClaim ${id}`, 1);
    expect((await provider.ask('cancelClaim', id, { reason_code: 'recorded_in_error' })).status).toBe(200);
    await runIs(id, 'completed');
    expect(claims.others.uses.has(id)).toBe(false);
    await keepHistory(id, 'cancelled');
  });

  test('of a cancelled claim ends although benefits is unavailable', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    claims.others.outages.set(`releaseFromClaim ${id}`, 1_000);
    expect((await provider.ask('cancelClaim', id, { reason_code: 'recorded_in_error' })).status).toBe(200);
    await runIs(id, 'completed');
    expect(claims.others.uses.has(id)).toBe(true);
  });

  test('that is long continues as new without losing a change', async () => {
    const { id } = await provider.submitted();
    await terminate(id);
    await startAgain(id, { historyLimit: 40 });
    await shows(id, 'submitted');
    const { runId } = await handle(id).describe();
    for (let round = 0; round < 8; round++) {
      const queried = await provider.query(id, await inDays(30));
      await shows(id, 'queried');
      expect((await provider.answer(queried)).status).toBe('submitted');
      await shows(id, 'submitted');
    }
    expect((await provider.read(id)).submission_version).toBe(9);
    expect((await handle(id).describe()).runId).not.toBe(runId);
    await keepHistory(id, 'continued-as-new', runId);
    await provider.query(id, await inDays(30));
    await claims.pass(31 * DAY);
    await becomes(id, 'submitted');
  });
});

describe('an interrupted command', () => {
  /** Executes a command until payments or benefits is called, whose response is lost, and ends its lease, as a crash does. */
  async function interrupt(
    operation: Extract<OperationId, 'createClaim' | 'adjudicateClaim' | 'reverseClaim'>,
    claimId: string,
    body: object,
    key: string,
  ): Promise<string> {
    const commandId = await claims.pendingCommand(provider.tenant, operation, claimId, body, key);
    const call = {
      createClaim: 'useForClaim',
      adjudicateClaim: 'openLiability',
      reverseClaim: 'reverseLiability',
    } as const;
    const outage = `${call[operation]} ${claimId}` as const;
    claims.others.outages.set(outage, 1);
    const attempt = claims.activities.finishCommand({ tenant: provider.tenant, commandId });
    await expect(attempt).rejects.toMatchObject({ code: 'service_unavailable' });
    await claims.sql`update pending_commands set attempted_at = null where id = ${commandId}`;
    return commandId;
  }

  test('that adjudicates is finished by the run, once, and its key gives the response', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    const key = newId('key_');
    await interrupt('adjudicateClaim', id, adjudication(100_000, 50_000), key);
    expect((await provider.read(id)).status).toBe('submitted');
    await sweep();
    await becomes(id, 'approved');
    const replay = await provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000), key);
    expect(replay).toMatchObject({ status: 200, replayed: true, body: { status: 'approved' } });
    expect((await valuedEvents(id)).filter((event) => event.type === 'approved')).toHaveLength(1);
    await shows(id, 'approved');
    await eventually('operators see its end', async () =>
      /interrupted adjudicateClaim executed/.test(await detailsOf(id)),
    );
    await receives(id, 'approved');
    expect((await signalsOf(id)).flat().map(({ what }) => what)).toEqual([
      ...['submitted', 'adjudicateClaim interrupted', 'approved'],
    ]);
    await keepHistory(id, 'interrupted-adjudication');
  });

  test('that reverses a settled claim is finished by a run that the sweep starts, and benefits releases', async () => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, 100_000, 50_000);
    await shows(id, 'approved');
    await provider.remit(id, 150_000);
    await provider.settle(id, 150_000);
    await runIs(id, 'completed');
    const key = newId('key_');
    await interrupt('reverseClaim', id, { reason_code: 'recorded_in_error' }, key);
    await sweep();
    await becomes(id, 'reversed');
    await runIs(id, 'completed');
    expect(claims.others.uses.has(id)).toBe(false);
    const replay = await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' }, key);
    expect(replay).toMatchObject({ status: 200, replayed: true, body: { status: 'reversed' } });
    await keepHistory(id, 'interrupted-reversal');
  });

  test('that submits is finished by a run of the claim that does not exist yet, which then waits for its decision', async () => {
    const [claimId, key, input] = [newId('clm_'), newId('key_'), provider.submission()];
    await interrupt('createClaim', claimId, input, key);
    expect(await statusOf(claimId)).toBeNull();
    await sweep();
    await shows(claimId, 'submitted');
    expect(await provider.submit(input, key)).toMatchObject({
      status: 201,
      replayed: true,
      body: { id: claimId, status: 'submitted' },
    });
    expect(await statusOf(claimId)).toBe('running');
    await keepHistory(claimId, 'interrupted-submission');
  });

  test('that benefits rejects leaves no claim and no run, and is listed for operators', async () => {
    const [claimId, input] = [newId('clm_'), provider.submission()];
    await interrupt('createClaim', claimId, input, newId('key_'));
    claims.others.rejections.set(
      input.eligibility_check_id,
      new ApiError('not_eligible', 'As benefits says.'),
    );
    await sweep();
    await runIs(claimId, 'completed');
    expect(await detailsOf(claimId)).toMatch(/interrupted createClaim rejected: not_eligible/);
    const { body } = await claims.operator(provider.tenant, '/rejected_commands');
    expect(body.data[0]).toMatchObject({ resource_id: claimId, code: 'not_eligible' });
    await keepHistory(claimId, 'rejected');
  });

  test('adds few events in an hour without another service, and ends half a minute after it is back', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    await interrupt('adjudicateClaim', id, adjudication(100_000, 50_000), newId('key_'));
    const outage = `openLiability ${id}` as const;
    claims.others.outages.set(outage, Number.POSITIVE_INFINITY);
    await sweep();
    const lengthOf = async () => (await handle(id).describe()).historyLength;
    await eventually('the run tries it', async () =>
      (await eventsOf(id)).some((event) => event.activityTaskScheduledEventAttributes != null),
    );
    for (let passed = 0; passed < 60; passed += 10) {
      await claims.environment.sleep(10 * MINUTE);
      await sweep();
    }
    expect(await lengthOf()).toBeLessThan(40);
    const { raw } = await handle(id).describe();
    expect(raw.pendingActivities?.[0]).toMatchObject({ activityType: { name: 'finishCommand' } });
    expect(raw.pendingActivities?.[0]?.attempt).toBeGreaterThan(50);
    expect(raw.pendingActivities?.[0]?.lastFailure?.message).toContain('unavailable');
    claims.others.outages.delete(outage);
    await claims.environment.sleep(31_000);
    await becomes(id, 'approved');
  });

  test('is finished first by the next command, and the run finds it finished', async () => {
    const { id } = await provider.submitted();
    await shows(id, 'submitted');
    const key = newId('key_');
    await interrupt('adjudicateClaim', id, adjudication(100_000, 50_000), key);
    const cancelled = await provider.ask('cancelClaim', id, { reason_code: 'aa' });
    expect(cancelled).toMatchObject({ status: 409, code: 'invalid_state' });
    await sweep();
    await shows(id, 'approved');
    expect((await valuedEvents(id)).filter((event) => event.type === 'approved')).toHaveLength(1);
  });
});

test('twenty commands at once on one claim are executed one after the other, and each is answered', async () => {
  const { id } = await provider.submitted();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => provider.ask('adjudicateClaim', id, adjudication(index, 0))),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
  const versions = answers.map((answer) => answer.body.adjudication.version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  await claims.signalsSent();
});
