import { type CoverageInput, type CoverageStatus, coverageStatuses } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { type CoverageSnapshot, decideEligibility } from '../rules/eligibility';
import { addBooking, check, observation, useBenefits } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { approval } from '../testing/decisions';
import { apiErrorOf, newCaller } from '../testing/test-benefits';
import { expireIfDue } from './expire-overdue';

const running = useBenefits();

/** The day of the service. Days are counted from the start of a test. */
const SERVICE_DAY = 10;
/** The day on which the retrospective check is made. */
const TODAY = 20;

interface Stated {
  readonly coverage: number;
  readonly observed: number;
  readonly status: CoverageStatus;
  readonly priority: 1 | 2 | null;
  readonly from: number;
  readonly until: number;
  readonly limit: number;
  readonly remaining: number;
}

/** Few different values, so that observations often have the same one. */
const statedUntil = (day: number) =>
  fc
    .record({
      coverage: fc.constantFrom(0, 1),
      observed: fc.integer({ min: SERVICE_DAY - 3, max: day }),
      status: fc.constantFrom<CoverageStatus>('active', 'active', ...coverageStatuses),
      priority: fc.constantFrom(1, 2, null),
      from: fc.constantFrom(0, SERVICE_DAY, SERVICE_DAY + 1, SERVICE_DAY + 3),
      until: fc.constantFrom(SERVICE_DAY - 1, SERVICE_DAY, SERVICE_DAY + 1, SERVICE_DAY + 3, 100),
      limit: fc.constantFrom(1, 1000),
      remaining: fc.constantFrom(0, 3, 4),
    })
    .filter(({ from, until }) => from < until);

/** Returns the coverage as the rules of a retrospective check see it: the model of the SQL in store/coverages.ts. */
function inEffect(observations: readonly Stated[]): Stated {
  const ordered = observations
    .map((stated, recording) => ({ ...stated, recording }))
    .sort((a, b) => a.observed - b.observed || a.recording - b.recording);
  const first = ordered[0]?.observed ?? 0;
  const known = ordered.filter(({ observed }) => observed <= Math.max(SERVICE_DAY, first));
  const effective = known.at(-1);
  const latest = ordered.at(-1);
  if (effective === undefined || latest === undefined) throw new Error('a coverage has no observation');
  let stated = effective;
  let corrected: Stated | null = null;
  for (const later of ordered.slice(known.length)) {
    if (later.from <= SERVICE_DAY) {
      stated = later;
      corrected = null;
    } else if (later.from < stated.until) corrected = later;
  }
  const { from, until } = corrected ?? stated;
  const status = until <= SERVICE_DAY ? (corrected ?? stated).status : effective.status;
  return {
    ...effective,
    from,
    until,
    status: status === 'active' && latest.status === 'exhausted' ? 'exhausted' : status,
    remaining: latest.remaining,
  };
}

