/** Decisions on pre-authorizations: their effects, and that each is executed once or taken back, whatever interrupts it. */

import { finishCommand, listRejectedCommands } from '@carecover/commands';
import type { Preauthorization, PreauthorizationDecisionInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { eventually, testSize } from '@carecover/testing/servers';
import { Killed, outcomeOf, playRounds, race, useKillPoints } from '@carecover/testing/services';
import { cancelledBookingRoute } from '../routes/cancelled-bookings';
import { reservedSessionCount } from '../store/coverages';
import { type Opened, open, useBenefits } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval, denial } from '../testing/decisions';
import { apiErrorOf, newCaller } from '../testing/test-benefits';

const ROUNDS = testSize({ ci: 10, soak: 50 });
jest.setTimeout(120_000);

const suite = useBenefits();
const killAt = useKillPoints();
afterEach(() => suite.benefits.care.reset());

const pathOf = ({ preauthorization }: Opened) => ({ preauthorization_id: preauthorization.id });

const decide = (opened: Opened, decision: PreauthorizationDecisionInput, key = newId('key_')) =>
  suite.benefits.call('decidePreauthorization', decision, { params: pathOf(opened), key });

const cancel = (opened: Opened) =>
  suite.benefits.call('cancelPreauthorization', { reason_code: 'plans_changed' }, { params: pathOf(opened) });

const expire = (opened: Opened) =>
  suite.benefits.call('expirePreauthorization', undefined, { params: pathOf(opened) });

const approvalNow = async (overrides: Parameters<typeof approval>[1] = {}) =>
  approval(await suite.benefits.now(), overrides);

async function read(opened: Opened): Promise<Preauthorization> {
  return (await suite.benefits.call('getPreauthorization', undefined, { params: pathOf(opened) })).body;
}

const eventsOf = async ({ preauthorization }: Opened) =>
  (await suite.benefits.eventsOf(preauthorization.id)).map(({ type }) =>
    type.replace('preauthorization.', ''),
  );

/** Returns for each reservation of the pre-authorization, in order of time, whether it was released. */
async function areReleased({ preauthorization: { id } }: Opened): Promise<boolean[]> {
  const rows = await suite.benefits.sql<{ released_at: Date | null }[]>`
    select released_at from reservations where preauthorization_id = ${id} order by reserved_at`;
  return rows.map(({ released_at }) => released_at !== null);
}

/** Returns the coverage's remaining sessions, as an eligibility check counts them. */
async function remainingOf({ coverageId }: Opened): Promise<number | undefined> {
  const { sql } = suite.benefits;
  const [row] = await sql<{ remaining: number }[]>`
    select o.remaining_sessions - ${reservedSessionCount(sql)} as remaining
    from coverages c join coverage_observations o on o.id = c.snapshot_observation_id where c.id = ${coverageId}`;
  return row?.remaining;
}

/** Returns the ID of the newest decision's command. */
async function commandOf({ preauthorization: { id } }: Opened): Promise<string> {
  const [row] = await suite.benefits.sql<{ id: string }[]>`
    select id from commands where resource_id = ${id} and operation = 'decidePreauthorization' order by id desc limit 1`;
  if (row === undefined) throw new Error('the decision has no command');
  return row.id;
}

/** Finishes a command as the workflow's activity does. */
const finish = (commandId: string) =>
  finishCommand(suite.benefits.sql, suite.benefits.deps.executors, suite.benefits.caller.tenant, commandId);

const pendingCommands = async ({ preauthorization: { id } }: Opened) =>
  (
    await suite.benefits
      .sql`select 1 from pending_commands join commands using (id) where resource_id = ${id}`
  ).length;

const rejectionsOf = async ({ preauthorization: { id } }: Opened) =>
  listRejectedCommands(suite.benefits.sql, suite.benefits.caller.tenant, [id]);

const confirmations = ({ booking }: Opened) =>
  suite.benefits.care.confirmed.filter((each) => each === booking.bookingId).length;

