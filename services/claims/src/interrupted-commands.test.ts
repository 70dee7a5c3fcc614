/**
 * Commands with several steps whose process is killed at each step, that two processes execute at once, or that another service interrupts:
 * each has one effect and one response.
 */

import { finishCommand } from '@carecover/commands';
import type { Claim } from '@carecover/contract';
import { ApiError, newId } from '@carecover/domain';
import { eventually, testSize } from '@carecover/testing/servers';
import { type Answered, playRounds, race, useKillPoints } from '@carecover/testing/services';
import { adjudication, Provider } from './testing/provider';
import { startTestClaims, type TestClaims } from './testing/test-claims';

let claims: TestClaims;
let provider: Provider;
const setKillPoint = useKillPoints();
beforeAll(async () => {
  claims = await startTestClaims();
  provider = new Provider(claims);
});
afterAll(() => claims.stop());
afterEach(() => jest.restoreAllMocks());

/** Sets a failpoint. @returns a function that clears it and expects that an executor has ended there */
function killAt(failpoint: string): () => void {
  const killPoint = setKillPoint(failpoint);
  return () => expect([failpoint, killPoint.clear()]).toEqual([failpoint, true]);
}

/** A command with several steps, of which the test sends copies with one idempotency key. */
interface Subject {
  readonly send: () => Promise<Answered>;
  /** Reads how often the command took effect, in this service and in the others. */
  readonly effects: () => Promise<unknown>;
  /** The effects of a command that was executed exactly once. */
  readonly once: unknown;
}

const countFacts = async (claimId: string, ...types: string[]) =>
  (await claims.sql`select 1 from facts where claim_id = ${claimId} and type = any(${types})`).length;

async function submission(): Promise<Subject> {
  const input = provider.submission();
  const key = newId('key_');
  return {
    send: () => provider.submit(input, key),
    effects: async () => {
      const made = await claims.sql<{ id: string }[]>`
        select id from claims where session_id = ${input.session_id}`;
      const [claim] = made;
      return {
        claims: made.length,
        facts: await countFacts(claim?.id ?? '', 'created', 'validated', 'submitted'),
        users: [...claims.others.uses].filter(([, used]) => used === input.preauthorization_id).length,
        events: (await claims.sql`select 1 from outbox where resource_id = ${claim?.id ?? ''}`).length,
      };
    },
    once: { claims: 1, facts: 3, users: 1, events: 1 },
  };
}

async function adjudicating(): Promise<Subject> {
  const { id } = await provider.submitted();
  const key = newId('key_');
  return {
    send: () => provider.ask('adjudicateClaim', id, adjudication(100_000, 50_000), key),
    effects: async () => ({
      facts: await countFacts(id, 'approved'),
      adjudications: (await claims.sql`select 1 from adjudications where claim_id = ${id}`).length,
      account: claims.others.accounts.get(id),
      step: (await claims.sql`select pending_step from claims where id = ${id}`)[0]?.pending_step,
      events: (await claims.sql`select 1 from outbox where resource_id = ${id} and type = 'claim.approved'`)
        .length,
    }),
    once: {
      facts: 1,
      adjudications: 1,
      account: { version: 1, payer: 150_000, isRemitted: false, isReversed: false },
      step: null,
      events: 1,
    },
  };
}

async function reversing(): Promise<Subject> {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  const key = newId('key_');
  return {
    send: () => provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' }, key),
    effects: async () => ({
      facts: await countFacts(id, 'reversed'),
      isReversed: claims.others.accounts.get(id)?.isReversed,
      step: (await claims.sql`select pending_step from claims where id = ${id}`)[0]?.pending_step,
      events: (await claims.sql`select 1 from outbox where resource_id = ${id} and type = 'claim.reversed'`)
        .length,
    }),
    once: { facts: 1, isReversed: true, step: null, events: 1 },
  };
}

const SUBJECTS = { createClaim: submission, adjudicateClaim: adjudicating, reverseClaim: reversing };
type Operation = keyof typeof SUBJECTS;
const OPERATIONS = Object.keys(SUBJECTS) as Operation[];

/** The calls of each command to other services, in their order. */
const CALLS: Readonly<Record<Operation, readonly string[]>> = {
  createClaim: ['sessionForClaim', 'useForClaim'],
  adjudicateClaim: ['openLiability'],
  reverseClaim: ['reverseLiability'],
};

