import { setTimeout as sleep } from 'node:timers/promises';
import { finishCommand } from '@carecover/commands';
import { newId, type Tenant, unavailable } from '@carecover/domain';
import { createLog } from '@carecover/telemetry';
import { WorkflowSignals } from '@carecover/temporal';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { outcomeOf, playRounds, type Round, raceOutcomes } from '@carecover/testing/services';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { callsOfClaims } from './activities';
import { cancelledBookingRoute } from './routes/cancelled-bookings';
import { benefitsSweeps, signalTarget } from './sweeps';
import { addBooking, check, type Opened, observation, open } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval, denial } from './testing/decisions';
import { TestBenefits } from './testing/test-benefits';

const ROUNDS = testSize({ ci: 10, soak: 50 });
jest.setTimeout(120_000);

let benefits: TestBenefits;

beforeAll(async () => {
  benefits = await TestBenefits.open(30);
});
afterAll(() => benefits.close());

async function decide(id: string, decision: typeof denial | ReturnType<typeof approval>, key?: string) {
  const params = { preauthorization_id: id };
  return benefits.call('decidePreauthorization', decision, key === undefined ? { params } : { params, key });
}

const cancel = (id: string) =>
  benefits.call(
    'cancelPreauthorization',
    { reason_code: 'plans_changed' },
    { params: { preauthorization_id: id } },
  );

async function state(id: string) {
  const [row] = await benefits.sql<{ status: string; reserved: number; used: string | null }[]>`
    select status, used_by_claim_id as used,
      (select count(*)::int from reservations r where r.preauthorization_id = p.id and released_at is null) as reserved
    from preauthorizations p where id = ${id}`;
  if (row === undefined) throw new Error('the pre-authorization does not exist');
  const events = await benefits.eventsOf(id);
  return { ...row, events: events.map(({ type }) => type.replace('preauthorization.', '')) };
}

const rounds = (runRound: (round: Round) => Promise<string[]>) =>
  playRounds(ROUNDS, async (round) => (await runRound(round)).join(' / '));

/** Creates two pending pre-authorizations of one coverage that has one remaining session. */
async function twoForOneSession(): Promise<[Opened, Opened]> {
  const shared = {
    external_coverage_reference: newId('policy-'),
    member_reference: newId('member-'),
    remaining_sessions: 1,
  };
  const first = await open(benefits, { coverage: { ...shared, source_version: '1' } });
  const second = await open(benefits, { coverage: { ...shared, source_version: '2' } });
  return [first, second];
}

test('two concurrent approvals for the last session: exactly one succeeds', async () => {
  const now = await benefits.now();
  const seen = await rounds(async (round) => {
    const [first, second] = await twoForOneSession();
    const outcome = await raceOutcomes(
      round,
      () => decide(first.preauthorization.id, approval(now)),
      () => decide(second.preauthorization.id, approval(now)),
    );
    const states = await Promise.all(
      [first, second].map(({ preauthorization }) => state(preauthorization.id)),
    );
    expect(states.map(({ status }) => status).sort()).toEqual(['approved', 'pending']);
    expect(states.reduce((sum, { reserved }) => sum + reserved, 0)).toBe(1);
    return outcome;
  });
  expect(seen).toEqual(['benefit_exhausted / done', 'done / benefit_exhausted']);
});

test('a concurrent approval and denial: one is recorded, and a denial reserves nothing', async () => {
  const now = await benefits.now();
  const seen = await rounds(async (round) => {
    const { preauthorization } = await open(benefits);
    const outcome = await raceOutcomes(
      round,
      () => decide(preauthorization.id, approval(now)),
      () => decide(preauthorization.id, denial),
    );
    const { status, reserved, events } = await state(preauthorization.id);
    expect(reserved).toBe(status === 'approved' ? 1 : 0);
    expect(events).toEqual(['requested', status]);
    return outcome;
  });
  expect(seen).toEqual(['done / invalid_state', 'invalid_state / done']);
});

