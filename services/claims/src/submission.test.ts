/** Submissions of claims across services: their responses, and that a rejected submission keeps no pre-authorization in use. */

import { dropCommand, finishCommand } from '@carecover/commands';
import { ApiError, newId, simulatedProjectId, storedTenant } from '@carecover/domain';
import { connectPostgres } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { type Answered, testCaller } from '@carecover/testing/services';
import { claimResource } from './resources';
import { listClaims } from './store/claims-in-full';
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
  const before = claims.others.calls.length;
  const together = await Promise.all(Array.from({ length: 5 }, () => provider.submit(input, key)));
  const later = await provider.submit(input, key);
  expect(new Set([...together, later].map((answer) => answer.text)).size).toBe(1);
  expect([...together, later].map((answer) => answer.status)).toEqual(Array(6).fill(201));
  expect(together.filter((answer) => !answer.replayed)).toHaveLength(1);
  expect(later.replayed).toBe(true);
  expect(new Set(useCalls(before))).toEqual(new Set([later.body.id]));
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

test('a reference is used once in a project, also when two race, and what the loser used is released', async () => {
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

test.each([
  ['a no-break space', '\u00a0'],
  ['a line feed', '\n'],
  ['a zero-width space', '\u200b'],
])(
  '%s is no difference between references, which are stored as given, and found also in another case',
  async (_name, unseen) => {
    const provider = new Provider(claims);
    const reference = newId('INV-');
    const stored = await provider.submit(
      provider.submission({ provider_claim_reference: `${reference}${unseen}` }),
    );
    expect(stored.body.provider_claim_reference).toBe(`${reference}${unseen}`);
    const again = provider.submission({ provider_claim_reference: reference });
    expect(await provider.submit(again)).toMatchObject({ status: 409, code: 'duplicate_claim_reference' });
    const filter = { provider_claim_reference: ` ${reference.toLowerCase()}` };
    const { data } = await listClaims(
      claims.sql,
      testCaller(provider.tenant),
      { limit: 20, ...filter },
      claimResource,
    );
    expect(data.map(({ id }) => id)).toEqual([stored.body.id]);
  },
);

test('a reference without a visible character is rejected', async () => {
  const provider = new Provider(claims);
  const input = provider.submission({ provider_claim_reference: '\u200b \u00a0' });
  expect(await provider.submit(input)).toMatchObject({ status: 400, code: 'validation_failed' });
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

describe('while benefits has not released what an ended claim of the session used', () => {
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
    const answer = await provider.ask(ending, id, { reason_code: 'recorded_in_error' });
    expect(answer.status).toBe(200);
    expect(claims.others.uses.has(id)).toBe(true);
    return { provider, id, input: input(), isBack: () => claims.others.outages.delete(outage) };
  }

  test.each(['cancelClaim', 'reverseClaim'] as const)(
    'by %s, another submission lets benefits release it and creates a claim under an unused ID',
    async (ending) => {
      const { provider, id, input } = await ended(ending, 2);
      const made = await provider.submit(input);
      expect(made).toMatchObject({ status: 201, replayed: false });
      expect([...claims.others.uses.keys()].filter((user) => [id, made.body.id].includes(user))).toEqual([
        made.body.id,
      ]);
    },
  );

  test('and can not, another submission gets service_unavailable, and its repetition creates the claim', async () => {
    const { provider, input, isBack } = await ended('cancelClaim', Number.POSITIVE_INFINITY);
    const key = newId('key_');
    expect(await provider.submit(input, key)).toMatchObject({ status: 503, code: 'service_unavailable' });
    isBack();
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

test('where the clock of the project is ahead, a submission whose authorization has expired is rejected although an earlier claim used it', async () => {
  const tenant = storedTenant(simulatedProjectId(newId('prj_')));
  const admin = connectPostgres(claims.database.adminUrl, 1, 'test');
  await admin`insert into platform.project_clocks (project_id, now) values (${tenant}, '2190-01-01T00:00:00Z')`;
  await admin.end();
  const provider = new Provider(claims, tenant);
  const input = provider.submission();
  const { body: earlier } = await provider.submit(input);
  expect(await provider.ask('cancelClaim', earlier.id, { reason_code: 'entered_in_error' })).toMatchObject({
    status: 200,
  });
  claims.others.rejections.set(
    input.eligibility_check_id,
    new ApiError('authorization_required', 'Expired.'),
  );
  const again = await provider.submit({ ...input, provider_claim_reference: newId('INV-') });
  expect(again).toMatchObject({ status: 422, code: 'authorization_required' });
});

test('lines whose sum is too large are 400, whatever else is wrong, and no other service is called', async () => {
  const provider = new Provider(claims);
  const before = claims.others.calls.length;
  const line = { code_system: 'CPT', service_code: 'psy.0', units: 1, amount: Number.MAX_SAFE_INTEGER };
  const input = provider.submission({ session_id: newId('ses_'), lines: [line, line] });
  expect(await provider.submit(input)).toMatchObject({
    status: 400,
    body: { error: { message: '/lines must have a sum of at most 9007199254740991' } },
  });
  expect(claims.others.calls.slice(before)).toEqual([]);
  expect(await pendingCommands(provider)).toBe(0);
});

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

/** Executes a pending command once, as its claim's workflow does. */
const finish = (provider: Provider, commandId: string) =>
  finishCommand(claims.sql, claims.deps.executors, provider.tenant, commandId);

describe('an executor of a submission that another claim of the session rejected', () => {
  /** Starts an executor that is rejected at its commit, and holds it before benefits releases. Then ends the other claim of the session. */
  async function rejectedExecutor() {
    const provider = new Provider(claims);
    const { sessionId: session_id } = claims.others.deliveredSession();
    const other = await provider.submitted({ session_id });
    const input = provider.submission({ session_id });
    const key = newId('key_');
    const claimId = newId('clm_');
    const commandId = await claims.pendingCommand(provider.tenant, 'createClaim', claimId, input, key);
    const release = claims.others.holdNext('releaseFromClaim');
    const late = finish(provider, commandId);
    await release.arrived;
    expect(claims.others.uses.has(claimId)).toBe(true);
    const cancelled = await provider.ask('cancelClaim', other.id, { reason_code: 'recorded_in_error' });
    expect(cancelled.status).toBe(200);
    return { provider, input, key, claimId, release, late };
  }

  test('releases nothing of the claim that a later request creates, however late its release arrives', async () => {
    const { provider, input, key, claimId, release, late } = await rejectedExecutor();
    const { status, body } = await provider.submit(input, key);
    release.resume();
    expect(await late).toEqual({ outcome: 'deleted' });
    expect(status).toBe(201);
    expect([claims.others.uses.has(body.id), claims.others.uses.has(claimId)]).toEqual([true, false]);
    expect(await pendingCommands(provider)).toBe(0);
  });
});

test('an executor that benefits rejects after another one created the claim releases nothing, and both have one response', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  const key = newId('key_');
  const use = claims.others.holdNext('useForClaim');
  const late = provider.submit(input, key);
  await use.arrived;
  const made = await provider.submit(input, key);
  expect(made.status).toBe(201);
  claims.others.nextRejections.set(
    input.eligibility_check_id,
    new ApiError('not_eligible', 'As benefits says.'),
  );
  use.resume();
  expect(await late).toMatchObject({ status: 201, text: made.text });
  expect(claims.others.asked('releaseFromClaim', made.body.id)).toBe(0);
});

test('an executor whose submission another one rejected meanwhile leaves nothing in use', async () => {
  const provider = new Provider(claims);
  const input = provider.submission();
  const claimId = newId('clm_');
  const commandId = await claims.pendingCommand(provider.tenant, 'createClaim', claimId, input);
  const use = claims.others.holdNext('useForClaim');
  const late = finish(provider, commandId);
  await use.arrived;
  claims.others.nextRejections.set(
    input.eligibility_check_id,
    new ApiError('not_eligible', 'As benefits says.'),
  );
  expect(await finish(provider, commandId)).toMatchObject({ outcome: 'rejected', code: 'not_eligible' });
  use.resume();
  expect(await late).toEqual({ outcome: 'deleted' });
  expect(claims.others.uses.has(claimId)).toBe(false);
});

test('a submission that an earlier executor abandoned starts again under another ID', async () => {
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

describe('a request whose command another executor deletes starts again', () => {
  /**
   * Starts a request that benefits rejects with authorization_required, because another claim of the session uses the pre-authorization, and
   * holds it before benefits releases. Meanwhile another executor rejects the submission and deletes its command.
   */
  async function rejectedRequest() {
    const provider = new Provider(claims);
    const { sessionId: session_id } = claims.others.deliveredSession();
    const preauthorization_id = newId('preauth_');
    const other = await provider.submitted({ session_id, preauthorization_id });
    const input = provider.submission({ session_id, preauthorization_id });
    const key = newId('key_');
    const release = claims.others.holdNext('releaseFromClaim');
    const response = provider.submit(input, key);
    await release.arrived;
    const [command] = await claims.sql<{ id: string }[]>`
      select id from commands join pending_commands using (id) where project_id = ${provider.tenant}`;
    expect(await finish(provider, command?.id ?? '')).toMatchObject({
      outcome: 'rejected',
      code: 'session_already_claimed',
    });
    return { provider, other, input, key, response, resume: () => release.resume() };
  }

  test('and is rejected with the reason', async () => {
    const { response, resume } = await rejectedRequest();
    resume();
    expect(await response).toMatchObject({ status: 409, code: 'session_already_claimed' });
  });

  test('and gets the response of the next request, whose claim uses the pre-authorization', async () => {
    const { provider, other, input, key, response, resume } = await rejectedRequest();
    await provider.ask('cancelClaim', other.id, { reason_code: 'recorded_in_error' });
    const next = await provider.submit(input, key);
    expect(next.status).toBe(201);
    resume();
    expect(await response).toMatchObject({ status: 201, replayed: true, text: next.text });
  });

  test('also while it waits for a concurrent submission of the session', async () => {
    const provider = new Provider(claims);
    const { tenant } = provider;
    const input = provider.submission();
    claims.others.rejections.set(
      input.eligibility_check_id,
      new ApiError('authorization_required', 'As benefits says.'),
    );
    const claimId = newId('clm_');
    const commandId = await claims.pendingCommand(tenant, 'createClaim', claimId, input);
    await claims.pendingCommand(tenant, 'createClaim', newId('clm_'), input);
    const waiting = finish(provider, commandId);
    await eventually('it waits', async () => claims.others.asked('releaseFromClaim', claimId) === 1);
    await dropCommand(claims.sql, tenant, commandId, null);
    expect(await waiting).toEqual({ outcome: 'deleted' });
  });
});