const killPoints = OPERATIONS.flatMap((operation) => [
  ...['accepted', 'prepared', 'deciding', 'before-commit', 'after-commit', 'before-response'].map(
    (point): [Operation, string] => [operation, `command.${point}`],
  ),
  ...CALLS[operation].flatMap((call): [Operation, string][] => [
    [operation, `step.before-call:${call}`],
    [operation, `step.after-call:${call}`],
  ]),
]);

/** Returns the IDs of the project's pending commands. */
const pending = async (): Promise<string[]> =>
  (
    await claims.sql<{ id: string }[]>`
      select id from pending_commands join commands using (id) where project_id = ${provider.tenant}`
  ).map(({ id }) => id);

/** Executes the commands that were interrupted, as their workflows do. */
async function finishAll(): Promise<void> {
  for (const id of await pending())
    expect(await finishCommand(claims.sql, claims.deps.executors, provider.tenant, id)).toEqual({
      outcome: 'executed',
    });
}

test.each(killPoints)(
  '%s whose process is killed at %s is finished exactly once',
  async (operation, point) => {
    const { send, effects, once } = await SUBJECTS[operation]();
    const expectKilled = killAt(point);
    expect((await send()).status).toBe(500);
    expectKilled();
    await finishAll();
    expect(await effects()).toEqual(once);
    expect(await send()).toMatchObject({ replayed: true });
    expect(await effects()).toEqual(once);
    expect(await pending()).toEqual([]);
  },
);

test.each(killPoints)(
  '%s whose process is killed at %s is finished exactly once by a repeated request',
  async (operation, point) => {
    const { send, effects, once } = await SUBJECTS[operation]();
    const expectKilled = killAt(point);
    expect((await send()).status).toBe(500);
    expectKilled();
    expect([200, 201]).toContain((await send()).status);
    expect(await effects()).toEqual(once);
    expect(await pending()).toEqual([]);
  },
);

test.each(killPoints.filter(([, point]) => !['command.accepted', 'command.before-response'].includes(point)))(
  '%s whose activity is killed at %s is finished exactly once by the next attempt',
  async (operation, point) => {
    const { send, effects, once } = await SUBJECTS[operation]();
    const expectInterrupted = killAt('command.accepted');
    expect((await send()).status).toBe(500);
    expectInterrupted();
    const expectKilled = killAt(point);
    await expect(finishAll()).rejects.toThrow(`killed at ${point}`);
    expectKilled();
    await finishAll();
    expect(await effects()).toEqual(once);
    expect(await send()).toMatchObject({ replayed: true });
  },
);

describe.each(OPERATIONS)('two executors of one %s at once', (operation) => {
  const ROUNDS = testSize({ ci: 6, soak: 28 });

  test('of two requests with one key, have one effect and one response', async () => {
    await playRounds(ROUNDS, async (round) => {
      const { send, effects, once } = await SUBJECTS[operation]();
      const [first, second] = await race(round, send, send);
      expect(first.text).toBe(second.text);
      expect([first.replayed, second.replayed].sort()).toEqual([false, true]);
      expect(await effects()).toEqual(once);
      expect(await pending()).toEqual([]);
      return 'done';
    });
  });

  test('of a repeated request and of the workflow, have one effect and one response', async () => {
    await playRounds(ROUNDS, async (round) => {
      const { send, effects, once } = await SUBJECTS[operation]();
      const expectKilled = killAt('command.accepted');
      await send();
      expectKilled();
      const [commandId = ''] = await pending();
      const [answer, finished] = await race(round, send, () =>
        finishCommand(claims.sql, claims.deps.executors, provider.tenant, commandId),
      );
      expect([200, 201]).toContain(answer.status);
      expect(finished).toEqual({ outcome: 'executed' });
      expect(await effects()).toEqual(once);
      expect((await send()).text).toBe(answer.text);
      return 'done';
    });
  });

  test('that a rule rejects, have no effect and one response, and the key is free', async () => {
    await playRounds(ROUNDS, async (round) => {
      const { send, key } = await rejected(operation);
      const answers = await race(round, send, send);
      expect(answers.map(({ status }) => status)).toEqual([409, 409]);
      expect(answers[0].text).toBe(answers[1].text);
      const used =
        await claims.sql`select 1 from commands where project_id = ${provider.tenant} and key_digest = any(
        select key_digest from commands where project_id = ${provider.tenant} and response is null)`;
      expect([key.length > 0, used.length]).toEqual([true, 0]);
      return 'done';
    });
  });
});

