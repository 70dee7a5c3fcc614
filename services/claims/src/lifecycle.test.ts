/** Every command in every status of a claim: its response, and that a rejected command changes nothing. */

import { commitCommand, finishCommand } from '@carecover/commands';
import type { Claim } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { eventually } from '@carecover/testing/servers';
import { doneOrWaiting, newTenant } from '@carecover/testing/services';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

let claims: TestClaims;
let provider: Provider;
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());

const approved = async (): Promise<Claim> =>
  provider.adjudicate((await provider.submitted()).id, 100_000, 50_000);

/** Functions that create a claim, by the state that the claim then has. */
const BRING = {
  submitted: () => provider.submitted(),
  queried: async () => provider.query((await provider.submitted()).id),
  resubmitted: async () => provider.answer(await provider.query((await provider.submitted()).id)),
  approved,
  partially_approved: async () => provider.adjudicate((await provider.submitted()).id, 100_000, 0),
  denied: async () => provider.adjudicate((await provider.submitted()).id, 0, 0),
  remitted: async () => {
    const { id } = await approved();
    await provider.remit(id, 70_000);
    return provider.read(id);
  },
  settled: async () => {
    const { id } = await approved();
    await provider.remit(id, 150_000);
    await provider.settle(id, 150_000);
    return provider.read(id);
  },
  reversed: async () => {
    const { id } = await approved();
    return (await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' })).body;
  },
  cancelled: async () => {
    const { id } = await provider.submitted();
    return (await provider.ask('cancelClaim', id, { reason_code: 'recorded_in_error' })).body;
  },
} satisfies Record<string, () => Promise<Claim>>;

type State = keyof typeof BRING;

const COMMANDS = {
  query: (claim: Claim) =>
    provider.ask('requestClaimInformation', claim.id, {
      reason_code: 'referral_missing',
      requested_evidence_types: ['referral_letter'],
    }),
  answer: (claim: Claim) =>
    provider.ask('submitClaimEvidence', claim.id, {
      information_request_id: claim.information_requests.at(-1)?.id ?? newId('cir_'),
      evidence_refs: ['referral:8812'],
    }),
  adjudicate: (claim: Claim) => provider.ask('adjudicateClaim', claim.id, adjudication(1, 0)),
  cancel: (claim: Claim) => provider.ask('cancelClaim', claim.id, { reason_code: 'recorded_in_error' }),
  reverse: (claim: Claim) => provider.ask('reverseClaim', claim.id, { reason_code: 'recorded_in_error' }),
} as const;

type Command = keyof typeof COMMANDS;

/** By state and command: the claim's status after the command, or the code of the API error. */
const ANSWERS: Readonly<Record<State, Readonly<Record<Command, string>>>> = {
  submitted: {
    query: 'queried',
    answer: 'resource_not_found',
    adjudicate: 'partially_approved',
    cancel: 'cancelled',
    reverse: 'invalid_state',
  },
  queried: {
    query: 'invalid_state',
    answer: 'submitted',
    adjudicate: 'invalid_state',
    cancel: 'cancelled',
    reverse: 'invalid_state',
  },
  resubmitted: {
    query: 'queried',
    answer: 'invalid_state',
    adjudicate: 'partially_approved',
    cancel: 'cancelled',
    reverse: 'invalid_state',
  },
  approved: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'partially_approved',
    cancel: 'invalid_state',
    reverse: 'reversed',
  },
  partially_approved: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'partially_approved',
    cancel: 'invalid_state',
    reverse: 'reversed',
  },
  denied: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'partially_approved',
    cancel: 'invalid_state',
    reverse: 'invalid_state',
  },
  remitted: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'invalid_state',
    cancel: 'invalid_state',
    reverse: 'reversed',
  },
  settled: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'invalid_state',
    cancel: 'invalid_state',
    reverse: 'reversed',
  },
  reversed: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'invalid_state',
    cancel: 'invalid_state',
    reverse: 'invalid_state',
  },
  cancelled: {
    query: 'invalid_state',
    answer: 'resource_not_found',
    adjudicate: 'invalid_state',
    cancel: 'invalid_state',
    reverse: 'invalid_state',
  },
};

