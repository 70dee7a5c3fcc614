import type { Preauthorization } from '@carecover/contract';
import { doneOrWaiting } from '@carecover/local/testing';
import { newId } from '@carecover/platform';
import type { SessionFacts } from '@carecover/workflow-claim';
import { benefitsForClaims } from './activities/claims';
import { use } from './store/preauthorization-facts';
import { lockPreauthorization } from './store/preauthorizations';
import { type Opened, open } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { directEngine } from './testing/direct-engine';
import { newCaller, refusalOf, TestBenefits } from './testing/test-benefits';

let benefits: TestBenefits;

beforeAll(async () => {
  benefits = await TestBenefits.open();
  benefits.useEngine(directEngine(benefits.sql));
});
beforeEach(() => {
  benefits.caller = newCaller();
});
afterEach(() => benefits.database.setClockOffset(0));
afterAll(() => benefits.close());

/** Two requests for a benefit's last session: the first is approved for a day, the second pending. */
async function lastSession(): Promise<{ first: Opened; second: Opened; pastTheEnd: () => Promise<void> }> {
  const coverage = {
    external_coverage_reference: newId('policy-'),
    member_reference: newId('member-'),
    remaining_sessions: 1,
  };
  const first = await open(benefits, { coverage: { ...coverage, source_version: '1' } });
  const second = await open(benefits, { coverage: { ...coverage, source_version: '2' } });
  await approve(first, DAY_MS);
  return { first, second, pastTheEnd: () => benefits.database.setClockOffset(DAY_MS + 1_000) };
}

async function approve({ preauthorization }: Opened, validForMs = 90 * DAY_MS): Promise<Preauthorization> {
  const params = { preauthorization_id: preauthorization.id };
  const decision = approval(await benefits.now(), { validForMs });
  return (await benefits.call('decidePreauthorization', decision, { params })).body;
}

async function check({ memberReference, booking }: Opened) {
  const { body } = await benefits.call('createEligibilityCheck', {
    member_reference: memberReference,
    service_code: 'psy.individual.50',
    scheduled_at: booking.startsAt,
    amount: 350_000,
    currency: 'KES',
  });
  return body;
}

async function read({ preauthorization }: Opened): Promise<Preauthorization> {
  const params = { preauthorization_id: preauthorization.id };
  return (await benefits.call('getPreauthorization', undefined, { params })).body;
}

const told = async ({ preauthorization }: Opened) =>
  (await benefits.eventsOf(preauthorization.id)).map(({ type }) => type.replace('preauthorization.', ''));

async function held({ coverageId }: Opened): Promise<number> {
  const rows = await benefits.sql`
    select 1 from reservations where coverage_id = ${coverageId} and released_at is null`;
  return rows.length;
}

describe('an approval past its end that nobody has let expire yet', () => {
  test('leaves its session to the next approval, and expires before it', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    expect((await refusalOf(approve(second))).code).toBe('benefit_exhausted');
    await pastTheEnd();
    expect((await approve(second)).status).toBe('approved');
    expect((await read(first)).status).toBe('expired');
    expect(await told(first)).toEqual(['requested', 'approved', 'expired']);
    expect(await held(first)).toBe(1);
  });

  test('is no reason for a check to call the benefit exhausted', async () => {
    const { first, pastTheEnd } = await lastSession();
    const exhausted = { status: 'ineligible', reason_codes: ['benefit_exhausted'], remaining_sessions: 0 };
    expect(await check(first)).toMatchObject(exhausted);
    await pastTheEnd();
    expect(await check(first)).toMatchObject({ status: 'eligible', remaining_sessions: 1 });
    expect((await read(first)).status).toBe('expired');
    expect(await told(first)).toEqual(['requested', 'approved', 'expired']);
  });

  test('is lost to its claim once the session went to another, also where the clock steps back', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    await pastTheEnd();
    await approve(second);
    await benefits.database.setClockOffset(0);
    const claims = benefitsForClaims({ sql: benefits.sql, wake: () => undefined });
    const session: SessionFacts = { ...first.booking, practitionerId: 'prc_1', status: 'delivered' };
    const using = claims.useForClaim({
      caller: benefits.caller,
      claimId: newId('clm_'),
      eligibilityCheckId: first.preauthorization.eligibility_check_id,
      preauthorizationId: first.preauthorization.id,
      session,
      serviceCodes: ['psy.individual.50'],
    });
    expect((await refusalOf(using)).code).toBe('authorization_required');
    expect(await held(first)).toBe(1);
  });

  test('keeps its session where a claim took it in time, however late that commits', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    let approving: Promise<{ code: string }> | undefined;
    await benefits.sql.begin(async (tx) => {
      const row = await lockPreauthorization(tx, benefits.caller.tenant, first.preauthorization.id);
      if (row === null) throw new Error('there is none');
      await use(tx, row, newId('clm_'), { at: new Date(await benefits.now()), authority: 'service:claims' });
      await pastTheEnd();
      approving = refusalOf(approve(second));
      await doneOrWaiting(benefits.sql, approving);
    });
    expect((await approving)?.code).toBe('benefit_exhausted');
    expect((await read(first)).status).toBe('approved');
    expect(await held(first)).toBe(1);
  });
});