test('an approval concurrent with a cancellation: both take effect in order, or one is rejected', async () => {
  const now = await benefits.now();
  const seen = await rounds(async (round) => {
    const { preauthorization } = await open(benefits);
    const outcome = await raceOutcomes(
      round,
      () => decide(preauthorization.id, approval(now)),
      () => cancel(preauthorization.id),
    );
    const { status, reserved, events } = await state(preauthorization.id);
    const isApproved = outcome[0] === 'done';
    const isCancelled = outcome[1] === 'done';
    expect([status, reserved]).toEqual(isCancelled ? ['cancelled', 0] : ['approved', 1]);
    expect(events).toEqual([
      'requested',
      ...(isApproved ? ['approved'] : []),
      ...(isCancelled ? ['cancelled'] : []),
    ]);
    return outcome;
  });
  expect(seen).toEqual(expect.arrayContaining(['done / done', 'invalid_state / done']));
});

test('an approval concurrent with its expiry: it is rejected, or its session is released, or it is not expired', async () => {
  const now = await benefits.now();
  const seen = await rounds(async (round) => {
    const { preauthorization } = await open(benefits);
    const params = { preauthorization_id: preauthorization.id };
    const outcome = await raceOutcomes(
      round,
      () => decide(preauthorization.id, approval(now)),
      () => benefits.call('expirePreauthorization', undefined, { params }),
    );
    const { status, reserved } = await state(preauthorization.id);
    expect([status, reserved]).toEqual(outcome[1] === 'done' ? ['expired', 0] : ['approved', 1]);
    return outcome;
  });
  expect(seen).toEqual(expect.arrayContaining(['done / done', 'invalid_state / done']));
});

test('ten requests under one key make one decision with one response', async () => {
  const now = await benefits.now();
  for (let round = 0; round < ROUNDS; round++) {
    const { preauthorization } = await open(benefits);
    const key = newId('key_');
    const decision = approval(now);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => decide(preauthorization.id, decision, key)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed).length).toBeLessThanOrEqual(1);
    expect(await state(preauthorization.id)).toMatchObject({
      status: 'approved',
      reserved: 1,
      events: ['requested', 'approved'],
    });
  }
});

test("a cancellation concurrent with a claim's use: the use succeeds, or the claim has no authorization", async () => {
  const now = await benefits.now();
  const claims = callsOfClaims(benefits.deps);
  const seen = await rounds(async (round) => {
    const opened = await open(benefits);
    const { id } = opened.preauthorization;
    await decide(id, approval(now));
    const claimId = newId('clm_');
    const outcome = await raceOutcomes(
      round,
      () => claims.useForClaim(useOf(opened, claimId)),
      () => cancel(id),
    );
    const { status, reserved, used } = await state(id);
    expect({ status, reserved, used }).toEqual(
      outcome[0] === 'done'
        ? { status: 'approved', reserved: 1, used: claimId }
        : { status: 'cancelled', reserved: 0, used: null },
    );
    return outcome;
  });
  expect(seen).toEqual(['authorization_required / done', 'done / invalid_state']);
});

test('two concurrent claims for one pre-authorization: one uses it', async () => {
  const now = await benefits.now();
  const claims = callsOfClaims(benefits.deps);
  const seen = await rounds(async (round) => {
    const opened = await open(benefits);
    await decide(opened.preauthorization.id, approval(now));
    const use = () => claims.useForClaim(useOf(opened, newId('clm_')));
    return raceOutcomes(round, use, use);
  });
  expect(seen).toEqual(['authorization_required / done', 'done / authorization_required']);
});

test('two concurrent requests for one booking: one is created', async () => {
  const seen = await rounds(async (round) => {
    const { checkId, bookingId } = await checked();
    const request = () =>
      benefits.call('createPreauthorization', { eligibility_check_id: checkId, booking_id: bookingId });
    return raceOutcomes(round, request, request);
  });
  expect(seen).toEqual(['done / preauthorization_exists', 'preauthorization_exists / done']);
});

