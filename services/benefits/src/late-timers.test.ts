import type { Preauthorization } from '@carecover/contract';
import { newId } from '@carecover/platform';
import { doneOrWaiting } from '@carecover/platform/testing';
import type { SessionFacts } from '@carecover/workflow-claim';
import { benefitsForClaims } from './activities/claims';
import { markUsed } from './store/preauthorization-facts';
import { lockPreauthorization } from './store/preauthorizations';
import { check, type Opened, open, useBenefits } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { apiErrorOf } from './testing/test-benefits';

const suite = useBenefits();

/** Two requests for a benefit's last session: the first is approved for a day, the second pending. */
async function lastSession(): Promise<{ first: Opened; second: Opened; pastTheEnd: () => Promise<void> }> {
  const coverage = {
    external_coverage_reference: newId('policy-'),
    member_reference: newId('member-'),
    remaining_sessions: 1,
  };
  const first = await open(suite.benefits, { coverage: { ...coverage, source_version: '1' } });
  const second = await open(suite.benefits, { coverage: { ...coverage, source_version: '2' } });
  await approve(first, DAY_MS);
  return { first, second, pastTheEnd: () => suite.benefits.database.setClockOffset(DAY_MS + 1_000) };
}

async function approve({ preauthorization }: Opened, validForMs = 90 * DAY_MS): Promise<Preauthorization> {
  const params = { preauthorization_id: preauthorization.id };
  const decision = approval(await suite.benefits.now(), { validForMs });
  return (await suite.benefits.call('decidePreauthorization', decision, { params })).body;
}

const checkAgain = ({ memberReference, booking }: Opened) =>
  check(suite.benefits, memberReference, Date.parse(booking.startsAt));

async function read({ preauthorization }: Opened): Promise<Preauthorization> {
  const params = { preauthorization_id: preauthorization.id };
  return (await suite.benefits.call('getPreauthorization', undefined, { params })).body;
}

const told = async ({ preauthorization }: Opened) =>
  (await suite.benefits.eventsOf(preauthorization.id)).map(({ type }) =>
    type.replace('preauthorization.', ''),
  );

async function held({ coverageId }: Opened): Promise<number> {
  const rows = await suite.benefits.sql`
    select 1 from reservations where coverage_id = ${coverageId} and released_at is null`;
  return rows.length;
}

describe('an approval past its end that nobody has let expire yet', () => {
  test('leaves its session to the next approval, and expires before it', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    expect((await apiErrorOf(approve(second))).code).toBe('benefit_exhausted');
    await pastTheEnd();
    expect((await approve(second)).status).toBe('approved');
    expect((await read(first)).status).toBe('expired');
    expect(await told(first)).toEqual(['requested', 'approved', 'expired']);
    expect(await held(first)).toBe(1);
  });

  test('is no reason for a check to call the benefit exhausted', async () => {
    const { first, pastTheEnd } = await lastSession();
    const exhausted = { status: 'ineligible', reason_codes: ['benefit_exhausted'], remaining_sessions: 0 };
    expect(await checkAgain(first)).toMatchObject(exhausted);
    await pastTheEnd();
    expect(await checkAgain(first)).toMatchObject({ status: 'eligible', remaining_sessions: 1 });
    expect((await read(first)).status).toBe('expired');
    expect(await told(first)).toEqual(['requested', 'approved', 'expired']);
  });

  test('is lost to its claim once the session went to another, also where the clock steps back', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    await pastTheEnd();
    await approve(second);
    await suite.benefits.database.setClockOffset(0);
    const claims = benefitsForClaims({ sql: suite.benefits.sql, notifyReviews: () => undefined });
    const session: SessionFacts = { ...first.booking, practitionerId: 'prc_1', status: 'delivered' };
    const using = claims.useForClaim({
      tenant: suite.benefits.caller.tenant,
      caller: suite.benefits.caller,
      claimId: newId('clm_'),
      eligibilityCheckId: first.preauthorization.eligibility_check_id,
      preauthorizationId: first.preauthorization.id,
      session,
      serviceCodes: ['psy.individual.50'],
    });
    expect((await apiErrorOf(using)).code).toBe('authorization_required');
    expect(await held(first)).toBe(1);
  });

  test('keeps its session where a claim took it in time, however late that commits', async () => {
    const { first, second, pastTheEnd } = await lastSession();
    let approving: Promise<{ code: string }> | undefined;
    await suite.benefits.sql.begin(async (tx) => {
      const row = await lockPreauthorization(tx, suite.benefits.caller.tenant, first.preauthorization.id);
      if (row === null) throw new Error('there is none');
      await markUsed(tx, row, newId('clm_'), {
        at: new Date(await suite.benefits.now()),
        authority: 'service:claims',
      });
      await pastTheEnd();
      approving = apiErrorOf(approve(second));
      await doneOrWaiting(suite.benefits.sql, approving);
    });
    expect((await approving)?.code).toBe('benefit_exhausted');
    expect((await read(first)).status).toBe('approved');
    expect(await held(first)).toBe(1);
  });
});