/** Checks that an approval was executed once: one fact, one event, one reserved session, and a confirmed booking. */
async function expectApprovedOnce(opened: Opened): Promise<void> {
  expect((await read(opened)).status).toBe('approved');
  expect(await eventsOf(opened)).toEqual(['requested', 'approved']);
  expect(await areReleased(opened)).toEqual([false]);
  expect([confirmations(opened), await remainingOf(opened), await pendingCommands(opened)]).toEqual([
    1, 4, 0,
  ]);
}

/** Checks that a rejected approval left the pre-authorization, the booking and the benefit unchanged, and no pending command. */
async function expectUnchanged(opened: Opened): Promise<void> {
  expect((await read(opened)).status).toBe('pending');
  expect(await eventsOf(opened)).toEqual(['requested']);
  expect([confirmations(opened), await remainingOf(opened), await pendingCommands(opened)]).toEqual([
    0, 5, 0,
  ]);
}

/** Returns a function that does the work the first time it is called, and nothing later. */
function once(work: () => unknown): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}

const end = () => {
  throw new Killed();
};

/** The points of an approval at which its process can end, with how a test lets it end there. */
const KILL_POINTS: Readonly<Record<string, () => unknown>> = {
  'before the first step': () => killAt('command.accepted'),
  'while it reserves the session': () => killAt('command.before-commit'),
  'after the session is reserved': () => killAt('command.after-commit'),
  'after the booking is confirmed': () => {
    suite.benefits.care.afterConfirming = once(end);
  },
  'before the commit': () => {
    suite.benefits.care.afterConfirming = once(() => killAt('command.before-commit'));
  },
};
const AFTER_THE_COMMIT: typeof KILL_POINTS = {
  'after the commit': () => {
    suite.benefits.care.afterConfirming = once(() => killAt('command.after-commit'));
  },
  'before the response': () => killAt('command.before-response'),
};
/** The points at which the process can end while a rejected approval is taken back. */
const TAKING_BACK: typeof KILL_POINTS = {
  'after the rejection is stored': () => killAt('command.rejected'),
  'after the confirmation is withdrawn': () => {
    suite.benefits.care.afterWithdrawing = once(end);
  },
};

/** Sends a decision whose process ends at a point. Returns the ID of its command. */
async function interruptAt(
  point: () => unknown,
  opened: Opened,
  decision: PreauthorizationDecisionInput,
  key = newId('key_'),
): Promise<string> {
  point();
  await expect(decide(opened, decision, key)).rejects.toBeInstanceOf(Killed);
  return commandOf(opened);
}