test('a retrospective check is the check of that moment if nothing was learned since, and follows what was learned', async () => {
  const { benefits } = running;
  const start = await benefits.now();
  const msOf = (day: number) => start + day * DAY_MS;
  const instantOf = (day: number) => new Date(msOf(day)).toISOString();
  const seen = { equal: 0, different: 0 };

  await fc.assert(
    fc.asyncProperty(
      fc.array(statedUntil(SERVICE_DAY), { maxLength: 4 }),
      fc.array(statedUntil(TODAY), { maxLength: 3 }),
      async (before, since) => {
        benefits.caller = newCaller();
        const member = newId('member-');
        const policy = newId('policy-');
        const state = async (stated: Stated) => {
          await benefits.call('createCoverage', {
            ...observation(start),
            member_reference: member,
            external_coverage_reference: `${policy}-${stated.coverage}`,
            source_version: newId('v-'),
            status: stated.status,
            coordination_priority: stated.priority,
            valid_from: instantOf(stated.from),
            valid_until: instantOf(stated.until),
            observed_at: instantOf(stated.observed),
            amount_limit: stated.limit,
            remaining_sessions: stated.remaining,
          });
        };
        const ask = async (retrospective: boolean) => {
          const { id, checked_at, ...answer } = await check(benefits, member, msOf(SERVICE_DAY), {
            amount: 500,
            retrospective,
          });
          expect([id, checked_at]).toEqual([expect.stringMatching(/^elig_/), expect.any(String)]);
          return answer;
        };
        await benefits.database.stopClock(msOf(SERVICE_DAY));
        for (const stated of before) await state(stated);
        const then = await ask(false);
        await benefits.database.stopClock(msOf(TODAY));
        expect(await ask(true)).toEqual(then);
        for (const stated of since) await state(stated);
        const now = await ask(true);

        const modelOf = (all: readonly Stated[]) => {
          const coverages = [0, 1].flatMap((number) => {
            const own = all.filter(({ coverage }) => coverage === number);
            return own.length === 0 ? [] : [{ number, ...inEffect(own) }];
          });
          const snapshots = coverages.map(
            (each): CoverageSnapshot => ({
              coverageId: `cov_${each.number}`,
              observationId: 'cobs_1',
              status: each.status,
              amountLimit: each.limit,
              remainingSessions: each.remaining,
              authorizationRequired: true,
              coordinationPriority: each.priority,
              validFrom: new Date(msOf(each.from)),
              validUntil: new Date(msOf(each.until)),
              observedAt: new Date(msOf(each.observed)),
              recording: all.findLastIndex(
                ({ coverage, observed }) => coverage === each.number && observed === each.observed,
              ),
            }),
          );
          const question = { scheduledAt: new Date(msOf(SERVICE_DAY)), amount: 500 };
          const { reasonCodes, coverage } = decideEligibility(question, snapshots);
          return {
            reason_codes: reasonCodes,
            maximum_per_session: coverage?.amountLimit ?? null,
            remaining_sessions: coverage?.remainingSessions ?? null,
            coverage_valid_until: coverage?.validUntil.toISOString() ?? null,
          };
        };
        const fieldsOf = (answer: typeof now) => ({
          reason_codes: answer.reason_codes,
          maximum_per_session: answer.amount.maximum_per_session,
          remaining_sessions: answer.remaining_sessions,
          coverage_valid_until: answer.coverage_valid_until,
        });
        expect(fieldsOf(then)).toEqual(modelOf(before));
        expect(fieldsOf(now)).toEqual(modelOf([...before, ...since]));
        const isEqual = JSON.stringify(now) === JSON.stringify(then);
        seen[isEqual ? 'equal' : 'different'] += 1;
      },
    ),
    { numRuns: testSize({ ci: 40, soak: 150 }) },
  );
  expect(Math.min(seen.equal, seen.different)).toBeGreaterThan(0);
});

