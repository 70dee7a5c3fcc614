/** Submissions of claims across services: their responses, and that a rejected submission keeps no pre-authorization in use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@carecover/local/testing';
import { ApiError, CommandGone, dropCommand, newId } from '@carecover/platform';
import type { Answered } from '@carecover/platform/testing';
import { Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

let claims: TestClaims;
beforeAll(async () => {
  claims = await startTestClaims();
});
afterAll(() => claims.stop());

async function pendingCommands(provider: Provider): Promise<number> {
  const [row] = await claims.sql<{ n: number }[]>`
    select count(*)::int as n from commands join pending_commands using (id) where project_id = ${provider.tenant}`;
  return row?.n ?? -1;
}

/** Returns the claim ID of each call of `useForClaim`, oldest first. The first `after` calls to other services are ignored. */
function useCalls(after: number): (string | null)[] {
  const calls = claims.others.calls.slice(after).filter(({ name }) => name === 'useForClaim');
  return calls.map(({ claimId }) => claimId);
}

test('a claim begins with three facts recorded together, and no draft is ever seen', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  const { status, body } = await provider.submit(input);
  expect(status).toBe(201);
  const { body: value } = await provider.value(body.id, body.submitted_at);
  expect(value.events).toEqual([
    expect.objectContaining({ sequence: 1, type: 'created', previous_status: null, next_status: 'draft' }),
    expect.objectContaining({
      sequence: 2,
      type: 'validated',
      previous_status: 'draft',
      next_status: 'draft',
    }),
    expect.objectContaining({ sequence: 3, type: 'submitted', evidence_references: ['note:17'] }),
  ]);
  for (const event of value.events) {
    expect([event.effective_at, event.recorded_at]).toEqual([body.submitted_at, body.submitted_at]);
  }
  expect(body.lines).toEqual(
    input.lines.map((line, index) => ({ ...line, line_number: index + 1, code_system_version: null })),
  );
});

test('a claim keeps the units of its lines unchanged, as JSON.stringify writes a double between the limits', async () => {
  const units = [1.1 * 3, 0.1 + 0.2, 1e-7, Number.MIN_VALUE, 99.99999999999999, 1 / 3, 100];
  const provider = new Provider(claims);
  const [line] = provider.submission().lines;
  if (line === undefined) throw new Error('a submission has lines');
  const { status, text, body } = await provider.submit(
    provider.submission({ lines: units.map((each) => ({ ...line, units: each })) }),
  );
  expect(status).toBe(201);
  for (const each of units) expect(text).toContain(`"units":${JSON.stringify(each)},`);
  expect((await provider.read(body.id)).lines.map((each) => each.units)).toEqual(units);
});

test('the same key with the same body gives the first answer again, at once or later, and one claim', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  const key = newId('key_');
  const together = await Promise.all(Array.from({ length: 5 }, () => provider.submit(input, key)));
  const later = await provider.submit(input, key);
  expect(new Set([...together, later].map((answer) => answer.text)).size).toBe(1);
  expect([...together, later].map((answer) => answer.status)).toEqual(Array(6).fill(201));
  expect(together.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect(later.replayed).toBe(true);
  expect(claims.others.asked('useForClaim', later.body.id)).toBe(1);
  expect(await provider.submit({ ...input, provider_claim_reference: 'INV-other' }, key)).toMatchObject({
    status: 409,
    code: 'idempotency_conflict',
  });
});

test('a claim keeps its practitioner, and the payer and plan of its coverage, and its resource has neither', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  const { body } = await provider.submit(input);
  const [row] = await claims.sql`select practitioner_id, payer_id, plan from claims where id = ${body.id}`;
  const session = claims.others.sessions.get(input.session_id);
  expect(row).toEqual({
    practitioner_id: session?.practitionerId,
    payer_id: 'payer_1',
    plan: 'Outpatient',
  });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['payer_id', 'plan']));
});