describe('a decision', () => {
  test('approval: reserves one session, confirms the booking and has the decision', async () => {
    const opened = await open(suite.benefits);
    const { preauthorization, booking, observationId } = opened;
    const decision = await approvalNow({ approved_amount: 300_000 });
    const { status, body } = await decide(opened, decision);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'approved',
      reason_codes: ['within_policy'],
      amount: { requested: 350_000, approved: 300_000, currency: 'KES' },
      valid_until: decision.valid_until,
      decision: {
        object: 'preauthorization_decision',
        version: 1,
        outcome: 'approved',
        reason_codes: ['within_policy'],
        policy: { reference: 'policy:outpatient', version: '2027.1' },
        authority_reference: suite.benefits.caller.authority,
        evidence_references: [
          'referral:8812',
          preauthorization.eligibility_check_id,
          booking.bookingId,
          observationId,
        ],
      },
    });
    expect(await read(opened)).toEqual(body);
    await expectApprovedOnce(opened);
  });

  test('denial: reserves nothing and does not change the booking', async () => {
    const opened = await open(suite.benefits);
    const { status, body } = await decide(opened, denial);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'denied',
      reason_codes: ['not_medically_necessary'],
      amount: { approved: null },
      valid_until: null,
      decision: { outcome: 'denied' },
    });
    expect([confirmations(opened), await areReleased(opened)]).toEqual([0, []]);
    expect(await eventsOf(opened)).toEqual(['requested', 'denied']);
  });

  test.each(['approved', 'denied'] as const)(
    '%s, repeated: returns the first response, and another decision is rejected',
    async (outcome) => {
      const opened = await open(suite.benefits);
      const key = newId('key_');
      const decision = outcome === 'denied' ? denial : await approvalNow();
      const other = outcome === 'denied' ? await approvalNow() : denial;
      const first = await decide(opened, decision, key);
      expect(await decide(opened, decision, key)).toEqual({ ...first, replayed: true });
      expect((await apiErrorOf(decide(opened, other))).code).toBe('invalid_state');
      expect((await apiErrorOf(decide(opened, other, key))).code).toBe('idempotency_conflict');
      expect(await eventsOf(opened)).toEqual(['requested', outcome]);
    },
  );

  test('rejected: is not stored, so the same key can be used for a corrected decision', async () => {
    const opened = await open(suite.benefits);
    const key = newId('key_');
    for (const [overrides, code] of [
      [{ approved_amount: 350_001 }, 'amount_exceeds_request'],
      [{ validForMs: -1 }, 'valid_until_in_past'],
    ] as const)
      expect((await apiErrorOf(decide(opened, await approvalNow(overrides), key))).code).toBe(code);
    expect((await decide(opened, await approvalNow(), key)).body.status).toBe('approved');
  });

  test('on a pre-authorization of another project: is rejected, and is not kept as a rejected command', async () => {
    const opened = await open(suite.benefits);
    const other = newCaller();
    for (const decision of [denial, await approvalNow()]) {
      const deciding = suite.benefits.call('decidePreauthorization', decision, {
        params: pathOf(opened),
        caller: other,
      });
      expect((await apiErrorOf(deciding)).code).toBe('resource_not_found');
    }
    expect(await listRejectedCommands(suite.benefits.sql, other.tenant, null)).toEqual([]);
  });

  test('without a remaining session: is rejected, and the request stays pending', async () => {
    const coverage = {
      external_coverage_reference: newId('policy-'),
      member_reference: newId('member-'),
      remaining_sessions: 1,
    };
    const first = await open(suite.benefits, { coverage: { ...coverage, source_version: '1' } });
    const second = await open(suite.benefits, { coverage: { ...coverage, source_version: '2' } });
    expect((await decide(first, await approvalNow())).body.status).toBe('approved');
    expect((await apiErrorOf(decide(second, await approvalNow()))).code).toBe('benefit_exhausted');
    expect((await read(second)).status).toBe('pending');
    await cancel(first);
    expect((await decide(second, await approvalNow())).body.status).toBe('approved');
  });

  test('rejected by care: releases the session, and the request stays pending', async () => {
    const opened = await open(suite.benefits);
    suite.benefits.care.cancelledBookings.add(opened.booking.bookingId);
    expect((await apiErrorOf(decide(opened, await approvalNow()))).code).toBe('invalid_state');
    await expectUnchanged(opened);
    expect(await areReleased(opened)).toEqual([true]);
  });

  test('whose valid_until passes while care confirms: is rejected, and every step is taken back', async () => {
    const opened = await open(suite.benefits);
    const key = newId('key_');
    const decision = await approvalNow({ validForMs: DAY_MS });
    suite.benefits.care.afterConfirming = once(() => suite.benefits.database.setClockOffset(DAY_MS));
    expect((await apiErrorOf(decide(opened, decision, key))).code).toBe('valid_until_in_past');
    await expectUnchanged(opened);
    expect(suite.benefits.care.withdrawn).toContain(opened.booking.bookingId);
    expect(await areReleased(opened)).toEqual([true]);
    expect((await apiErrorOf(decide(opened, decision, key))).code).toBe('valid_until_in_past');
    expect((await decide(opened, await approvalNow(), key)).body.status).toBe('approved');
    expect(confirmations(opened)).toBe(1);
  });

  test('of an approval that is taken back asks for a review, because the deadline of the decision applies again', async () => {
    const opened = await open(suite.benefits);
    suite.benefits.care.cancelledBookings.add(opened.booking.bookingId);
    await apiErrorOf(decide(opened, await approvalNow()));
    const { authority: actor, requestId } = suite.benefits.caller;
    expect(await signalledChanges(opened)).toEqual([
      { what: 'requested', at: expect.any(String), actor, requestId },
      { what: 'approval rejected: invalid_state', at: expect.any(String), actor, requestId },
    ]);
  });
});

