/**
 * Kills a claims process at each failpoint of a submission and an adjudication. For each call to another service, also kills
 * that service between its commit and its response, and the calling service before the call or after the response. The client then repeats
 * the request. The request and its repetitions must together have exactly one effect, and the same response as an uninterrupted request.
 * Only the soak test tests every failpoint; otherwise the seed of the test run draws some of each command and one of each step.
 */
import type { Claim, Event, PreauthorizationId } from '@carecover/client';
import { operations } from '@carecover/contract';
import { drawCases } from '@carecover/testing';
import { eventually, freeze, setFailpoint, testSize } from '@carecover/testing/servers';
import { retryUntilResponse, useWorld, World } from '@carecover/testing/stack';
import { Client as Database } from 'pg';
import { Aftermath } from './aftermath';
import { listRunningWorkflows } from './running-workflows';

/** The names of the failpoints of a command, in the order in which the command reaches them. */
const FAILPOINTS = [
  'command.accepted', // after the command row was inserted
  'command.prepared', // before the first call that changes another service
  'command.deciding', // after the calls to other services
  'command.before-commit',
  'command.after-commit',
  'command.before-response',
  'relay.before-publish',
] as const;

const DAY_MS = 24 * 3_600_000;

const running = useWorld();

type ServiceToKill = 'claims' | 'care' | 'benefits' | 'payments';

/**
 * The steps of a submission in other services: for each failpoint, the service whose process is killed there, and the failpoint's name,
 * which contains the name of the step.
 */
const SUBMISSION_STEPS: readonly [ServiceToKill, string][] = [
  ['claims', 'step.before-call:sessionForClaim'],
  ['care', 'step.before-response:sessionForClaim'],
  ['claims', 'step.before-call:useForClaim'],
  ['benefits', 'step.before-response:useForClaim'],
  ['claims', 'step.after-call:useForClaim'],
];
const ADJUDICATION_STEPS: readonly [ServiceToKill, string][] = [
  ['claims', 'step.before-call:openLiability'],
  ['payments', 'step.before-response:openLiability'],
  ['claims', 'step.after-call:openLiability'],
];

/** The number of failpoints of a submission, and of an adjudication, that are tested if the test is not a soak test. */
const DRAWN = 3;

function failpointsOf(
  operation: string,
  steps: readonly [ServiceToKill, string][],
): [ServiceToKill, string][] {
  const own = FAILPOINTS.map((point): [ServiceToKill, string] => [
    'claims',
    point.startsWith('relay') ? point : `${point}:${operation}`,
  ]);
  const all = [...own, ...steps];
  return testSize({ ci: drawCases(all, DRAWN), soak: all });
}

/**
 * Returns the failpoints of a call to another service: before and after the commit of that service, and after the calling service
 * has received the response. Only soak tests use all of them, and the failpoint before the commit, where a kill only repeats the step.
 */
function failpointsOfStep(
  step: string,
  caller: ServiceToKill,
  callee: ServiceToKill,
): [ServiceToKill, string][] {
  const failpoints: [ServiceToKill, string][] = [
    [callee, `step.before-commit:${step}`],
    [callee, `step.before-response:${step}`],
    [caller, `step.after-call:${step}`],
  ];
  return testSize({ ci: drawCases(failpoints.slice(1), 1), soak: failpoints });
}

/** Waits until a resource has `count` events, and returns their types, oldest first. */
async function waitForEvents(resourceId: string, count: number): Promise<Event['type'][]> {
  return eventually(`the resource has ${count} events`, async () => {
    const types: Event['type'][] = [];
    for await (const { data, type } of running.world.client.events.list({ limit: 100 })) {
      if ('id' in data && data.id === resourceId) types.push(type);
    }
    return types.length >= count && types.reverse();
  });
}

async function readFacts({ id }: Claim): Promise<string[]> {
  const { updated_at } = await running.world.client.claims.retrieve(id);
  const { events } = await running.world.client.claims.valuation(id, { valuation_at: updated_at });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.map(({ type }) => type);
}

async function findClaimsByReference(reference: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, provider_claim_reference } of running.world.client.claims.list({ limit: 100 })) {
    if (provider_claim_reference === reference) ids.push(id);
  }
  return ids;
}