/** Prepares a command that its last rule rejects after other services were called or could have been called. */
async function rejected(operation: Operation): Promise<{ send: () => Promise<Answered>; key: string }> {
  const key = newId('key_');
  if (operation === 'createClaim') {
    const { sessionId: session_id } = claims.others.deliveredSession();
    await provider.submitted({ session_id });
    const input = provider.submission({ session_id });
    return { key, send: () => provider.submit(input, key) };
  }
  const { id } = await provider.submitted();
  if (operation === 'reverseClaim') await provider.adjudicate(id, 100_000, 50_000);
  claims.others.rejections.set(id, new ApiError('invalid_state', 'As payments says.'));
  const body =
    operation === 'reverseClaim' ? { reason_code: 'recorded_in_error' } : adjudication(100_000, 50_000);
  return { key, send: () => provider.ask(operation, id, body, key) };
}

/** Interrupts an adjudication after payments has opened the liability. */
async function interrupted(): Promise<{ claim: Claim; key: string }> {
  const claim = await provider.submitted();
  const key = newId('key_');
  const expectKilled = killAt('step.after-call:openLiability');
  await provider.ask('adjudicateClaim', claim.id, adjudication(100_000, 50_000), key);
  expectKilled();
  return { claim, key };
}

const replay = (claim: Claim, key: string) =>
  provider.ask('adjudicateClaim', claim.id, adjudication(100_000, 50_000), key);

describe('a command on a claim with the pending step of another command', () => {
  test.each([
    ['requestClaimInformation', { reason_code: 'aa', requested_evidence_types: ['a'] }],
    ['submitClaimEvidence', { information_request_id: 'cir_unknown', evidence_refs: ['note:1'] }],
    ['cancelClaim', { reason_code: 'aa' }],
  ] as const)('%s finishes that one first, and then finds the claim decided', async (operation, body) => {
    const { claim, key } = await interrupted();
    const answer = await provider.ask(operation, claim.id, body);
    expect([404, 409]).toContain(answer.status);
    expect((await provider.read(claim.id)).status).toBe('approved');
    expect(await replay(claim, key)).toMatchObject({ status: 200, replayed: true });
    expect(await countFacts(claim.id, 'approved')).toBe(1);
  });

  test('adjudicateClaim finishes that one first, and payments has the liability of the later one', async () => {
    const { claim, key } = await interrupted();
    expect(await provider.adjudicate(claim.id, 70_000, 0)).toMatchObject({ adjudication: { version: 2 } });
    expect(claims.others.accounts.get(claim.id)).toMatchObject({ version: 2, payer: 70_000 });
    expect(await replay(claim, key)).toMatchObject({
      replayed: true,
      body: { adjudication: { version: 1 } },
    });
  });

  test('reverseClaim finishes that one first, and reverses its decision', async () => {
    const { claim } = await interrupted();
    const reversed = await provider.ask('reverseClaim', claim.id, { reason_code: 'recorded_in_error' });
    expect(reversed).toMatchObject({ status: 200, body: { status: 'reversed' } });
    expect(claims.others.accounts.get(claim.id)?.isReversed).toBe(true);
  });

  test('is executed if payments rejects that one, whose request then starts again', async () => {
    const { claim, key } = await interrupted();
    claims.others.nextRejections.set(claim.id, new ApiError('invalid_state', 'As payments says.'));
    expect((await provider.query(claim.id)).status).toBe('queried');
    expect(await replay(claim, key)).toMatchObject({ status: 409, code: 'invalid_state' });
    expect(await pending()).toEqual([]);
  });

  test('finishes a reversal first, whose release the sweep completes', async () => {
    const { id } = await provider.submitted();
    await provider.adjudicate(id, 100_000, 0);
    const expectKilled = killAt('step.after-call:reverseLiability');
    await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' });
    expectKilled();
    expect(await provider.ask('adjudicateClaim', id, adjudication(1, 0))).toMatchObject({ status: 409 });
    expect((await provider.read(id)).status).toBe('reversed');
    await claims.database.setClockOffset(60_000);
    await claims.sweep();
    await claims.database.setClockOffset(0);
    expect(claims.others.uses.has(id)).toBe(false);
  });
});

test('an interrupted adjudication that a remittance overtakes is rejected, and leaves no pending step', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  const expectKilled = killAt('step.before-call:openLiability');
  await provider.ask('adjudicateClaim', id, adjudication(0, 0));
  expectKilled();
  await provider.remit(id, 70_000);
  const [commandId = ''] = await pending();
  expect(await finishCommand(claims.sql, claims.deps.executors, provider.tenant, commandId)).toMatchObject({
    outcome: 'rejected',
    code: 'invalid_state',
  });
  const [row] = await claims.sql`select pending_step from claims where id = ${id}`;
  expect(row).toEqual({ pending_step: null });
  const reversed = await provider.ask('reverseClaim', id, { reason_code: 'recorded_in_error' });
  expect(reversed.body.status).toBe('reversed');
});

