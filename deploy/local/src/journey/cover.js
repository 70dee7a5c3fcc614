Object.defineProperty(exports, '__esModule', { value: true });
exports.REQUESTED = exports.CURRENCY = exports.SERVICE = exports.MEMBER = void 0;
exports.postCoverageBatch = postCoverageBatch;
exports.checkEligibility = checkEligibility;
exports.bookCoveredSession = bookCoveredSession;
exports.preauthorize = preauthorize;
exports.seeReservation = seeReservation;
/** The first half of the journey: coverage arrives, a session is booked and pre-authorized. */
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const client_1 = require('@carecover/client');
const narrator_1 = require('./narrator');
const slots_1 = require('./slots');
/** The member of the payer's file who has one clear primary coverage, and what is asked for. */
exports.MEMBER = 'RM-000001';
exports.SERVICE = 'psy-session-50';
exports.CURRENCY = 'KES';
exports.REQUESTED = 450_000;
const SESSION_MINUTES = 50;
const BATCH_FILE = (0, node_path_1.join)(__dirname, '../../fixtures/coverage-batch.json');
async function postCoverageBatch(client, narrator) {
  const batch = JSON.parse(await (0, promises_1.readFile)(BATCH_FILE, 'utf8'));
  const result = await narrator.step(
    `the payer posts a coverage batch of ${batch.records.length} records`,
    () => client.coverages.recordBatch(batch.batch_reference, batch, { idempotencyKey: crypto.randomUUID() }),
  );
  (0, narrator_1.expect)(
    result.recorded + result.replayed === batch.records.length,
    'records missing from the batch',
  );
  narrator.note(
    `${result.recorded} recorded, ${result.replayed} known already; sha256 ${result.artifact_sha256.slice(0, 16)}…`,
  );
}
/** Checks eligibility for when a session would be. */
function checkEligibility(client, scheduledAt) {
  return client.eligibilityChecks.create({
    member_reference: exports.MEMBER,
    service_code: exports.SERVICE,
    scheduled_at: scheduledAt,
    amount: exports.REQUESTED,
    currency: exports.CURRENCY,
  });
}
/** Finds a free slot, checks eligibility for it and books it as covered. */
async function bookCoveredSession(client, narrator) {
  const page = await narrator.step('an integrator lists practitioners', () =>
    client.practitioners.list({ limit: 100 }),
  );
  const practitioner = page.data[Math.floor(Math.random() * page.data.length)];
  (0, narrator_1.expect)(practitioner !== undefined, 'no practitioner');
  const availability = await narrator.step(
    `reads the weekly hours of ${practitioner.name}, ${practitioner.profession}`,
    () => client.practitioners.availability(practitioner.id),
  );
  const anHourFromNow = Date.now() + 3_600_000;
  for (const slot of (0, slots_1.upcomingSlots)(availability, SESSION_MINUTES, anHourFromNow)) {
    const check = await narrator.step(`checks eligibility for ${slot.startsAt}`, () =>
      checkEligibility(client, slot.startsAt),
    );
    (0, narrator_1.expect)(check.status === 'eligible', `a check that is ${check.reason_codes.join(', ')}`);
    const booking = await narrator.step('books a covered session', () => book(client, practitioner.id, slot));
    if (booking === null) continue;
    (0, narrator_1.expect)(booking.status === 'reserved', `a covered booking that is ${booking.status}`);
    return { check, booking };
  }
  throw new Error('the journey found no free slot');
}
/** The booking, or null where somebody was faster. */
async function book(client, practitionerId, slot) {
  try {
    return await client.bookings.create({
      practitioner_id: practitionerId,
      starts_at: slot.startsAt,
      ends_at: slot.endsAt,
      format: slot.format,
      payment_source: 'covered',
    });
  } catch (error) {
    if ((0, client_1.hasCode)(error, 'slot_unavailable')) return null;
    throw error;
  }
}
/** Opens a pre-authorization for a booked session and has the payer approve it until `validUntil`. */
async function preauthorize(client, narrator, { check, booking }, validUntil) {
  const opened = await narrator.step('opens a pre-authorization', () =>
    client.preauthorizations.create({ eligibility_check_id: check.id, booking_id: booking.id }),
  );
  (0, narrator_1.expect)(opened.status === 'pending', `a new pre-authorization that is ${opened.status}`);
  const approved = await narrator.step('the payer approves it', () =>
    client.preauthorizations.decide(opened.id, {
      outcome: 'approved',
      approved_amount: exports.REQUESTED,
      valid_until: validUntil().toISOString(),
      reason_codes: ['medically_necessary'],
      policy_reference: 'policy:outpatient-mental-health',
      policy_version: '2026.2',
      evidence_references: ['referral:gp-letter'],
    }),
  );
  (0, narrator_1.expect)(approved.status === 'approved', `a pre-authorization that is ${approved.status}`);
  return approved;
}
/** Sees that one session of the benefit is reserved and the booking confirmed. */
async function seeReservation(client, narrator, { check, booking }) {
  const confirmed = await narrator.step('the booking is confirmed', () =>
    client.bookings.retrieve(booking.id),
  );
  (0, narrator_1.expect)(confirmed.status === 'confirmed', `a booking that is ${confirmed.status}`);
  const again = await narrator.step('one session of the benefit is reserved', () =>
    checkEligibility(client, booking.starts_at),
  );
  const before = check.remaining_sessions ?? 0;
  (0, narrator_1.expect)((again.remaining_sessions ?? 0) < before, 'a benefit of which nothing was reserved');
  narrator.note(`${before} sessions were left, now ${again.remaining_sessions}`);
}