/** Returns the changes that the pre-authorization's workflow has not received. */
async function signalledChanges({ preauthorization: { id } }: Opened): Promise<unknown[]> {
  const [row] = await suite.benefits.sql<{ changes: unknown[] }[]>`
    select changes from workflow_signals where resource_id = ${id}`;
  return row?.changes ?? [];
}

describe('an approval whose process ends', () => {
  test.each(Object.entries({ ...KILL_POINTS, ...AFTER_THE_COMMIT }))(
    '%s is executed once by the workflow, and a repeated request gets its response',
    async (_name, point) => {
      const opened = await open(suite.benefits);
      const [key, decision] = [newId('key_'), await approvalNow()];
      const commandId = await interruptAt(point, opened, decision, key);
      expect(await finish(commandId)).toEqual({ outcome: 'executed' });
      await expectApprovedOnce(opened);
      expect(await finish(commandId)).toEqual({ outcome: 'executed' });
      const repeated = await decide(opened, decision, key);
      expect(repeated).toMatchObject({ status: 200, replayed: true });
      expect(repeated.body).toEqual(await read(opened));
      await expectApprovedOnce(opened);
      expect(await rejectionsOf(opened)).toEqual([]);
    },
  );

  test.each(Object.entries({ ...KILL_POINTS, ...AFTER_THE_COMMIT }))(
    '%s is executed once by a repeated request',
    async (_name, point) => {
      const opened = await open(suite.benefits);
      const [key, decision] = [newId('key_'), await approvalNow()];
      const commandId = await interruptAt(point, opened, decision, key);
      expect(await decide(opened, decision, key)).toMatchObject({ status: 200, replayed: true });
      await expectApprovedOnce(opened);
      expect(await finish(commandId)).toEqual({ outcome: 'executed' });
    },
  );

  const REASONS = {
    invalid_state: async ({ booking }: Opened) => {
      suite.benefits.care.cancelledBookings.add(booking.bookingId);
    },
    valid_until_in_past: async () => suite.benefits.database.setClockOffset(2 * DAY_MS),
  } as const;

  /** Checks that the command is rejected with this code, that everything is taken back, and that the rejection is kept once. */
  async function expectTakenBack(
    opened: Opened,
    commandId: string,
    code: keyof typeof REASONS,
  ): Promise<void> {
    expect(await finish(commandId)).toMatchObject({ outcome: 'rejected', code });
    await expectUnchanged(opened);
    expect(await finish(commandId)).toEqual({ outcome: 'deleted' });
    const [rejection, ...others] = await rejectionsOf(opened);
    const { authority: actor, requestId: request_id } = suite.benefits.caller;
    expect(rejection).toMatchObject({ operation: 'decidePreauthorization', actor, request_id, code });
    expect(others).toEqual([]);
    expect(JSON.stringify(rejection)).not.toContain(opened.memberReference);
  }

  describe.each(Object.entries(REASONS))('and that is then rejected with %s', (code, arise) => {
    test.each(Object.entries(KILL_POINTS))('%s is taken back', async (_name, point) => {
      const opened = await open(suite.benefits);
      const decision = await approvalNow({ validForMs: DAY_MS });
      const commandId = await interruptAt(point, opened, decision);
      await arise(opened);
      await expectTakenBack(opened, commandId, code as keyof typeof REASONS);
    });

    test.each(Object.entries(TAKING_BACK))('%s keeps this reason', async (_name, point) => {
      const opened = await open(suite.benefits);
      const decision = await approvalNow({ validForMs: DAY_MS });
      if (code === 'invalid_state') await arise(opened);
      else suite.benefits.care.afterConfirming = once(() => arise(opened));
      const commandId = await interruptAt(point, opened, decision);
      await suite.benefits.database.setClockOffset(0);
      await expectTakenBack(opened, commandId, code as keyof typeof REASONS);
    });
  });
});