describe.each(Object.keys(ANSWERS) as State[])('a claim that is %s', (state) => {
  test.each(Object.keys(COMMANDS) as Command[])('answers %s as the table says', async (command) => {
    const before = await BRING[state]();
    const expected = ANSWERS[state][command];
    const answer = await COMMANDS[command](before);
    expect(answer.code ?? answer.body.status).toBe(expected);
    const after = await provider.read(before.id);
    if (answer.code !== undefined) expect(after).toEqual(before);
    else expect(after).toEqual(answer.body);
  });
});

test('an adjudication counts versions, and each is kept', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  await provider.adjudicate(id, 0, 0);
  const third = await provider.adjudicate(id, 7, 0);
  expect(third).toMatchObject({
    status: 'partially_approved',
    amount: { approved: 7 },
    adjudication: {
      version: 3,
      decision: 'partially_approved',
      amount: { billed: 150_000, payer: 7, patient_responsibility: 0, adjustment: 149_993 },
      policy: { reference: 'policy:outpatient', version: '2026.1' },
      reason_codes: ['fee_schedule', 'second_reason'],
    },
  });
  const kept = await claims.sql<{ document: { decision: string } }[]>`
    select document from adjudications where claim_id = ${id} order by version`;
  expect(kept.map((row) => row.document.decision)).toEqual(['approved', 'denied', 'partially_approved']);
});