test.each(failpointsOf(operations.createClaim.id, SUBMISSION_STEPS))(
  'a submission creates one claim although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const claimable = await world.createClaimableSession();
    const input = world.claimInput(claimable);
    const expectKilled = await setFailpoint(running.stack, service, point);
    const claim = await retryUntilResponse((options) => world.client.claims.submit(input, options));
    await expectKilled();
    expect(await readFacts(claim)).toEqual(['created', 'validated', 'submitted']);
    expect(await waitForEvents(claim.id, 1)).toEqual(['claim.submitted']);
    expect(await findClaimsByReference(input.provider_claim_reference)).toEqual([claim.id]);
    const cancellation = world.client.preauthorizations.cancel(claimable.preauthorization.id, {
      reason_code: 'not_wanted',
    });
    await expect(cancellation).rejects.toMatchObject({ code: 'invalid_state' });
  },
);

test.each(failpointsOf(operations.adjudicateClaim.id, ADJUDICATION_STEPS))(
  'an adjudication is recorded once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const submitted = await world.createSubmittedClaim();
    expect(await waitForEvents(submitted.id, 1)).toEqual(['claim.submitted']);
    const expectKilled = await setFailpoint(running.stack, service, point);
    const claim = await retryUntilResponse((options) =>
      world.client.claims.adjudicate(submitted.id, world.adjudicationInput(), options),
    );
    await expectKilled();
    expect(claim.adjudication?.version).toBe(1);
    expect(await readFacts(claim)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
    expect(await waitForEvents(claim.id, 2)).toEqual(['claim.submitted', 'claim.partially_approved']);
    const allocations = [{ claim_id: claim.id, paid_amount: 300_000 }];
    const remittance = await world.client.remittances.create(world.remittanceInput(allocations));
    expect(remittance.status).toBe('received');
  },
);

test('an adjudication that is interrupted between payments and its commit, and never repeated, is finished by the workflow', async () => {
  const { world } = running;
  const submitted = await world.createSubmittedClaim();
  const expectKilled = await setFailpoint(running.stack, 'claims', 'step.after-call:openLiability');
  const once = { maxRetries: 0 };
  await expect(
    world.client.claims.adjudicate(submitted.id, world.adjudicationInput(), once),
  ).rejects.toBeInstanceOf(Error);
  await expectKilled();
  await endLeases();
  await eventually(
    'the claim is adjudicated',
    async () => (await world.client.claims.retrieve(submitted.id)).status === 'partially_approved',
    90_000,
  );
  expect(await readFacts(submitted)).toEqual(['created', 'validated', 'submitted', 'partially_approved']);
});

test.each(failpointsOfStep('confirmBooking', 'benefits', 'care'))(
  'an approval confirms its booking once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const { preauthorization, bookingId } = await world.createPendingPreauthorization();
    const expectKilled = await setFailpoint(running.stack, service, point);
    const approval = world.approvalInput();
    const decided = await retryUntilResponse((options) =>
      world.client.preauthorizations.decide(preauthorization.id, approval, options),
    );
    await expectKilled();
    expect([decided.status, decided.decision?.version]).toEqual(['approved', 1]);
    expect((await world.client.bookings.retrieve(bookingId)).status).toBe('confirmed');
    expect(await waitForEvents(decided.id, 2)).toEqual([
      'preauthorization.requested',
      'preauthorization.approved',
    ]);
  },
);

describe('an approval whose valid_until passes while care confirms', () => {
  let offsetMs = 0;
  const VALID_MS = 60_000;
  afterAll(() => running.moveClock(0));

  /**
   * Sends the payer's approval while the care process is suspended. Moves the clock that all rules use past the approval's `valid_until`,
   * and then resumes care.
   */
  async function approveTooLate(id: PreauthorizationId): Promise<unknown> {
    const { world } = running;
    const resumes = running.stack.part('care').pids.map((pid) => freeze(pid));
    const valid_until = new Date(Date.now() + offsetMs + VALID_MS).toISOString();
    const deciding = retryUntilResponse((options) =>
      world.client.preauthorizations.decide(id, world.approvalInput({ valid_until }), options),
    );
    // Prevents an unhandled rejection: the call that records the decision can fail before the test awaits its promise.
    deciding.catch(() => undefined);
    try {
      await eventually('a session is reserved', () => hasReservation(id));
      offsetMs += 2 * VALID_MS;
      await running.moveClock(offsetMs);
    } finally {
      for (const resume of resumes) resume();
    }
    return deciding;
  }

  test.each(failpointsOfStep('withdrawConfirmation', 'benefits', 'care'))(
    'is rejected for that, and its booking is reserved again, although %s is killed at %s',
    async (service, point) => {
      const { world } = running;
      const { preauthorization, bookingId } = await world.createPendingPreauthorization();
      const expectKilled = await setFailpoint(running.stack, service, point);
      await expect(approveTooLate(preauthorization.id)).rejects.toMatchObject({
        code: 'valid_until_in_past',
      });
      await expectKilled();
      expect((await world.client.preauthorizations.retrieve(preauthorization.id)).status).toBe('pending');
      expect((await world.client.bookings.retrieve(bookingId)).status).toBe('reserved');
      expect(await hasReservation(preauthorization.id)).toBe(false);
      expect(await waitForEvents(preauthorization.id, 1)).toEqual(['preauthorization.requested']);
    },
  );
});

