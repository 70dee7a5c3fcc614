import { ApiError, newId } from '@carecover/domain';
import { fc } from '@carecover/testing';
import { testSize } from '@carecover/testing/servers';
import { callsOfClaims, preauthorizationSteps } from './activities';
import { BenefitModel, type ModelPreauthorization } from './testing/benefit-model';
import { addBooking, check, observation } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval, denial } from './testing/decisions';
import { TestBenefits } from './testing/test-benefits';

jest.setTimeout(1_800_000);

const SEQUENCES = testSize({ ci: 4, soak: 200 });
const COMMANDS = 30;

/** Index of a pre-authorization, counted from the newest. */
const which = fc.nat({ max: 3 });
const validForDays = fc.integer({ min: 1, max: 20 });
const command = fc.oneof(
  fc.record({
    kind: fc.constant('observe' as const),
    remaining: fc.nat({ max: 3 }),
    isActive: fc.nat({ max: 3 }).map((drawn) => drawn > 0),
    isLate: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('open' as const) }),
  fc.record({ kind: fc.constant('open' as const) }),
  fc.record({
    kind: fc.constant('approve' as const),
    which,
    validForDays,
    careTakesHalfDays: fc.constant(0),
  }),
  fc.record({
    kind: fc.constant('approve' as const),
    which,
    validForDays,
    careTakesHalfDays: fc.integer({ min: 0, max: 20 }),
  }),
  fc.record({ kind: fc.constantFrom('deny' as const, 'cancel' as const, 'expire' as const), which }),
  fc.record({ kind: fc.constantFrom('use' as const, 'free' as const), which }),
  fc.record({ kind: fc.constant('erase' as const) }),
  fc.record({
    kind: fc.constant('pass' as const),
    halfDays: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 20 }), weight: 3 },
      { arbitrary: fc.integer({ min: -5, max: -1 }), weight: 1 },
    ),
    areTimersLate: fc.boolean(),
  }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

let benefits: TestBenefits;
let offsetMs = 0;
let careTakesHalfDays = 0;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  benefits.care.beforeConfirming = () => moveClock(careTakesHalfDays);
});
afterAll(() => benefits.close());

async function moveClock(halfDays: number, ms = 0): Promise<void> {
  offsetMs += (halfDays * DAY_MS) / 2 + ms;
  await benefits.database.setClockOffset(offsetMs);
}

interface Known {
  readonly id: string;
  readonly checkId: string;
  readonly bookingId: string;
  readonly startsAtMs: number;
}

/**
 * Executes each command on one member's benefit and on the model of this benefit, and compares the two. An erasure starts a new benefit
 * with the same references; the pre-authorizations of the erased benefit continue independently.
 */
class Sequence {
  private readonly benefits: { readonly model: BenefitModel; readonly ids: Known[] }[] = [];
  private model = new BenefitModel();
  private ids: Known[] = [];
  private readonly member = newId('member-');
  private readonly policy = newId('policy-');
  private readonly claims = callsOfClaims(benefits.deps);
  private readonly steps = preauthorizationSteps(benefits.deps);

  async run(commands: readonly Command[]): Promise<void> {
    this.begin();
    await this.observe(2, true, false);
    for (const each of commands) {
      await this.executeCommand(each);
      await this.compare();
    }
  }

  private begin(): void {
    this.model = new BenefitModel();
    this.ids = [];
    this.benefits.push({ model: this.model, ids: this.ids });
  }

  private async erase(): Promise<void> {
    expect(await benefits.erase(this.member)).toBe(true);
    this.begin();
    // This eligibility check creates a new member with the same reference, so that the next erasure finds a member to erase.
    const checked = await check(benefits, this.member, (await benefits.now()) + DAY_MS);
    expect(checked.reason_codes).toEqual(['coverage_not_found']);
  }

  private async executeCommand(each: Command): Promise<void> {
    if (each.kind === 'erase') return this.erase();
    if (each.kind === 'observe') return this.observe(each.remaining, each.isActive, each.isLate);
    if (each.kind === 'open') return this.open();
    if (each.kind === 'pass') return this.pass(each.halfDays, each.areTimersLate);
    const index = this.ids.length - 1 - each.which;
    const request = this.model.requests[index];
    const known = this.ids[index];
    if (request === undefined || known === undefined) return;
    if (each.kind === 'approve') return this.approve(request, known.id, each);
    if (each.kind === 'use') return this.use(request, known);
    if (each.kind === 'free') return this.release(request);
    return this.end(each.kind, request, known.id);
  }

  private async observe(remaining: number, isActive: boolean, isLate: boolean): Promise<void> {
    const now = await benefits.now();
    const observedAtMs = isLate ? now - DAY_MS : now;
    const { body } = await benefits.call(
      'createCoverage',
      observation(now, {
        external_coverage_reference: this.policy,
        member_reference: this.member,
        source_version: newId('v'),
        remaining_sessions: remaining,
        status: isActive ? 'active' : 'paused',
        observed_at: new Date(observedAtMs).toISOString(),
      }),
    );
    this.model.observe(observedAtMs, remaining, isActive);
    expect(body.snapshot_version).toBe(this.model.snapshotVersion);
  }