describe('two executors of one approval', () => {
  test('by two requests with one key at once have one effect and one response', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const opened = await open(suite.benefits);
      const [key, decision] = [newId('key_'), await approvalNow()];
      const [first, second] = await race(
        { number: round, of: ROUNDS },
        () => decide(opened, decision, key),
        () => decide(opened, decision, key),
      );
      expect(first.body).toEqual(second.body);
      expect([first.replayed, second.replayed].filter((isReplayed) => !isReplayed).length).toBeLessThan(2);
      await expectApprovedOnce(opened);
    }
  });

  test('by a request and the workflow at once have one effect and one response', async () => {
    const points = Object.values(KILL_POINTS);
    for (let round = 0; round < ROUNDS; round++) {
      const opened = await open(suite.benefits);
      const [key, decision] = [newId('key_'), await approvalNow()];
      const commandId = await interruptAt(points[round % points.length] ?? end, opened, decision, key);
      const [answer, finished] = await race(
        { number: round, of: ROUNDS },
        () => decide(opened, decision, key),
        () => finish(commandId),
      );
      expect(finished).toEqual({ outcome: 'executed' });
      expect(answer.body).toEqual(await read(opened));
      await expectApprovedOnce(opened);
    }
  });

  test('that is rejected take it back once, and both receive the reason', async () => {
    const seen = await playRounds(ROUNDS, async (round) => {
      const opened = await open(suite.benefits);
      const [key, decision] = [newId('key_'), await approvalNow()];
      const commandId = await interruptAt(
        KILL_POINTS['after the booking is confirmed'] ?? end,
        opened,
        decision,
        key,
      );
      suite.benefits.care.cancelledBookings.add(opened.booking.bookingId);
      const [outcome, finished] = await race(
        round,
        () => outcomeOf(() => decide(opened, decision, key)),
        () => finish(commandId),
      );
      expect(outcome).toBe('invalid_state');
      await expectUnchanged(opened);
      const codes = (await rejectionsOf(opened)).map(({ code }) => code);
      // A request that starts after the other executor has deleted the command is a new command, which is rejected as well.
      expect(new Set(codes)).toEqual(new Set(['invalid_state']));
      expect(codes.length).toBeLessThanOrEqual(2);
      return finished.outcome;
    });
    expect(seen).toContain('rejected');
  });

  test('one of which rejects it before the clock steps back: the other one does not record it with a withdrawn confirmation', async () => {
    const opened = await open(suite.benefits);
    const { care, database } = suite.benefits;
    let resumeOther: () => void = () => undefined;
    const resumed = new Promise<void>((resolve) => {
      resumeOther = resolve;
    });
    let other: ReturnType<typeof finish> | undefined;
    let confirmed = 0;
    care.afterConfirming = async () => {
      confirmed += 1;
      if (confirmed === 2) await resumed;
      if (confirmed > 1) return;
      other = finish(await commandOf(opened));
      while (confirmed < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      await database.setClockOffset(2 * DAY_MS);
    };
    care.afterWithdrawing = once(async () => {
      await database.setClockOffset(0);
      resumeOther();
      await Promise.allSettled([other]);
    });
    const decision = await approvalNow({ validForMs: DAY_MS });
    expect((await apiErrorOf(decide(opened, decision))).code).toBe('valid_until_in_past');
    expect(await other).toMatchObject({ outcome: 'rejected', code: 'valid_until_in_past' });
    await expectUnchanged(opened);
  });
});