test('an interrupted adjudication that payments has executed is recorded, although an earlier remittance arrives before it', async () => {
  const { id } = await provider.submitted();
  await provider.adjudicate(id, 100_000, 50_000);
  const expectKilled = killAt('step.after-call:openLiability');
  await provider.ask('adjudicateClaim', id, adjudication(80_000, 0));
  expectKilled();
  // Payments took the remittance back before the adjudication, but claims receives both late.
  await provider.remit(id, 150_000);
  Object.assign(claims.others.accounts.get(id) ?? {}, { isRemitted: false });
  await finishAll();
  expect((await claims.sql`select 1 from adjudications where claim_id = ${id}`).length).toBe(2);
  expect((await provider.read(id)).status).toBe('partially_approved');
  expect(claims.others.accounts.get(id)?.version).toBe(2);
});

describe('while payments and benefits are unavailable, commands that need them are 503 within the deadline of a request', () => {
  const CLIENTS = 32;
  const keys = { submit: newId('key_'), cancel: newId('key_'), adjudicate: newId('key_') };
  let stepped: { claim: Claim; key: string };
  let alone: Claim;
  let busy: Claim;
  let input: ReturnType<Provider['submission']>;
  let elapsedMs: number;

  /** Sends the commands on the claim that has the pending step of another command, and that one again. */
  const onStepped = () => [
    provider.ask('cancelClaim', stepped.claim.id, { reason_code: 'aa' }, keys.cancel),
    provider.ask('adjudicateClaim', stepped.claim.id, adjudication(7, 0), keys.adjudicate),
    replay(stepped.claim, stepped.key),
  ];

  beforeAll(async () => {
    stepped = await interrupted();
    [alone, busy, input] = [await provider.submitted(), await provider.submitted(), provider.submission()];
    claims.others.outages
      .set('useForClaim', Number.POSITIVE_INFINITY)
      .set('openLiability', Number.POSITIVE_INFINITY);
    const startMs = performance.now();
    const answers = await Promise.all([
      ...onStepped(),
      provider.submit(input, keys.submit),
      provider.ask('adjudicateClaim', alone.id, adjudication(100_000, 50_000)),
      ...Array.from({ length: CLIENTS }, (_, n) =>
        provider.ask('adjudicateClaim', busy.id, adjudication(n, 0)),
      ),
    ]);
    elapsedMs = performance.now() - startMs;
    claims.others.outages.clear();
    for (const { status, code } of answers) expect([status, code]).toEqual([503, 'service_unavailable']);
  }, 60_000);

  // Twice the deadline and more, because the machine can be busy. A request that waits for the services to be back never ends here.
  test('and none waits longer', () => {
    expect(elapsedMs).toBeLessThan(30_000);
  });

  test('and those on a claim with a pending step complete afterwards in the order of their decisions', async () => {
    const answers = await Promise.all(onStepped());
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 200]);
    expect((await provider.read(stepped.claim.id)).amount.approved).toBe(7);
    expect(await countFacts(stepped.claim.id, 'approved', 'partially_approved')).toBe(2);
  });

  test('and the workflow completes all afterwards, also those of 32 clients on one claim', async () => {
    await finishAll();
    expect(await pending()).toEqual([]);
    expect((await provider.read(alone.id)).status).toBe('approved');
    expect(await provider.submit(input, keys.submit)).toMatchObject({ status: 201, replayed: true });
    expect((await provider.read(busy.id)).adjudication?.version).toBe(CLIENTS);
  });
});

test('cancelClaim while benefits is unavailable is 200, and the sweep releases what the claim used', async () => {
  const { id } = await provider.submitted();
  const outage = `releaseFromClaim ${id}` as const;
  claims.others.outages.set(outage, Number.POSITIVE_INFINITY);
  expect(await provider.ask('cancelClaim', id, { reason_code: 'aa' })).toMatchObject({
    status: 200,
    body: { status: 'cancelled' },
  });
  expect(claims.others.uses.has(id)).toBe(true);
  const sweep = claims.sweeps.find(({ name }) => name === 'ended claims that still use something');
  await claims.database.setClockOffset(60_000);
  await expect(sweep?.run()).rejects.toMatchObject({ code: 'service_unavailable' });
  claims.others.outages.delete(outage);
  await sweep?.run();
  await claims.database.setClockOffset(0);
  expect(claims.others.uses.has(id)).toBe(false);
  const [row] = await claims.sql`select released_at from claims where id = ${id}`;
  expect(row?.released_at).not.toBeNull();
});

