import type { Preauthorization } from '@carecover/contract';
import { newId } from '@carecover/domain';
import { doneOrWaiting } from '@carecover/testing/services';
import type { SessionSnapshot } from '@carecover/workflow-claim';
import { callsOfClaims } from './activities';
import { lockPreauthorization } from './store/preauthorizations';
import { check, type Opened, open, useBenefits } from './testing/care-path';
import { DAY_MS } from './testing/days';
import { approval } from './testing/decisions';
import { apiErrorOf } from './testing/test-benefits';
import { recordChange } from './use-cases/record-changes';

const suite = useBenefits();

/** Creates two pre-authorizations of a benefit with one session left: the first is approved for one day, the second is pending. */
async function requestLastSession(): Promise<{
  first: Opened;
  second: Opened;
  passValidUntil: () => Promise<void>;
}> {
  const coverage = {
    external_coverage_reference: newId('policy-'),
    member_reference: newId('member-'),
    remaining_sessions: 1,
  };
  const first = await open(suite.benefits, { coverage: { ...coverage, source_version: '1' } });
  const second = await open(suite.benefits, { coverage: { ...coverage, source_version: '2' } });
  await approve(first, DAY_MS);
  return { first, second, passValidUntil: () => suite.benefits.database.setClockOffset(DAY_MS + 1_000) };
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

const eventTypes = async ({ preauthorization }: Opened) =>
  (await suite.benefits.eventsOf(preauthorization.id)).map(({ type }) =>
    type.replace('preauthorization.', ''),
  );

async function reservedSessions({ coverageId }: Opened): Promise<number> {
  const rows = await suite.benefits.sql`
    select 1 from reservations where coverage_id = ${coverageId} and released_at is null`;
  return rows.length;
}

describe('an approval whose valid_until has passed and that has not expired yet', () => {
  test('expires before the next approval, which reserves its session', async () => {
    const { first, second, passValidUntil } = await requestLastSession();
    expect((await apiErrorOf(approve(second))).code).toBe('benefit_exhausted');
    await passValidUntil();
    expect((await approve(second)).status).toBe('approved');
    expect((await read(first)).status).toBe('expired');
    expect(await eventTypes(first)).toEqual(['requested', 'approved', 'expired']);
    expect(await reservedSessions(first)).toBe(1);
  });

  test('does not make the benefit exhausted for a check', async () => {
    const { first, passValidUntil } = await requestLastSession();
    const exhausted = { status: 'ineligible', reason_codes: ['benefit_exhausted'], remaining_sessions: 0 };
    expect(await checkAgain(first)).toMatchObject(exhausted);
    await passValidUntil();
    expect(await checkAgain(first)).toMatchObject({ status: 'eligible', remaining_sessions: 1 });
    expect((await read(first)).status).toBe('expired');
    expect(await eventTypes(first)).toEqual(['requested', 'approved', 'expired']);
  });

  test('can no longer be used by a claim after its session was reserved for another, also if the clock steps back', async () => {
    const { first, second, passValidUntil } = await requestLastSession();
    await passValidUntil();
    await approve(second);
    await suite.benefits.database.setClockOffset(0);
    const claims = callsOfClaims(suite.benefits.deps);
    const session: SessionSnapshot = {
      ...first.booking,
      practitionerId: 'prc_1',
      status: 'delivered',
      recorded: null,
    };
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
    expect(await reservedSessions(first)).toBe(1);
  });

  test('keeps its session if a claim used it in time, even if the use commits later', async () => {
    const { first, second, passValidUntil } = await requestLastSession();
    let approving: Promise<{ code: string }> | undefined;
    await suite.benefits.sql.begin(async (tx) => {
      const row = await lockPreauthorization(tx, suite.benefits.caller.tenant, first.preauthorization.id);
      if (row === null) throw new Error('the pre-authorization does not exist');
      const context = { at: new Date(await suite.benefits.now()), authority: 'service:claims' };
      await recordChange(tx, row, { type: 'used', claimId: newId('clm_') }, context);
      await passValidUntil();
      approving = apiErrorOf(approve(second));
      await doneOrWaiting(suite.benefits.sql, approving);
    });
    expect((await approving)?.code).toBe('benefit_exhausted');
    expect((await read(first)).status).toBe('approved');
    expect(await reservedSessions(first)).toBe(1);
  });
});