test('a request concurrent with the cancellation of its booking: it is rejected, or cancelled too', async () => {
  const route = cancelledBookingRoute(benefits.deps);
  const seen = await rounds(async (round) => {
    const { checkId, bookingId } = await checked();
    const outcome = await raceOutcomes(
      round,
      () => benefits.call('createPreauthorization', { eligibility_check_id: checkId, booking_id: bookingId }),
      () => route.handle(benefits.caller, { booking_id: bookingId }, null),
    );
    await route.handle(benefits.caller, { booking_id: bookingId }, null);
    const left = await benefits.sql`
      select status from preauthorizations where booking_id = ${bookingId} and status <> 'cancelled'`;
    expect(left).toHaveLength(0);
    return outcome;
  });
  expect(seen).toEqual(['done / done', 'invalid_state / done']);
});

test('observations concurrent with approvals: never more is reserved than the current snapshot allows', async () => {
  const now = await benefits.now();
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second] = await twoForOneSession();
    const outcomes = await Promise.all([
      outcomeOf(() => decide(first.preauthorization.id, approval(now))),
      benefits.call(
        'createCoverage',
        observation(now, {
          external_coverage_reference: await externalReferenceOf(first),
          source_version: 'exhausted',
          observed_at: new Date(now - 30_000).toISOString(),
          remaining_sessions: 0,
        }),
      ),
      outcomeOf(() => decide(second.preauthorization.id, approval(now))),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'benefit_exhausted').length).toBeGreaterThanOrEqual(1);
  }
});

const CLIENTS = 32;
const COMMANDS_PER_CLIENT = testSize({ ci: 8, soak: 60 });

test(`${CLIENTS} clients, the workflows and the sweeps: every command ends, none waits for another in a circle, and no session is reserved twice`, async () => {
  const opened = await severalOfOneCoverage(6);
  const { sql, deps, care, caller } = benefits;
  // One in five confirmations fails as if care did not respond, so that approvals are finished by other executors.
  care.beforeConfirming = async () => {
    await sleep(Math.random() * 10);
    if (Math.random() < 0.2) throw unavailable('The care service');
  };
  let isOver = false;
  const background = [
    sweepUntil(() => isOver),
    signalUntil(() => isOver),
    finishUntil(caller.tenant, () => isOver),
  ];
  const command = fc.record({
    kind: fc.constantFrom('approve', 'approve', 'approve', 'deny', 'cancel', 'expire', 'check', 'use'),
    which: fc.nat({ max: opened.length - 1 }),
    validForMs: fc.integer({ min: 20, max: 400 }),
  });
  const play = async ({ kind, which, validForMs }: { kind: string; which: number; validForMs: number }) => {
    const one = opened[which];
    if (one === undefined) return;
    const { id } = one.preauthorization;
    if (kind === 'approve') await decide(id, approval(await benefits.now(), { validForMs }));
    else if (kind === 'deny') await decide(id, denial);
    else if (kind === 'cancel') await cancel(id);
    else if (kind === 'use') await callsOfClaims(deps).useForClaim(useOf(one, newId('clm_')));
    else if (kind === 'check') await check(benefits, one.memberReference, Date.parse(one.booking.startsAt));
    else await benefits.call('expirePreauthorization', undefined, { params: { preauthorization_id: id } });
    // A booking whose pre-authorization has ended gets another one.
    const { eligibility_check_id, booking_id } = one.preauthorization;
    const { body } = await benefits.call('createPreauthorization', { eligibility_check_id, booking_id });
    opened[which] = { ...one, preauthorization: body };
  };
  const drawn = fc.sample(command, CLIENTS * COMMANDS_PER_CLIENT);
  const outcomes = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const codes: string[] = [];
      for (const each of drawn.slice(client * COMMANDS_PER_CLIENT, (client + 1) * COMMANDS_PER_CLIENT))
        codes.push(await outcomeOf(() => play(each)));
      return codes;
    }),
  );
  isOver = true;
  await Promise.all(background);
  care.reset();
  expect(new Set(outcomes.flat())).not.toContain('service_unavailable');
  const [stats] = await sql`select deadlocks::int from pg_stat_database where datname = current_database()`;
  expect(stats).toEqual({ deadlocks: 0 });
  const broken = await sql`
    select p.id, p.status from preauthorizations p
    left join reservations r on r.preauthorization_id = p.id and r.released_at is null
    where p.project_id = ${caller.tenant} and p.pending_command_id is null and (r.id is null) = (p.status = 'approved')`;
  expect(broken).toEqual([]);
  const reserved = await sql`
    select id from reservations where coverage_id = ${opened[0]?.coverageId ?? ''} and released_at is null`;
  expect(reserved.length).toBeLessThanOrEqual(2);
});