test('a reference is used once in a project, also when two race, and what the loser used is given back', async () => {
  const provider = new Provider(claims);
  const provider_claim_reference = newId('INV-');
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => provider.submit(provider.submission({ provider_claim_reference }))),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.code === 'duplicate_claim_reference')).toHaveLength(5);
  const winner = answers.find((answer) => answer.status === 201)?.body.id;
  const released = claims.others.calls
    .filter((call) => call.name === 'releaseFromClaim')
    .map((call) => call.claimId);
  expect(new Set(released).size).toBeGreaterThanOrEqual(5);
  expect(released).not.toContain(winner);
  expect(claims.others.uses.has(winner)).toBe(true);
  expect(await pendingCommands(provider)).toBe(0);
  await expect(new Provider(claims).submitted({ provider_claim_reference })).resolves.toBeDefined();
});

test('a session has one live claim; a cancelled or a reversed one frees it and what it used', async () => {
  const provider = new Provider(claims);
  const { sessionId: session_id } = claims.others.deliveredSession();
  const preauthorization_id = newId('preauth_');
  const again = () => provider.submit(provider.submission({ session_id, preauthorization_id }));

  const first = await again();
  // Benefits rejects the submission because the pre-authorization is used. The error code of the response must name the reason: another
  // claim uses the session.
  expect(await again()).toMatchObject({ status: 409, code: 'session_already_claimed' });
  const cancelled = await provider.ask('cancelClaim', first.body.id, { reason_code: 'recorded_in_error' });
  expect(cancelled.status).toBe(200);
  const second = await again();
  expect(second.status).toBe(201);
  await provider.adjudicate(second.body.id, 100_000, 0);
  expect(await again()).toMatchObject({ code: 'session_already_claimed' });
  await provider.ask('reverseClaim', second.body.id, { reason_code: 'recorded_in_error' });
  expect((await again()).status).toBe(201);
});

describe('while what an ended claim of the session used is being given back', () => {
  /** Creates a session whose claim has ended, and lets the given number of release requests to benefits fail. */
  async function ended(ending: 'cancelClaim' | 'reverseClaim', failures: number) {
    const provider = new Provider(claims);
    const { sessionId: session_id } = claims.others.deliveredSession();
    const input = () => provider.submission({ session_id, preauthorization_id });
    const preauthorization_id = newId('preauth_');
    const { id } = (await provider.submit(input())).body;
    if (ending === 'reverseClaim') await provider.adjudicate(id, 100_000, 0);
    const outage = `releaseFromClaim ${id}` as const;
    claims.others.outages.set(outage, failures);
    const answer = provider.ask(ending, id, { reason_code: 'recorded_in_error' });
    await eventually('the claim has ended', async () =>
      ['cancelled', 'reversed'].includes((await provider.read(id)).status),
    );
    return { provider, input: input(), answer, isBack: () => claims.others.outages.delete(outage) };
  }

  test.each(['cancelClaim', 'reverseClaim'] as const)(
    'by %s, another submission waits for it and creates a claim under an unused ID',
    async (ending) => {
      const { provider, input, answer } = await ended(ending, 2);
      const made = await provider.submit(input);
      expect(made).toMatchObject({ status: 201, replayed: false });
      expect(claims.others.uses.has(made.body.id)).toBe(true);
      expect((await answer).status).toBe(200);
    },
  );

  test('and that takes long, another submission gets service_unavailable, and its repetition creates the claim', async () => {
    const { provider, input, answer, isBack } = await ended('cancelClaim', Number.POSITIVE_INFINITY);
    const key = newId('key_');
    expect(await provider.submit(input, key)).toMatchObject({ status: 503, code: 'service_unavailable' });
    isBack();
    expect((await answer).status).toBe(200);
    expect(await provider.submit(input, key)).toMatchObject({ status: 201 });
    expect(await pendingCommands(provider)).toBe(0);
  });
});

test('two submissions of one session race to one claim', async () => {
  const provider = new Provider(claims);
  const { sessionId: session_id } = claims.others.deliveredSession();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => provider.submit(provider.submission({ session_id }))),
  );
  expect(answers.map((answer) => answer.code ?? 'submitted').sort()).toEqual([
    'session_already_claimed',
    'session_already_claimed',
    'session_already_claimed',
    'submitted',
  ]);
});