describe('while an approval is in progress whose process has ended', () => {
  const POINTS = Object.entries(KILL_POINTS).slice(2);

  test.each(POINTS)('%s, a cancellation finishes it first', async (_name, point) => {
    const opened = await open(suite.benefits);
    const [key, decision] = [newId('key_'), await approvalNow()];
    await interruptAt(point, opened, decision, key);
    expect((await cancel(opened)).body.status).toBe('cancelled');
    expect(await eventsOf(opened)).toEqual(['requested', 'approved', 'cancelled']);
    expect(await areReleased(opened)).toEqual([true]);
    expect(await decide(opened, decision, key)).toMatchObject({
      replayed: true,
      body: { status: 'approved' },
    });
  });

  test.each(POINTS)('%s, the early expiry finishes it first', async (_name, point) => {
    const opened = await open(suite.benefits);
    await interruptAt(point, opened, await approvalNow());
    expect((await expire(opened)).body.status).toBe('expired');
    expect(await eventsOf(opened)).toEqual(['requested', 'approved', 'expired']);
  });

  test.each(['approved', 'denied'] as const)(
    'a second decision (%s) finishes it first, and is rejected',
    async (outcome) => {
      for (const [, point] of POINTS) {
        const opened = await open(suite.benefits);
        await interruptAt(point, opened, await approvalNow());
        const second = outcome === 'denied' ? denial : await approvalNow();
        expect((await apiErrorOf(decide(opened, second))).code).toBe('invalid_state');
        await expectApprovedOnce(opened);
        expect((await rejectionsOf(opened)).map(({ code }) => code)).toEqual(['invalid_state']);
      }
    },
  );

  test('and that care rejects, other commands take it back first and take effect', async () => {
    for (const [status, command] of [
      ['cancelled', cancel],
      ['expired', expire],
      ['denied', (opened: Opened) => decide(opened, denial)],
    ] as const) {
      const opened = await open(suite.benefits);
      await interruptAt(KILL_POINTS['after the session is reserved'] ?? end, opened, await approvalNow());
      suite.benefits.care.cancelledBookings.add(opened.booking.bookingId);
      expect((await command(opened)).body.status).toBe(status);
      expect(await eventsOf(opened)).toEqual(['requested', status]);
      expect([await remainingOf(opened), await pendingCommands(opened)]).toEqual([5, 0]);
    }
  });

  test('care reports its booking as cancelled: the pre-authorization is cancelled, and the approval is rejected', async () => {
    for (const [, point] of POINTS) {
      const opened = await open(suite.benefits);
      const commandId = await interruptAt(point, opened, await approvalNow());
      const { bookingId } = opened.booking;
      suite.benefits.care.cancelledBookings.add(bookingId);
      const route = cancelledBookingRoute(suite.benefits.deps);
      await route.handle(suite.benefits.caller, { booking_id: bookingId }, null);
      expect(await finish(commandId)).toMatchObject({ outcome: 'rejected', code: 'invalid_state' });
      expect(await eventsOf(opened)).toEqual(['requested', 'cancelled']);
      expect([await remainingOf(opened), await pendingCommands(opened)]).toEqual([5, 0]);
    }
  });

  test('the deadline of the decision does not expire it', async () => {
    const opened = await open(suite.benefits);
    const decision = await approvalNow();
    const commandId = await interruptAt(
      KILL_POINTS['after the session is reserved'] ?? end,
      opened,
      decision,
    );
    await suite.benefits.database.setClockOffset(15 * DAY_MS);
    expect(await finish(commandId)).toEqual({ outcome: 'executed' });
    await expectApprovedOnce(opened);
  });
});

test('an approval concurrent with a denial: if care rejects the approval, the denial is recorded', async () => {
  await playRounds(ROUNDS, async (round) => {
    const opened = await open(suite.benefits);
    suite.benefits.care.cancelledBookings.add(opened.booking.bookingId);
    const [approving, denying] = await race(
      round,
      async () => outcomeOf(async () => decide(opened, await approvalNow())),
      () => outcomeOf(() => decide(opened, denial)),
    );
    expect([approving, denying]).toEqual(['invalid_state', 'done']);
    expect(await eventsOf(opened)).toEqual(['requested', 'denied']);
    return denying;
  });
});