/** Creates pending pre-authorizations of one coverage that has two remaining sessions. */
async function severalOfOneCoverage(count: number): Promise<Opened[]> {
  const shared = {
    external_coverage_reference: newId('policy-'),
    member_reference: newId('member-'),
    remaining_sessions: 2,
  };
  const opened: Opened[] = [];
  for (let n = 0; n < count; n++)
    opened.push(await open(benefits, { coverage: { ...shared, source_version: `${n}` } }));
  return opened;
}

async function sweepUntil(isOver: () => boolean): Promise<void> {
  const temporal = { findNotRunning: async () => [] };
  const sweeps = benefitsSweeps(benefits.deps, temporal, createLog('test', 'silent'));
  while (!isOver()) {
    // Ends the leases of some commands, so that the sweep finds them as interrupted.
    await benefits.sql`
      update pending_commands set leased_until = clock_timestamp(), attempted_at = null where random() < 0.5`;
    for (const { run } of sweeps) await run();
    await sleep(1);
  }
}

async function signalUntil(isOver: () => boolean): Promise<void> {
  const temporal = { signalOrStart: async () => true, signalRunning: async () => true };
  const settings = {
    WORKFLOW_SIGNAL_DELAY_MS: 0,
    WORKFLOW_SIGNALS_AT_ONCE: 4,
    WORKFLOW_SIGNALS_PER_SECOND: 1_000,
  };
  const log = createLog('test', 'silent');
  const signals = new WorkflowSignals(benefits.sql, temporal, log, settings, signalTarget);
  while (!isOver()) {
    await signals.sendBatch();
    await sleep(5);
  }
}

async function finishUntil(tenant: Tenant, isOver: () => boolean): Promise<void> {
  const { sql, deps } = benefits;
  while (!isOver()) {
    const pending = await sql<{ id: string }[]>`
      select id from pending_commands join commands using (id) where project_id = ${tenant} order by random() limit 3`;
    await Promise.all(
      pending.map(({ id }) => outcomeOf(() => finishCommand(sql, deps.executors, tenant, id))),
    );
    await sleep(5);
  }
}

async function checked() {
  const now = await benefits.now();
  const input = observation(now);
  await benefits.call('createCoverage', input);
  const { id: checkId } = await check(benefits, input.member_reference, now + DAY_MS);
  return { checkId, bookingId: addBooking(benefits, now + DAY_MS).bookingId };
}

async function externalReferenceOf({ coverageId }: Opened): Promise<string> {
  const { body } = await benefits.call('getCoverage', undefined, { params: { coverage_id: coverageId } });
  return body.external_coverage_reference;
}

function useOf({ booking, preauthorization }: Opened, claimId: string) {
  const session: SessionSnapshot = {
    ...booking,
    practitionerId: 'prc_1',
    status: 'delivered',
    recorded: null,
  };
  return {
    tenant: benefits.caller.tenant,
    caller: benefits.caller,
    claimId,
    eligibilityCheckId: preauthorization.eligibility_check_id,
    preauthorizationId: preauthorization.id,
    session,
    serviceCodes: ['psy.individual.50'],
  };
}