test('a submission whose authorization a concurrent submission of the same session uses gets the result of that one', async () => {
  const provider = new Provider(claims);
  const { sessionId: session_id } = claims.others.deliveredSession();
  const preauthorization_id = newId('preauth_');
  const submit = () => provider.submit(provider.submission({ session_id, preauthorization_id }));
  let answers: Promise<Answered[]> = Promise.resolve([]);
  const before = claims.others.calls.length;
  await claims.sql.begin(async (tx) => {
    await tx`lock table claims in share mode`;
    answers = Promise.all([submit(), submit()]);
    await eventually('both have called benefits', async () => useCalls(before).length >= 2);
  });
  expect((await answers).map((answer) => answer.code ?? 'submitted').sort()).toEqual([
    'session_already_claimed',
    'submitted',
  ]);
});

test.each([
  'resource_not_found',
  'consent_required',
  'not_eligible',
  'booking_not_covered',
  'session_not_delivered',
  'service_mismatch',
  'authorization_required',
] as const)(
  'benefits rejects with %s: so does the claim, and its key may carry a corrected body',
  async (code) => {
    const provider = new Provider(claims);
    const input = provider.submission();
    const key = newId('key_');
    claims.others.rejections.set(input.eligibility_check_id, new ApiError(code, 'As benefits says.'));
    const rejected = await provider.submit(input, key);
    expect(rejected.code).toBe(code);
    expect(await pendingCommands(provider)).toBe(0);
    const corrected = await provider.submit(provider.submission(), key);
    expect(corrected).toMatchObject({ status: 201, replayed: false });
  },
);

test('an unknown session is 404 and nothing was used', async () => {
  const provider = new Provider(claims);
  const before = claims.others.calls.length;
  expect(await provider.submit(provider.submission({ session_id: newId('ses_') }))).toMatchObject({
    status: 404,
  });
  expect(claims.others.calls.slice(before).map((call) => call.name)).toEqual(['sessionForClaim']);
});

test('an absent service is waited for, and the submission is one claim', async () => {
  const provider = new Provider(claims);
  claims.others.outages.set('sessionForClaim', 2).set('useForClaim', 2);
  const { body } = await provider.submit();
  expect(body.status).toBe('submitted');
  expect(claims.others.asked('useForClaim', body.id)).toBe(1);
});

describe('an attempt of a submission in a run that is lost, which another claim of the session rejected', () => {
  /** Executes the steps of the attempt up to the rejection of its commit, and then ends the other claim of the session. */
  async function rejectedAttempt() {
    const provider = new Provider(claims);
    const { sessionId: session_id } = claims.others.deliveredSession();
    const other = await provider.submitted({ session_id });
    const input = provider.submission({ session_id });
    const key = newId('key_');
    const claimId = newId('clm_');
    const { tenant } = provider;
    const commandId = await claims.pendingCommand(tenant, 'createClaim', claimId, input, key);
    const step = { tenant, claimId, commandId };
    const submission = await claims.activities.prepareSubmission(step, newId('req_'));
    if (submission === null) throw new Error('the submission has a response');
    const used = await claims.others.benefits.useForClaim({ tenant, claimId, ...submission });
    const commit = () =>
      claims.activities.commitSubmission({ ...step, session: submission.session, ...used });
    await expect(commit()).rejects.toMatchObject({ code: 'session_already_claimed' });
    const cancelled = await provider.ask('cancelClaim', other.id, { reason_code: 'recorded_in_error' });
    expect(cancelled.status).toBe(200);
    return { provider, input, key, step, commit };
  }

  test('releases nothing of the claim that a later attempt creates, however late its release arrives', async () => {
    const { provider, input, key, step } = await rejectedAttempt();
    expect(await claims.activities.abandonSubmission(step)).toBe(true);
    const { status, body } = await provider.submit(input, key);
    await claims.others.benefits.releaseFromClaim(step);
    expect(status).toBe(201);
    expect(claims.others.uses.has(body.id)).toBe(true);
    expect(await pendingCommands(provider)).toBe(0);
  });

  test('must release nothing if a later attempt has created the claim before', async () => {
    const { provider, input, key, step, commit } = await rejectedAttempt();
    expect(await commit()).toMatchObject({ status: 'submitted' });
    expect(await claims.activities.abandonSubmission(step)).toBe(false);
    expect(await provider.submit(input, key)).toMatchObject({ status: 201, body: { id: step.claimId } });
  });

  test('must release what it used if a later attempt has deleted the command', async () => {
    const { step } = await rejectedAttempt();
    await claims.activities.dropSubmission({ ...step, code: 'session_already_claimed' });
    expect(await claims.activities.abandonSubmission(step)).toBe(true);
  });
});