  private async open(): Promise<void> {
    const startsAtMs = (await benefits.now()) + 100 * DAY_MS;
    const checked = await check(benefits, this.member, startsAtMs);
    this.model.expireReservationsIfDue(Date.parse(checked.checked_at));
    expect(checked.remaining_sessions).toBe(this.model.remaining);
    expect(checked.status).toBe(this.model.isEligible ? 'eligible' : 'ineligible');
    const { bookingId } = addBooking(benefits, startsAtMs);
    const opening = benefits.call('createPreauthorization', {
      eligibility_check_id: checked.id,
      booking_id: bookingId,
    });
    if (!this.model.isEligible) {
      expect(await codeOf(opening)).toBe('not_eligible');
      return;
    }
    const { body } = await opening;
    this.ids.push({ id: body.id, checkId: checked.id, bookingId, startsAtMs });
    this.model.open(Date.parse(body.created_at));
  }

  private async approve(
    request: ModelPreauthorization,
    id: string,
    given: { readonly validForDays: number; readonly careTakesHalfDays: number },
  ): Promise<void> {
    const now = await benefits.now();
    const decision = approval(now, { validForMs: given.validForDays * DAY_MS });
    careTakesHalfDays = given.careTakesHalfDays;
    this.model.expireIfDue(request, now);
    this.model.expireReservationsIfDue(now);
    const isTooLate = given.careTakesHalfDays >= 2 * given.validForDays;
    const expected = this.model.approvalError(request) ?? (isTooLate ? 'valid_until_in_past' : null);
    const deciding = benefits.call('decidePreauthorization', decision, {
      params: { preauthorization_id: id },
    });
    if (expected !== null) {
      expect(await codeOf(deciding)).toBe(expected);
      return;
    }
    const { body } = await deciding;
    const decidedAtMs = Date.parse(body.decision?.decided_at ?? '');
    this.model.approve(request, decidedAtMs, Date.parse(decision.valid_until));
  }

  private async end(
    kind: 'deny' | 'cancel' | 'expire',
    request: ModelPreauthorization,
    id: string,
  ): Promise<void> {
    const params = { preauthorization_id: id };
    const now = await benefits.now();
    this.model.expireIfDue(request, now);
    if (kind === 'deny') this.model.expireReservationsIfDue(now);
    const ending =
      kind === 'deny'
        ? benefits.call('decidePreauthorization', denial, { params })
        : kind === 'cancel'
          ? benefits.call('cancelPreauthorization', { reason_code: 'drawn' }, { params })
          : benefits.call('expirePreauthorization', undefined, { params });
    const isAllowed = kind === 'deny' ? request.status === 'pending' : this.model.canEnd(request);
    if (!isAllowed) {
      expect(await codeOf(ending)).toBe('invalid_state');
      return;
    }
    await ending;
    this.model.end(request, kind === 'deny' ? 'denied' : kind === 'cancel' ? 'cancelled' : 'expired');
  }

  private async use(request: ModelPreauthorization, known: Known): Promise<void> {
    const claimId = newId('clm_');
    const startsAt = new Date(known.startsAtMs).toISOString();
    const using = this.claims.useForClaim({
      tenant: benefits.caller.tenant,
      caller: benefits.caller,
      claimId,
      eligibilityCheckId: known.checkId,
      preauthorizationId: known.id,
      session: {
        sessionId: 'ses_1',
        bookingId: known.bookingId,
        practitionerId: 'prc_1',
        startsAt,
        endsAt: startsAt,
        status: 'delivered',
        paymentSource: 'covered',
        recorded: null,
      },
      serviceCodes: ['psy.individual.50'],
    });
    if (!this.model.canBeUsed(request, await benefits.now())) {
      expect(await codeOf(using)).toBe('authorization_required');
      return;
    }
    await using;
    request.claim = claimId;
  }

  private async release(request: ModelPreauthorization): Promise<void> {
    if (request.claim === null) return;
    await this.claims.releaseFromClaim({ tenant: benefits.caller.tenant, claimId: request.claim });
    request.claim = null;
    this.model.expireIfDue(request, await benefits.now());
  }

  /** Moves the clock forward or back. Unless timers are late, every pre-authorization's deadline is then checked, as its workflow would. */
  private async pass(halfDays: number, areTimersLate: boolean): Promise<void> {
    await moveClock(halfDays, 12_345);
    if (areTimersLate) return;
    for (const { id } of this.benefits.flatMap(({ ids }) => ids)) {
      await this.steps.review({ resourceId: id, tenant: benefits.caller.tenant, environment: 'sandbox' });
    }
    const now = await benefits.now();
    for (const { model } of this.benefits) {
      for (const request of model.requests) model.expireIfDue(request, now);
    }
  }

  private async compare(): Promise<void> {
    for (const benefit of this.benefits) await this.compareOne(benefit);
  }

  private async compareOne({ ids, model }: (typeof this.benefits)[number]): Promise<void> {
    const rows = await benefits.sql<{ id: string; status: string; reserved: number }[]>`
      select id, status,
        (select count(*)::int from reservations r where r.preauthorization_id = p.id and released_at is null) as reserved
      from preauthorizations p where id = any(${ids.map(({ id }) => id)}::text[]) order by id`;
    expect(rows.map(({ status, reserved }) => ({ status, reserved }))).toEqual(
      model.requests.map(({ status, reservedAtMs }) => ({
        status,
        reserved: reservedAtMs === null ? 0 : 1,
      })),
    );
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
  return 'done';
}

test(`${SEQUENCES} random sequences of ${COMMANDS} commands have the effects of the model`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' }),
      (commands) => new Sequence().run(commands),
    ),
    { numRuns: SEQUENCES, endOnFailure: true },
  );
});