test.each(failpointsOfStep('releaseFromClaim', 'claims', 'benefits'))(
  'a cancelled claim releases its pre-authorization although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const claimable = await world.createClaimableSession();
    const submitted = await world.client.claims.submit(world.claimInput(claimable));
    const expectKilled = await setFailpoint(running.stack, service, point);
    const claim = await retryUntilResponse((options) =>
      world.client.claims.cancel(submitted.id, { reason_code: 'entered_in_error' }, options),
    );
    expect(await readFacts(claim)).toEqual(['created', 'validated', 'submitted', 'cancelled']);
    expect(await waitForEvents(claim.id, 2)).toEqual(['claim.submitted', 'claim.cancelled']);
    const input = world.claimInput(claimable);
    const again = await retryUntilResponse((options) => world.client.claims.submit(input, options));
    expect(again.status).toBe('submitted');
    await expectKilled();
  },
);

test.each(failpointsOfStep('reverseLiability', 'claims', 'payments'))(
  'a reversal is posted once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const decided = await world.createAdjudicatedClaim();
    const expectKilled = await setFailpoint(running.stack, service, point);
    const claim = await retryUntilResponse((options) =>
      world.client.claims.reverse(decided.id, { reason_code: 'entered_in_error' }, options),
    );
    await expectKilled();
    expect(await readFacts(claim)).toEqual([
      'created',
      'validated',
      'submitted',
      'partially_approved',
      'reversed',
    ]);
    expect(await waitForEvents(claim.id, 3)).toEqual([
      'claim.submitted',
      'claim.partially_approved',
      'claim.reversed',
    ]);
  },
);

test.each(failpointsOfStep('knownClaims', 'payments', 'claims'))(
  'a remittance to a claim that is not adjudicated is rejected for that although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const { id: claim_id } = await world.createSubmittedClaim();
    const expectKilled = await setFailpoint(running.stack, service, point);
    const input = world.remittanceInput([{ claim_id, paid_amount: 300_000 }]);
    const remitting = retryUntilResponse((options) => world.client.remittances.create(input, options));
    await expect(remitting).rejects.toMatchObject({ code: 'claim_not_adjudicated' });
    await expectKilled();
  },
);

test.each(failpointsOfStep('recordRemittance', 'payments', 'claims'))(
  'a remittance is recorded once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const claim = await world.createAdjudicatedClaim();
    const expectKilled = await setFailpoint(running.stack, service, point);
    const input = world.remittanceInput([{ claim_id: claim.id, paid_amount: 300_000 }]);
    const remittance = await retryUntilResponse((options) => world.client.remittances.create(input, options));
    await expectKilled();
    expect(remittance.status).toBe('received');
    expect((await readFacts(claim)).slice(4)).toEqual(['remittance_recorded']);
  },
);

test.each(failpointsOfStep('recordSettlement', 'payments', 'claims'))(
  'a settlement is recorded once although %s is killed at %s',
  async (service, point) => {
    const { world } = running;
    const claim = await world.createAdjudicatedClaim();
    const advice = world.remittanceInput([{ claim_id: claim.id, paid_amount: 300_000 }]);
    const remittance = await world.client.remittances.create(advice);
    const expectKilled = await setFailpoint(running.stack, service, point);
    const input = world.settlementInput(remittance.id);
    const settlement = await retryUntilResponse((options) => world.client.settlements.create(input, options));
    await expectKilled();
    expect(settlement.remittance_id).toBe(remittance.id);
    expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
    expect((await readFacts(claim)).slice(4)).toEqual(['remittance_recorded', 'settled', 'reconciled']);
    expect((await waitForEvents(claim.id, 3)).at(-1)).toBe('claim.settled');
  },
);

test('the workflow of a reconciled remittance ends although payments and then Temporal are killed after its settlement was committed', async () => {
  const { world, stack } = running;
  const claim = await world.createAdjudicatedClaim();
  const advice = world.remittanceInput([{ claim_id: claim.id, paid_amount: 300_000 }]);
  const remittance = await world.client.remittances.create(advice);
  await eventually('its workflow runs', async () => (await listRunningWorkflows(running)).has(remittance.id));
  await setFailpoint(running.stack, 'payments', 'write.after-commit:createSettlement');
  const payments = stack.part('payments');
  const started = payments.pids.length;
  payments.disableRestart();
  const input = world.settlementInput(remittance.id);
  const settling = retryUntilResponse((options) => world.client.settlements.create(input, options));
  await eventually('payments is killed', async () => payments.pids.length < started);
  const temporal = stack.part('temporal');
  await temporal.kill();
  await temporal.start();
  await payments.restart();
  await settling;
  expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
  await eventually(
    'the workflow ends',
    async () => !(await listRunningWorkflows(running)).has(remittance.id),
  );
});