test('a submission that a lost run abandoned starts again under another ID', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  claims.others.nextRejections.set(
    input.eligibility_check_id,
    new ApiError('invalid_state', 'It was given up.'),
  );
  const before = claims.others.calls.length;
  const { status, body } = await provider.submit(input);
  expect(status).toBe(201);
  expect(useCalls(before)).toEqual([expect.not.stringMatching(body.id), body.id]);
});

describe('an attempt of a submission whose command another attempt deletes starts again', () => {
  /**
   * Starts an attempt that benefits rejects with authorization_required, because another claim of the session uses the pre-authorization.
   * The attempt waits for its release until `resume`. Meanwhile another attempt rejects the submission and deletes its command.
   */
  async function rejectedAttempt() {
    const provider = new Provider(claims);
    const { tenant } = provider;
    const { outages } = claims.others;
    const { sessionId: session_id } = claims.others.deliveredSession();
    const preauthorization_id = newId('preauth_');
    const other = await provider.submitted({ session_id, preauthorization_id });
    const input = provider.submission({ session_id, preauthorization_id });
    const key = newId('key_');
    const failures = 1_000_000;
    outages.set('releaseFromClaim', failures);
    const response = provider.submit(input, key);
    await eventually('benefits has rejected it', async () => outages.get('releaseFromClaim') !== failures);
    const [command] = await claims.sql<{ commandId: string; claimId: string }[]>`
      select id as "commandId", resource_id as "claimId" from commands join pending_commands using (id)
      where project_id = ${tenant}`;
    if (command === undefined) throw new Error('the submission has no command');
    outages.set(`releaseFromClaim ${command.claimId}`, failures);
    outages.delete('releaseFromClaim');
    const rejection = claims.activities.dropSubmission({
      tenant,
      ...command,
      code: 'authorization_required',
    });
    await expect(rejection).rejects.toMatchObject({ code: 'session_already_claimed' });
    const resume = () => outages.delete(`releaseFromClaim ${command.claimId}`);
    return { provider, other, input, key, response, resume };
  }

  test('and is rejected with the reason', async () => {
    const { response, resume } = await rejectedAttempt();
    resume();
    expect(await response).toMatchObject({ status: 409, code: 'session_already_claimed' });
  });

  test('and gets the response of the next attempt, whose claim uses the pre-authorization', async () => {
    const { provider, other, input, key, response, resume } = await rejectedAttempt();
    await provider.ask('cancelClaim', other.id, { reason_code: 'recorded_in_error' });
    const next = await provider.submit(input, key);
    expect(next.status).toBe(201);
    resume();
    expect(await response).toMatchObject({ status: 201, replayed: true, text: next.text });
  });

  test.each(['invalid_state', 'authorization_required', 'session_already_claimed'])(
    'whatever the code of the rejection is: %s',
    async (code) => {
      const { tenant } = new Provider(claims);
      const step = { tenant, claimId: newId('clm_'), commandId: newId('cmd_'), code };
      await expect(claims.activities.dropSubmission(step)).rejects.toThrow(CommandGone);
    },
  );

  test('also while it waits for a concurrent submission of the session', async () => {
    const provider = new Provider(claims);
    const { tenant } = provider;
    const input = provider.submission();
    const claimId = newId('clm_');
    const commandId = await claims.pendingCommand(tenant, 'createClaim', claimId, input);
    await claims.pendingCommand(tenant, 'createClaim', newId('clm_'), input);
    const waiting = claims.activities.dropSubmission({
      ...{ tenant, claimId, commandId },
      code: 'authorization_required',
    });
    await sleep(200);
    await dropCommand(claims.sql, tenant, commandId);
    await expect(waiting).rejects.toThrow(CommandGone);
  });
});
