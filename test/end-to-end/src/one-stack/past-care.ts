/** The way of the guide "Submit claims of past care", from a session that was not booked here to a settled claim. */
import type { Claim, EligibilityCheck, Session } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { running } from './world';

let member: string;
let session: Session;
let check: EligibilityCheck;

/** Records a session of five days ago, and the coverage of its member, which the payer observed before it. */
beforeAll(async () => {
  const { world } = running;
  member = world.uniqueReference('member');
  await world.recordCoverage(member, { observed_at: world.daysFromNow(-20) });
  const { data } = await world.client.practitioners.list({ limit: 1 });
  const [practitioner] = data;
  if (practitioner === undefined) throw new Error('the project has no practitioner');
  session = await world.client.sessions.record({
    practitioner_id: practitioner.id,
    ...world.pastTimes(),
    format: 'in_person',
    payment_source: 'covered',
    external_reference: world.uniqueReference('encounter'),
  });
  check = await world.createCheck(member, session.starts_at, { retrospective: true });
});

test('a session of the past is delivered at once, and its check is eligible', async () => {
  expect(session.status).toBe('delivered');
  expect(check).toMatchObject({ status: 'eligible', authorization_required: true });
});

test('its authorization, claim, remittance and settlement are those of any claim, and the links show who recorded it', async () => {
  const { world } = running;
  const { client } = world;
  const { data: bookings } = await client.bookings.list({ session_id: session.id });
  const [booking] = bookings;
  if (booking === undefined) throw new Error('the session has no booking');
  expect(booking).toMatchObject({ status: 'reserved', session_id: session.id });
  const covered = {
    member,
    check,
    bookingId: booking.id,
    sessionId: session.id,
    startsAt: session.starts_at,
  };
  const pending = await world.requestPreauthorization(covered);
  const approved = await client.preauthorizations.decide(pending.id, world.approvalInput());
  expect([pending.status, approved.status]).toEqual(['pending', 'approved']);
  expect((await client.bookings.retrieve(booking.id)).status).toBe('confirmed');

  const claim = await client.claims.submit(world.claimInput(covered));
  expect(claim.service_period).toEqual({ starts_at: session.starts_at, ends_at: session.ends_at });
  await client.claims.adjudicate(claim.id, world.adjudicationInput());
  const remittance = await client.remittances.create(
    world.remittanceInput([{ claim_id: claim.id, paid_amount: 300_000 }]),
  );
  await client.settlements.create(world.settlementInput(remittance.id));
  const settled = await eventually('the claim is settled', async (): Promise<Claim | undefined> => {
    const read = await client.claims.retrieve(claim.id);
    return read.status === 'settled' ? read : undefined;
  });
  expect(settled.amount).toMatchObject({ approved: 300_000, remitted: 300_000, settled: 300_000 });

  const links = await client.claims.links(claim.id);
  expect(links).toMatchObject({
    session_id: session.id,
    booking_id: booking.id,
    preauthorization_id: approved.id,
  });
  expect(links.session_recorded?.by).toMatch(/^project:prj_\w+\/key:/);
  expect(Date.parse(links.session_recorded?.at ?? '')).toBeGreaterThan(Date.parse(session.ends_at));
});