test('while care is unavailable, commands of the pre-authorization are 503 in time, and complete later; others are not delayed', async () => {
  const [opened, other, third] = [
    await open(suite.benefits),
    await open(suite.benefits),
    await open(suite.benefits),
  ];
  const { care } = suite.benefits;
  care.isAway = true;
  const [key, decision] = [newId('key_'), await approvalNow()];
  const startedMs = Date.now();
  const first = outcomeOf(() => decide(opened, decision, key));
  await eventually('a session is reserved', async () => (await areReleased(opened)).length > 0);
  const waiting = [
    first,
    outcomeOf(async () => decide(opened, await approvalNow())),
    outcomeOf(() => cancel(opened)),
    outcomeOf(() => expire(opened)),
    outcomeOf(() => decide(opened, denial)),
  ];
  expect((await decide(other, denial)).body.status).toBe('denied');
  expect((await cancel(third)).body.status).toBe('cancelled');
  expect(Date.now() - startedMs).toBeLessThan(5_000);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['service_unavailable']));
  expect(Date.now() - startedMs).toBeLessThan(14_000);
  expect((await read(opened)).status).toBe('pending');

  care.isAway = false;
  const pending = await suite.benefits.sql<{ id: string }[]>`
    select id from pending_commands join commands using (id) where resource_id = ${opened.preauthorization.id} order by id`;
  expect(pending).toHaveLength(2);
  const finished = await Promise.all(pending.map(({ id }) => finish(id)));
  expect(finished.map(({ outcome }) => outcome).sort()).toEqual(['executed', 'rejected']);
  await expectApprovedOnce(opened);
  expect((await cancel(opened)).body.status).toBe('cancelled');
});

describe('a command on an overdue pre-authorization', () => {
  test.each([
    ['an approval', async (opened: Opened) => decide(opened, await approvalNow())],
    ['a denial', (opened: Opened) => decide(opened, denial)],
    ['a cancellation', cancel],
    ['the early expiry', expire],
  ])('%s is rejected, and the expiry is recorded', async (_name, command) => {
    const opened = await open(suite.benefits);
    await suite.benefits.database.setClockOffset(14 * DAY_MS + 1_000);
    const rejection = await apiErrorOf(command(opened));
    expect(rejection.code).toBe('invalid_state');
    expect((await read(opened)).status).toBe('expired');
    expect(await eventsOf(opened)).toEqual(['requested', 'expired']);
    expect(await rejectionsOf(opened)).toEqual([
      expect.objectContaining({ code: 'invalid_state', message: rejection.message }),
    ]);
  });

  test('of an approval that expired unused, a cancellation is rejected, and the session is released', async () => {
    const opened = await open(suite.benefits);
    await decide(opened, await approvalNow({ validForMs: DAY_MS }));
    await suite.benefits.database.setClockOffset(DAY_MS);
    expect((await apiErrorOf(cancel(opened))).code).toBe('invalid_state');
    expect(await eventsOf(opened)).toEqual(['requested', 'approved', 'expired']);
    expect(await areReleased(opened)).toEqual([true]);
  });
});

test('rejected commands are kept without the member reference, newest first', async () => {
  const opened = await open(suite.benefits);
  await apiErrorOf(decide(opened, await approvalNow({ approved_amount: 350_001 })));
  await cancel(opened);
  await apiErrorOf(cancel(opened));
  await apiErrorOf(expire(opened));
  await apiErrorOf(decide(opened, denial));
  const rejected = await rejectionsOf(opened);
  expect(rejected.map(({ operation, code }) => [operation, code])).toEqual([
    ['decidePreauthorization', 'invalid_state'],
    ['expirePreauthorization', 'invalid_state'],
    ['cancelPreauthorization', 'invalid_state'],
    ['decidePreauthorization', 'amount_exceeds_request'],
  ]);
  const { authority, requestId } = suite.benefits.caller;
  for (const { actor, request_id } of rejected) expect([actor, request_id]).toEqual([authority, requestId]);
  const stored = await suite.benefits.sql`
    select to_jsonb(r) as row from rejected_commands r where resource_id = ${opened.preauthorization.id}`;
  expect(JSON.stringify(stored)).not.toContain(opened.memberReference);
});