describe('a retrospective check', () => {
  const startsAgo = 5 * DAY_MS;

  /** Records a coverage that the payer observed 20 days ago. `ask` checks a session of five days ago; `learn` records a later observation. */
  async function covered(changes: (at: (offsetMs: number) => string) => Partial<CoverageInput> = () => ({})) {
    const { benefits } = running;
    const now = await benefits.now();
    const at = (offsetMs: number) => new Date(now + offsetMs).toISOString();
    const input = observation(now, { observed_at: at(-20 * DAY_MS), ...changes(at) });
    await benefits.call('createCoverage', input);
    return {
      at,
      startsAtMs: now - startsAgo,
      ask: () => check(benefits, input.member_reference, now - startsAgo, { retrospective: true }),
      learn: (change: Partial<CoverageInput>) =>
        benefits.call('createCoverage', {
          ...input,
          source_version: newId('v-'),
          observed_at: at(-DAY_MS),
          ...change,
        }),
      member: input.member_reference,
    };
  }

  test('accepts a time in the past, which a check without `retrospective` rejects', async () => {
    const { ask, member, startsAtMs } = await covered();
    expect(await ask()).toMatchObject({ status: 'eligible', remaining_sessions: 5 });
    for (const input of [{}, { retrospective: false }]) {
      const { code } = await apiErrorOf(check(running.benefits, member, startsAtMs, input));
      expect(code).toBe('session_in_past');
    }
  });

  test('counts a coverage that ended before the service, which the payer learned later', async () => {
    const { ask, learn, at } = await covered();
    const first = await ask();
    await learn({ valid_until: at(-startsAgo) });
    expect(first.reason_codes).toEqual(['eligible']);
    expect((await ask()).reason_codes).toEqual(['outside_coverage_period']);
    await learn({ observed_at: at(-1000), valid_until: at(-startsAgo - 1), status: 'expired' });
    expect((await ask()).reason_codes).toEqual(['coverage_inactive', 'outside_coverage_period']);
    await learn({ observed_at: at(-10), valid_until: at(DAY_MS) });
    expect((await ask()).reason_codes).toEqual(['eligible']);
  });

  test('counts a start of the cover that was corrected, and not the following period of a renewal', async () => {
    const { ask, learn, at } = await covered((of) => ({ valid_until: of(-3 * DAY_MS) }));
    await learn({ valid_from: at(-3 * DAY_MS), valid_until: at(300 * DAY_MS) });
    expect((await ask()).reason_codes).toEqual(['eligible']);
    await learn({ valid_from: at(-4 * DAY_MS), valid_until: at(300 * DAY_MS), observed_at: at(-1000) });
    expect((await ask()).reason_codes).toEqual(['outside_coverage_period']);
  });

  test('does not count a pause, a limit and an authorization that began after the service', async () => {
    const { ask, learn } = await covered(() => ({ authorization_required: false }));
    const first = await ask();
    await learn({ status: 'paused', amount_limit: 1, authorization_required: true });
    expect({ ...(await ask()), id: '', checked_at: '' }).toEqual({ ...first, id: '', checked_at: '' });
  });

  test('relies on the first observation if the payer observed none before the service', async () => {
    const { ask, learn, at } = await covered((of) => ({ observed_at: of(-2 * DAY_MS) }));
    await learn({ status: 'paused', observed_at: at(-DAY_MS) });
    expect(await ask()).toMatchObject({ status: 'eligible' });
  });

  test('has the remaining sessions of now', async () => {
    const { ask, learn } = await covered(() => ({ remaining_sessions: 9 }));
    await learn({ remaining_sessions: 2 });
    const { benefits } = running;
    const now = await benefits.now();
    const eligible = await ask();
    expect(eligible.remaining_sessions).toBe(2);
    const { bookingId } = addBooking(benefits, now - startsAgo, {
      isRecorded: true,
      startsAt: eligible.service.scheduled_at,
    });
    const { body } = await benefits.call('createPreauthorization', {
      eligibility_check_id: eligible.id,
      booking_id: bookingId,
    });
    await benefits.call('decidePreauthorization', approval(now), {
      params: { preauthorization_id: body.id },
    });
    expect((await ask()).remaining_sessions).toBe(1);
    await learn({ status: 'exhausted', remaining_sessions: 0, observed_at: new Date(now).toISOString() });
    expect((await ask()).reason_codes).toEqual(['benefit_exhausted']);
  });

  test('of a member who has withdrawn consent is rejected', async () => {
    const { ask, member } = await covered();
    await running.benefits.call('recordConsent', { member_reference: member, status: 'withdrawn' });
    expect((await apiErrorOf(ask())).code).toBe('consent_required');
  });
});

describe('a retrospective authorization', () => {
  /** Creates a retrospective check for a session that started five days ago, and its booking. */
  async function past(isRecorded: boolean, retrospective = true) {
    const { benefits } = running;
    const now = await benefits.now();
    const input = observation(now, { observed_at: new Date(now - 20 * DAY_MS).toISOString() });
    await benefits.call('createCoverage', input);
    const startsAtMs = now - 5 * DAY_MS;
    if (!retrospective) await benefits.database.stopClock(startsAtMs - DAY_MS);
    const { id } = await check(benefits, input.member_reference, startsAtMs, { retrospective });
    await benefits.database.setClockOffset(0);
    const booking_id = addBooking(benefits, startsAtMs, { isRecorded }).bookingId;
    return () => benefits.call('createPreauthorization', { eligibility_check_id: id, booking_id });
  }

  test('of a recorded session is pending for 14 days, and then expires', async () => {
    const { benefits } = running;
    const { body } = await (await past(true))();
    const params = { preauthorization_id: body.id };
    const statusIn = async (offsetMs: number) => {
      await benefits.database.stopClock(Date.parse(body.created_at) + offsetMs);
      await expireIfDue(benefits.sql, benefits.caller.tenant, body.id);
      return (await benefits.call('getPreauthorization', undefined, { params })).body.status;
    };
    expect(await statusIn(14 * DAY_MS - 1)).toBe('pending');
    expect(await statusIn(14 * DAY_MS)).toBe('expired');
  });

  test('is approved and reserves a session', async () => {
    const { benefits } = running;
    const { body } = await (await past(true))();
    const decided = await benefits.call('decidePreauthorization', approval(await benefits.now()), {
      params: { preauthorization_id: body.id },
    });
    expect(decided.body.status).toBe('approved');
    expect(benefits.care.confirmed).toContain(body.booking_id);
  });

  test('needs a recorded session and a retrospective check', async () => {
    expect((await apiErrorOf((await past(false))())).code).toBe('session_in_past');
    expect((await apiErrorOf((await past(true, false))())).code).toBe('session_in_past');
  });
});
