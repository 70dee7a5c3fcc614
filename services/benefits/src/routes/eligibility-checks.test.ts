import type { ConsentInput, CoverageInput } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { observation } from '../testing/care-path';
import { DAY_MS } from '../testing/days';
import { apiErrorOf, newCaller, TestBenefits } from '../testing/test-benefits';

let benefits: TestBenefits;
let now: number;

beforeAll(async () => {
  benefits = await TestBenefits.open();
});
beforeEach(async () => {
  now = await benefits.now();
});
afterAll(() => benefits.close());

const at = (offsetMs: number) => new Date(now + offsetMs).toISOString();

function ask(
  member_reference: string,
  overrides: Partial<Parameters<typeof question>[1]> = {},
  options = {},
) {
  return benefits.call('createEligibilityCheck', question(member_reference, overrides), options);
}

function question(
  member_reference: string,
  overrides: Partial<{
    service_code: string;
    scheduled_at: string;
    amount: number;
    currency: 'KES' | 'USD';
  }> = {},
) {
  return {
    member_reference,
    service_code: 'psy.individual.50',
    scheduled_at: at(10 * DAY_MS),
    amount: 350_000,
    currency: 'KES' as const,
    ...overrides,
  };
}

async function cover(overrides: Partial<CoverageInput> = {}) {
  const input = observation(now, overrides);
  const { body } = await benefits.call('createCoverage', input);
  return { member: input.member_reference, observation: body, input };
}

const say = (member_reference: string, status: ConsentInput['status'], caller = benefits.caller) =>
  benefits.call('recordConsent', { member_reference, status }, { caller });

describe('a check', () => {
  test('of an active coverage is eligible, has the values of the coverage, and is read unchanged', async () => {
    const { member, input } = await cover();
    const { status, body } = await ask(member, { scheduled_at: at(DAY_MS).replace('Z', '+00:00') });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^elig_/),
      object: 'eligibility_check',
      status: 'eligible',
      reason_codes: ['eligible'],
      service: { code: 'psy.individual.50', scheduled_at: at(DAY_MS) },
      amount: { requested: 350_000, currency: 'KES', maximum_per_session: 400_000 },
      authorization_required: true,
      remaining_sessions: 5,
      coverage_valid_until: input.valid_until,
      checked_at: expect.any(String),
    });
    const params = { eligibility_check_id: body.id };
    expect((await benefits.call('getEligibilityCheck', undefined, { params })).body).toEqual(body);
  });

  test.each([
    ['an unknown member', () => 'unknown-member', {}],
    ['another service', (member: string) => member, { service_code: 'other' }],
    ['another currency', (member: string) => member, { currency: 'USD' as const }],
  ])('of %s finds no coverage, and the fields of the coverage are null', async (_, memberOf, overrides) => {
    const { member } = await cover();
    const { body } = await ask(memberOf(member), overrides);
    expect(body).toMatchObject({
      status: 'ineligible',
      reason_codes: ['coverage_not_found'],
      amount: { maximum_per_session: null },
      authorization_required: false,
      remaining_sessions: null,
      coverage_valid_until: null,
    });
  });

  test('is evaluated on the snapshot, not on observations that arrived late', async () => {
    const { member, input } = await cover({ remaining_sessions: 3 });
    await benefits.call('createCoverage', {
      ...input,
      source_version: 'late',
      remaining_sessions: 0,
      observed_at: at(-DAY_MS),
    });
    expect((await ask(member)).body.remaining_sessions).toBe(3);
    await benefits.call('createCoverage', {
      ...input,
      source_version: 'new',
      status: 'paused',
      observed_at: at(-1),
    });
    expect((await ask(member)).body.reason_codes).toEqual(['coverage_inactive']);
  });

  test('sees no coverage of another project', async () => {
    const { member } = await cover();
    const theirs = await ask(member, {}, { caller: newCaller() });
    expect(theirs.body.reason_codes).toEqual(['coverage_not_found']);
  });

  test('of a time in the past is rejected, and nothing is stored', async () => {
    const { member } = await cover();
    const key = newId('key_');
    expect((await apiErrorOf(ask(member, { scheduled_at: at(-1_000) }, { key }))).code).toBe(
      'session_in_past',
    );
    expect((await ask(member, {}, { key })).status).toBe(201);
  });

  test('is created once by twenty concurrent requests under one key', async () => {
    const { member } = await cover();
    const key = newId('key_');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(member, {}, { key })));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ status, replayed }) => status === 201 && !replayed)).toHaveLength(1);
    expect(answers.filter(({ status, replayed }) => status === 200 && replayed)).toHaveLength(19);
  });

  test('of a new member creates the member once in twenty concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('new-member-of-a-race')));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const rows = await benefits.sql`select id from members where reference = 'new-member-of-a-race'`;
    expect(rows).toHaveLength(1);
  });

  test('is not found by another project, nor by a token for another resource', async () => {
    const { member } = await cover();
    const { body } = await ask(member);
    const params = { eligibility_check_id: body.id };
    const narrowed = { ...benefits.caller, resourceIds: ['bkg_1'] };
    for (const caller of [newCaller(), narrowed]) {
      const reading = benefits.call('getEligibilityCheck', undefined, { params, caller });
      expect((await apiErrorOf(reading)).code).toBe('resource_not_found');
    }
  });
});

describe('a consent', () => {
  test('that was withdrawn rejects the check before anything else, and granting it again allows it', async () => {
    const { member } = await cover();
    await say(member, 'withdrawn');
    expect((await apiErrorOf(ask(member, { scheduled_at: at(-1) }))).code).toBe('consent_required');
    await say(member, 'granted');
    expect((await ask(member)).body.status).toBe('eligible');
  });

  test('that was never recorded is the default of the project', async () => {
    const careful = newCaller({ consentDefault: 'withdrawn' });
    expect((await apiErrorOf(ask('silent', {}, { caller: careful }))).code).toBe('consent_required');
    await say('silent', 'granted', careful);
    expect((await ask('silent', {}, { caller: careful })).status).toBe(201);
  });

  test('exists once per member, is changed by the next statement, and is read by its ID', async () => {
    const first = await say('talkative', 'granted');
    const second = await say('talkative', 'withdrawn');
    expect(second.body).toMatchObject({ id: first.body.id, status: 'withdrawn' });
    const params = { consent_id: first.body.id };
    expect((await benefits.call('getConsent', undefined, { params })).body).toEqual(second.body);
    const strange = benefits.call('getConsent', undefined, { params, caller: newCaller() });
    expect((await apiErrorOf(strange)).code).toBe('resource_not_found');
    const facts =
      await benefits.sql`select status from consent_facts where consent_id = ${first.body.id} order by sequence`;
    expect(facts.map(({ status }) => status)).toEqual(['granted', 'withdrawn']);
  });
});