/** The failpoints of an advance of a clock: of the gateway, and of the services between the items of one transaction. */
const CLOCK_FAILPOINTS: readonly ['gateway' | ServiceToKill, string][] = [
  ['gateway', 'clock.before-item'],
  ['gateway', 'clock.after-item'],
  ['benefits', 'clock.executed-item'],
  ['claims', 'clock.executed-item'],
];

test.each(testSize({ ci: drawCases(CLOCK_FAILPOINTS, 2), soak: CLOCK_FAILPOINTS }))(
  'an advance of a clock executes each due item once, at its own instant, although %s is killed at %s',
  async (service, point) => {
    const { clients } = running;
    const start = new Date().toISOString();
    const { secret_key } = await running.world.client.testClocks.create({ name: 'Killed', now: start });
    const client = clients.create(secret_key, { maxRetries: 30 });
    const { receivers, moveClock, limitEndpoints } = running.world;
    const world = new World(client, receivers, moveClock, limitEndpoints);
    const deadlines = new Map<string, string>();
    for (let n = 0; n < 3; n++) {
      const { preauthorization, startsAt } = await world.createPendingPreauthorization();
      const decideBy = new Date(Date.parse(preauthorization.created_at) + 14 * DAY_MS).toISOString();
      deadlines.set(preauthorization.id, decideBy < startsAt ? decideBy : startsAt);
    }
    for (const days of [5, 15]) {
      const claim = await world.createSubmittedClaim();
      const due_at = world.daysFromNow(days);
      const question = { reason_code: 'notes_missing', requested_evidence_types: ['notes'], due_at };
      await client.claims.requestInformation(claim.id, question);
      deadlines.set(claim.id, due_at);
    }
    const expectKilled = await setFailpoint(running.stack, service, point);
    const to = world.daysFromNow(400);
    await retryUntilResponse((options) => client.testClock.advance({ to }, options));
    await expectKilled();
    const clock = await eventually(
      'the advance has ended',
      async () => {
        // The lease of the killed gateway ends after 30 seconds otherwise.
        if (service === 'gateway')
          await query(`update gateway.test_clocks set leased_until = platform.real_now() - interval '1 second'
            where status = 'advancing'`);
        const { status, now } = await client.testClock.retrieve();
        if (status === 'failed') await client.testClock.advance({ to });
        return status === 'ready' && { status, now };
      },
      90_000,
    );
    expect(clock).toEqual({ status: 'ready', now: to });

    const executed = async () => {
      const found: [string, string][] = [];
      for await (const { data, created_at } of client.events.list({
        type: 'preauthorization.expired',
        limit: 100,
      }))
        if ('id' in data) found.push([data.id, created_at]);
      for (const id of deadlines.keys()) {
        if (!id.startsWith('clm_')) continue;
        const { events } = await client.claims.valuation(id as Claim['id'], { valuation_at: to });
        for (const { recorded_at, reason_code } of events)
          if (reason_code === 'information_request_lapsed') found.push([id, recorded_at]);
      }
      return found.sort();
    };
    await eventually('all events are stored', async () => (await executed()).length >= deadlines.size);
    expect(await executed()).toEqual([...deadlines].sort());
  },
);

test('afterwards no command is pending, the ledger balances, and exactly the open resources have workflows', async () => {
  const after = new Aftermath(running, new Set());
  await after.expectBalancedLedger();
  await after.expectWorkflowsOfOpenResources();
});

async function query(text: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const database = new Database({ connectionString: running.stack.file.database_url });
  await database.connect();
  try {
    return (await database.query(text, [...values])).rows;
  } finally {
    await database.end();
  }
}

async function hasReservation(preauthorizationId: PreauthorizationId): Promise<boolean> {
  const held = 'select 1 from benefits.reservations where preauthorization_id = $1 and released_at is null';
  return (await query(held, [preauthorizationId])).length > 0;
}

/** Ends the leases of the pending commands of claims, which end after 15 seconds otherwise. */
async function endLeases(): Promise<void> {
  await query('update claims.pending_commands set leased_until = clock_timestamp()');
}