describe('32 clients on one claim', () => {
  const CLIENTS = 32;

  test('that adjudicate are all answered, one after the other', async () => {
    const { id } = await provider.submitted();
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) => provider.ask('adjudicateClaim', id, adjudication(n, 0))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200));
    const versions = answers.map(({ body }) => body.adjudication.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: CLIENTS }, (_, n) => n + 1));
    const last = await provider.read(id);
    expect(claims.others.accounts.get(id)).toMatchObject({
      version: CLIENTS,
      payer: last.amount.approved,
    });
    expect(await pending()).toEqual([]);
  });

  test('that send different commands are all answered, also while payments fails now and then', async () => {
    const { id } = await provider.submitted();
    claims.others.outages.set(`openLiability ${id}`, 10);
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) =>
        n % 4 === 0
          ? provider.ask('requestClaimInformation', id, {
              reason_code: 'aa',
              requested_evidence_types: ['a'],
            })
          : n % 4 === 1
            ? provider.ask('cancelClaim', id, { reason_code: 'aa' })
            : provider.ask('adjudicateClaim', id, adjudication(n, 0)),
      ),
    );
    for (const { status } of answers) expect([200, 201, 409]).toContain(status);
    expect(await pending()).toEqual([]);
    const [row] = await claims.sql`select pending_step from claims where id = ${id}`;
    expect(row?.pending_step).toBeNull();
  });
});

describe('rejected commands', () => {
  const list = async (path: string, tenant = provider.tenant) =>
    (await claims.operator(tenant, path)).body.data;

  test('are listed for their claim and for the project, newest first, without input and member references', async () => {
    const one = new Provider(claims);
    const { id } = await one.submitted();
    const member = 'member:4711';
    await one.ask('reverseClaim', id, { reason_code: 'recorded_in_error' });
    const wrong = adjudication(1, 1);
    await one.ask('adjudicateClaim', id, {
      ...wrong,
      evidence_refs: [member],
      lines: wrong.lines.slice(1),
    });
    claims.others.nextRejections.set(id, new ApiError('invalid_state', 'As payments says.'));
    await one.ask('adjudicateClaim', id, adjudication(1, 0));
    await one.ask('submitClaimEvidence', id, {
      information_request_id: 'cir_unknown',
      evidence_refs: [member],
    });
    await one.answer(await one.query(id));
    await one.ask('submitClaimEvidence', id, {
      information_request_id: (await one.read(id)).information_requests[0]?.id,
      evidence_refs: [member],
    });
    const input = one.submission();
    claims.others.nextRejections.set(
      input.eligibility_check_id,
      new ApiError('not_eligible', 'As benefits says.'),
    );
    await one.submit(input);

    const ofClaim = await list(`/claims/${id}/rejected_commands`, one.tenant);
    expect(
      ofClaim.map(({ operation, code }: { operation: string; code: string }) => [operation, code]),
    ).toEqual([
      ['submitClaimEvidence', 'invalid_state'],
      ['adjudicateClaim', 'invalid_state'],
      ['adjudicateClaim', 'adjudication_lines_mismatch'],
      ['reverseClaim', 'invalid_state'],
    ]);
    expect(Object.keys(ofClaim[0]).sort()).toEqual(
      ['actor', 'code', 'message', 'operation', 'rejected_at', 'request_id', 'resource_id'].sort(),
    );
    const ofProject = await list('/rejected_commands', one.tenant);
    expect(ofProject.slice(1)).toEqual(ofClaim);
    expect(ofProject[0]).toMatchObject({ operation: 'createClaim', code: 'not_eligible' });
    expect(JSON.stringify(ofProject)).not.toContain(member);
    expect(await list('/rejected_commands', new Provider(claims).tenant)).toEqual([]);
  });
});

test('a command of another project is not finished', async () => {
  const { send } = await SUBJECTS.adjudicateClaim();
  const expectKilled = killAt('command.accepted');
  await send();
  expectKilled();
  const [commandId = ''] = await pending();
  const other = new Provider(claims).tenant;
  expect(await finishCommand(claims.sql, claims.deps.executors, other, commandId)).toEqual({
    outcome: 'deleted',
  });
  expect(await pending()).toEqual([commandId]);
  await eventually('it is finished for its project', async () => {
    await finishAll();
    return (await pending()).length === 0;
  });
});