test('an adjudication with expected versions replaces no decision and overlooks no evidence that came meanwhile, also when two are made at once', async () => {
  const { id } = await provider.submitted();
  const decide = (payer: number, expected: object, key?: string) =>
    provider.ask('adjudicateClaim', id, { ...adjudication(payer, 0), ...expected }, key);
  const read = { expected_submission_version: 1, expected_adjudication_version: 0 };
  await provider.answer(await provider.query(id));
  const overlooked = await decide(1, read);
  expect([overlooked.status, overlooked.code, overlooked.body.error.message]).toEqual([
    409,
    'invalid_state',
    'The claim has changed: submission_version is 2, but expected_submission_version is 1. Read the claim and decide again.',
  ]);
  expect(await provider.read(id)).toMatchObject({ status: 'submitted', adjudication: null });
  const current = { ...read, expected_submission_version: 2 };
  const key = newId('key_');
  const both = await Promise.all([decide(1, current, key), decide(2, current)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = await provider.read(id);
  expect(winner).toMatchObject({
    amount: { approved: both[0]?.status === 200 ? 1 : 2 },
    adjudication: { version: 1 },
  });
  const stale = await decide(3, current);
  expect(stale.body.error?.message).toBe(
    'The claim has changed: the version of its adjudication is 1, but expected_adjudication_version is 0. Read the claim and decide again.',
  );
  const replaced = await decide(3, { expected_adjudication_version: 1 });
  expect(replaced.body).toMatchObject({ amount: { approved: 3 }, adjudication: { version: 2 } });
  // The request that was accepted is a replay, although its versions have passed.
  if (both[0]?.status === 200) expect(await decide(1, current, key)).toMatchObject({ status: 200 });
});

test('a claim has at most 100 information requests', async () => {
  const { id } = await provider.submitted();
  await claims.sql`
    insert into information_requests
      (id, claim_id, project_id, number, reason_code, requested_evidence_types, status, created_at, resolved_at)
    select 'cir_' || replace(gen_random_uuid()::text, '-', ''), ${id}, ${provider.tenant}, number, 'referral_missing',
      '["letter"]', 'fulfilled', platform.now(), platform.now()
    from generate_series(1, 99) number`;
  const queried = await provider.query(id);
  expect(queried.information_requests).toHaveLength(100);
  const again = await COMMANDS.query(queried);
  expect([again.code, again.body.error.message]).toEqual([
    'invalid_state',
    expect.stringContaining('The claim is queried'),
  ]);
  const resubmitted = await provider.answer(queried);
  const rejected = await COMMANDS.query(resubmitted);
  expect([rejected.status, rejected.code, rejected.body.error.message]).toEqual([
    409,
    'invalid_state',
    'The claim has 100 information requests, the maximum.',
  ]);
  expect(await provider.read(id)).toEqual(resubmitted);
  expect((await provider.adjudicate(id, 1, 0)).status).toBe('partially_approved');
});

test('a claim is adjudicated at most 1,000 times', async () => {
  const { id } = await provider.submitted();
  await claims.sql`update claims set adjudication_version = 999 where id = ${id}`;
  const last = await provider.adjudicate(id, 7, 0);
  expect(last.adjudication?.version).toBe(1_000);
  const rejected = await COMMANDS.adjudicate(last);
  expect([rejected.status, rejected.code, rejected.body.error.message]).toEqual([
    409,
    'invalid_state',
    'The claim has 1,000 adjudications, the maximum.',
  ]);
  expect(await provider.read(id)).toEqual(last);
  expect((await COMMANDS.reverse(last)).body.status).toBe('reversed');
});

test('an operator reads the newest adjudications of a claim, and whether there are more', async () => {
  const { id } = await provider.submitted();
  const adjudications: unknown[] = [];
  for (const payer of [1, 2, 3, 4, 5, 6])
    adjudications.unshift((await provider.adjudicate(id, payer, 0)).adjudication);
  const read = async () => (await claims.operator(provider.tenant, `/claims/${id}/adjudications`)).body;
  expect(await read()).toEqual({ data: adjudications, has_more: false });
  adjudications.unshift((await provider.adjudicate(id, 7, 0)).adjudication);
  expect(await read()).toEqual({ data: adjudications.slice(0, 6), has_more: true });
});

test('an operator reads the adjudications of a claim and the state of its workflow; those of another project are unknown', async () => {
  const { id } = await provider.submitted();
  const first = await provider.adjudicate(id, 100_000, 50_000);
  const second = await provider.adjudicate(id, 7, 0);
  const adjudications = await claims.operator(provider.tenant, `/claims/${id}/adjudications`);
  expect([adjudications.status, adjudications.body.data]).toEqual([
    200,
    [second.adjudication, first.adjudication],
  ]);
  // The run starts after the commit.
  const run = await eventually('the claim has a run', async () => {
    const { body } = await claims.operator(provider.tenant, `/claims/${id}/workflow`);
    return body.run ?? undefined;
  });
  expect(run).toMatchObject({ namespace: 'default', status: 'running', closed_at: null });
  for (const path of [
    ...['adjudications', 'timeline', 'workflow', 'rejected_commands'].map((part) => `/claims/${id}/${part}`),
    '/claims/%00/adjudications',
  ]) {
    const tenant = path.includes(id) ? newTenant() : provider.tenant;
    expect([path, (await claims.operator(tenant, path)).status]).toEqual([path, 404]);
    expect([path, (await claims.operator(provider.tenant, path, 'gateway')).status]).toEqual([path, 403]);
  }
});

test('the timeline of a claim that an operator reads equals its valuations, and stays the same up to its end', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  await provider.remit(id, 150_000);
  const read = async () => (await claims.operator(provider.tenant, `/claims/${id}/timeline`)).body;
  const timeline = await read();
  const valued = (await provider.value(id, timeline.now)).body;
  const withoutAmounts = timeline.facts.map(({ amount: _, ...event }: { amount: unknown }) => event);
  expect([withoutAmounts, timeline.currency]).toEqual([valued.events, valued.currency]);
  for (const { at, status, amount } of timeline.known_then)
    expect((await provider.value(id, at)).body).toMatchObject({ status, amount });
  for (const { at, status, amount } of timeline.known_now)
    expect((await provider.value(id, timeline.now, at)).body).toMatchObject({ status, amount });
  await provider.settle(id, 150_000);
  const later = await read();
  expect(later.known_then.slice(0, timeline.known_then.length)).toEqual(timeline.known_then);
  expect(later.known_then.at(-1).at > timeline.now).toBe(true);
});

test('a reversed claim shows no adjudication, and what moved stays recorded', async () => {
  const claim = await BRING.settled();
  const { body } = await COMMANDS.reverse(claim);
  expect(body).toMatchObject({
    status: 'reversed',
    adjudication: null,
    amount: { approved: null, remitted: 150_000, settled: 150_000 },
  });
});

test('rejected adjudications change nothing and name the line', async () => {
  const { id } = await provider.submitted();
  const wrong = adjudication(1, 1);
  const [first, second] = wrong.lines;
  const unbalanced = { ...wrong, lines: [{ ...second, amount: { ...second?.amount, payer: 2 } }, first] };
  const answer = await provider.ask('adjudicateClaim', id, unbalanced);
  expect(answer).toMatchObject({ status: 422, code: 'adjudication_unbalanced' });
  expect(answer.body.error.message).toMatch(/^\/lines\/0\/amount\/allowed /);
  const missing = await provider.ask('adjudicateClaim', id, { ...wrong, lines: [second] });
  expect(missing).toMatchObject({ status: 422, code: 'adjudication_lines_mismatch' });
  expect(await provider.read(id)).toMatchObject({ status: 'submitted', adjudication: null });
  expect(claims.others.asked('openLiability', id)).toBe(0);
});

test('another project, and a token narrowed to another resource, see and change nothing', async () => {
  const claim = await provider.submitted();
  const otherTenant = new Provider(claims);
  for (const command of ['getClaim', 'requestClaimInformation', 'adjudicateClaim', 'cancelClaim'] as const) {
    const body =
      command === 'requestClaimInformation'
        ? { reason_code: 'aa', requested_evidence_types: ['a'] }
        : command === 'adjudicateClaim'
          ? adjudication(0, 0)
          : command === 'cancelClaim'
            ? { reason_code: 'aa' }
            : undefined;
    expect(await otherTenant.ask(command, claim.id, body)).toMatchObject({ status: 404 });
    const narrowed = await claims.ask(provider.tenant, command, {
      params: { claim_id: claim.id },
      resourceIds: ['clm_other'],
      body,
    });
    expect(narrowed.status).toBe(404);
  }
  expect(await otherTenant.value(claim.id, Date.now())).toMatchObject({ status: 404 });
  expect(await provider.read(claim.id)).toEqual(claim);
});

test('lists are newest first, by status, and of the project alone', async () => {
  const one = new Provider(claims);
  const first = await one.submitted();
  const second = await one.submitted();
  await one.adjudicate(first.id, 0, 0);
  const list = (query: Record<string, string>) => claims.ask(one.tenant, 'listClaims', { query });
  const all = await list({});
  expect(all.body.data.map((claim: Claim) => claim.id)).toEqual([second.id, first.id]);
  expect(all.body.data[0]).toEqual(second);
  expect((await list({ status: 'denied' })).body.data.map((claim: Claim) => claim.id)).toEqual([first.id]);
  expect((await list({ limit: '1' })).body).toMatchObject({ has_more: true, data: [{ id: second.id }] });
  expect((await list({ starting_after: second.id })).body.data).toMatchObject([{ id: first.id }]);
});

test('lists are filtered by the references of a claim, also with a status, and within the project', async () => {
  const one = new Provider(claims);
  const practitionerId = newId('prc_');
  const ofPractitioner = () => claims.others.deliveredSession({ practitionerId }).sessionId;
  const inputs = [ofPractitioner(), ofPractitioner(), undefined].map((session_id) =>
    one.submission(session_id === undefined ? {} : { session_id }),
  );
  const ids: string[] = [];
  for (const input of inputs) ids.push((await one.submit(input)).body.id);
  const [first = '', second = '', third = ''] = ids;
  await one.adjudicate(first, 0, 0);
  const list = async (query: Record<string, string>, tenant = one.tenant) => {
    const { body } = await claims.ask(tenant, 'listClaims', { query });
    return body.data.map((claim: Claim) => claim.id);
  };
  const [input] = inputs;
  const references = {
    provider_claim_reference: input?.provider_claim_reference ?? '',
    session_id: input?.session_id ?? '',
    preauthorization_id: input?.preauthorization_id ?? '',
  };
  for (const [name, value] of Object.entries(references)) {
    expect([name, await list({ [name]: value })]).toEqual([name, [first]]);
    expect([name, await list({ [name]: value }, new Provider(claims).tenant)]).toEqual([name, []]);
  }
  expect(await list({ practitioner_id: practitionerId })).toEqual([second, first]);
  expect(await list({ practitioner_id: practitionerId, status: 'denied' })).toEqual([first]);
  expect(await list({ practitioner_id: practitionerId, starting_after: second })).toEqual([first]);
  expect(await list({ practitioner_id: practitionerId, starting_after: third, limit: '1' })).toEqual([
    second,
  ]);
  expect(await list({ session_id: 'ses_unknown' })).toEqual([]);
});

test('lists are filtered by the due time of an open information request', async () => {
  const one = new Provider(claims);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const [soon, later, undated, answered] = [
    await one.submitted(),
    await one.submitted(),
    await one.submitted(),
    await one.submitted(),
  ];
  await one.query(soon.id, inDays(100));
  await one.query(later.id, inDays(102));
  await one.query(undated.id);
  await one.answer(await one.query(answered.id, inDays(100)));
  const list = async (query: Record<string, string>, tenant = one.tenant) => {
    const { body } = await claims.ask(tenant, 'listClaims', { query });
    return body.data.map((claim: Claim) => claim.id);
  };
  expect(await list({ due_before: inDays(99) })).toEqual([]);
  expect(await list({ due_before: inDays(101) })).toEqual([soon.id]);
  expect(await list({ due_before: inDays(103), status: 'queried' })).toEqual([later.id, soon.id]);
  expect(await list({ due_before: inDays(103), session_id: 'ses_unknown' })).toEqual([]);
  expect(await list({ due_before: inDays(103) }, new Provider(claims).tenant)).toEqual([]);
});

test('an executor that is resumed after another one has stored the response leaves no pending step', async () => {
  const { id } = await provider.submitted();
  const body = adjudication(0, 0);
  const commandId = await claims.pendingCommand(provider.tenant, 'adjudicateClaim', id, body);
  const finish = () => finishCommand(claims.sql, claims.deps.executors, provider.tenant, commandId);
  let late: ReturnType<typeof finish> | undefined;
  await commitCommand(claims.sql, provider.tenant, commandId, async (tx) => {
    await tx`select 1 from claims where id = ${id} for update`;
    late = finish();
    await doneOrWaiting(claims.sql, late);
    return { status: 200, body: {} };
  });
  expect(await late).toEqual({ outcome: 'executed' });
  const [row] = await claims.sql`select pending_step from claims where id = ${id}`;
  expect(row).toEqual({ pending_step: null });
  expect(claims.others.asked('openLiability', id)).toBe(0);
});

describe('a deadline in the past', () => {
  const question = (due_at: string) => ({ reason_code: 'aa', requested_evidence_types: ['a'], due_at });
  const HOUR_MS = 3_600_000;
  const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString();
  const ask = (claimId: string, body: object, key = newId('key_')) =>
    provider.ask('requestClaimInformation', claimId, body, key);
  afterEach(() => claims.database.setClockOffset(0));

  test('is 400 and comes before an unknown claim; a replay comes before it', async () => {
    expect(await ask(newId('clm_'), question('2020-01-01T00:00:00Z'))).toMatchObject({ status: 400 });
    expect(await ask(newId('clm_'), question('2099-01-01T00:00:00Z'))).toMatchObject({ status: 404 });
    const { id } = await provider.submitted();
    const [key, body] = [newId('key_'), question(inAnHour())];
    const first = await ask(id, body, key);
    expect(first.status).toBe(201);
    await claims.database.setClockOffset(2 * HOUR_MS);
    expect(await ask(id, body)).toMatchObject({ status: 400 });
    expect(await ask(id, body, key)).toMatchObject({ status: 201, text: first.text, replayed: true });
  });

  test('rejects the command, which has no effect, and its key is free', async () => {
    const { id } = await provider.submitted();
    const [key, body] = [newId('key_'), question(inAnHour())];
    await claims.database.setClockOffset(2 * HOUR_MS);
    expect(await ask(id, body, key)).toMatchObject({ status: 400, code: 'validation_failed' });
    await claims.database.setClockOffset(0);
    expect((await provider.read(id)).status).toBe('submitted');
    const corrected = await ask(id, question('2099-01-01T00:00:00Z'), key);
    expect(corrected).toMatchObject({ status: 201, replayed: false });
  });
});

test('facts can not be changed or deleted by the service', async () => {
  const { id } = await provider.submitted();
  await expect(claims.sql`update facts set reason_code = 'x' where claim_id = ${id}`).rejects.toThrow(
    /permission denied/,
  );
  await expect(claims.sql`delete from facts where claim_id = ${id}`).rejects.toThrow(/permission denied/);
  await expect(claims.sql`update actors set authority = 'another'`).rejects.toThrow(/permission denied/);
  await expect(claims.sql`delete from adjudications where claim_id = ${id}`).rejects.toThrow(
    /permission denied/,
  );
});
