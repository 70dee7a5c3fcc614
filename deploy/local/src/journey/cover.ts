/** The first half of the journey (an example through the API): coverage is recorded, and a session is booked and pre-authorized. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Booking,
  type Carecover,
  type CoverageBatchInput,
  type EligibilityCheck,
  hasCode,
  type Preauthorization,
  type Slot,
} from '@carecover/client';
import { expect, type Narrator } from './narrator';

/** The reference of the member whose claim the journey runs. The member has one primary coverage in the journey's coverage batch. */
const MEMBER = 'RM-000001';
export const SERVICE = 'psy-session-50';
/** A profession that offers the service, as the synthetic directory of practitioners names it. */
const PROFESSION = 'Clinical psychologist';
export const CURRENCY = 'KES';
const REQUESTED = 450_000;
const SESSION_MINUTES = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const BATCH_FILE = join(__dirname, '../../fixtures/coverage-batch.json');

/** Sends the coverage batch in BATCH_FILE as the payer. */
export async function postCoverageBatch(client: Carecover, narrator: Narrator): Promise<void> {
  const batch: CoverageBatchInput = JSON.parse(await readFile(BATCH_FILE, 'utf8'));
  const result = await narrator.step(
    `the payer posts a coverage batch of ${batch.records.length} records`,
    () => client.coverages.recordBatch(batch.batch_reference, batch, { idempotencyKey: crypto.randomUUID() }),
  );
  expect(result.recorded + result.replayed === batch.records.length, 'records missing from the batch');
  narrator.note(
    `${result.recorded} recorded, ${result.replayed} known already; sha256 ${result.artifact_sha256.slice(0, 16)}…`,
  );
}

/** Creates an eligibility check for a session that starts at `scheduledAt`. */
export function checkEligibility(client: Carecover, scheduledAt: string): Promise<EligibilityCheck> {
  return client.eligibilityChecks.create({
    member_reference: MEMBER,
    service_code: SERVICE,
    scheduled_at: scheduledAt,
    amount: REQUESTED,
    currency: CURRENCY,
  });
}

export interface Booked {
  readonly check: EligibilityCheck;
  readonly booking: Booking;
}

/** Finds a free slot, checks that a session in the slot is eligible, and books it as a covered session. */
export async function bookCoveredSession(client: Carecover, narrator: Narrator): Promise<Booked> {
  const page = await narrator.step('an integrator lists practitioners', () =>
    client.practitioners.list({ limit: 100 }),
  );
  const psychologists = page.data.filter(({ profession }) => profession === PROFESSION);
  const practitioner = psychologists[Math.floor(Math.random() * psychologists.length)];
  expect(practitioner !== undefined, `no practitioner with the profession ${PROFESSION}`);
  const availability = await narrator.step(
    `reads the weekly hours of ${practitioner.name}, ${practitioner.profession}`,
    () => client.practitioners.availability(practitioner.id),
  );
  const format = availability.weekly_hours[0]?.formats[0];
  expect(format !== undefined, 'no weekly hours');
  const slots = await narrator.step(`lists the free slots of ${SESSION_MINUTES} minutes`, () =>
    client.practitioners.slots(practitioner.id, {
      from: new Date(Math.ceil(Date.now() / HOUR_MS + 1) * HOUR_MS).toISOString(),
      to: new Date(Date.now() + 14 * DAY_MS).toISOString(),
      duration_minutes: SESSION_MINUTES,
      format,
    }),
  );
  for (const slot of slots.data) {
    const check = await narrator.step(`checks eligibility for ${slot.starts_at}`, () =>
      checkEligibility(client, slot.starts_at),
    );
    expect(check.status === 'eligible', `a check that is ${check.reason_codes.join(', ')}`);
    const booking = await narrator.step('books a covered session', () => book(client, slot));
    if (booking === null) continue;
    expect(booking.status === 'reserved', `a covered booking that is ${booking.status}`);
    return { check, booking };
  }
  throw new Error('the journey found no free slot');
}

/** Books a slot. Returns null if another booking has taken the slot meanwhile. */
async function book(client: Carecover, slot: Slot): Promise<Booking | null> {
  const { practitioner_id, starts_at, ends_at, format } = slot;
  try {
    return await client.bookings.create({
      practitioner_id,
      starts_at,
      ends_at,
      format,
      payment_source: 'covered',
    });
  } catch (error) {
    if (hasCode(error, 'slot_unavailable')) return null;
    throw error;
  }
}

/** Creates a pre-authorization for a booking, and records the payer's approval, which is valid until `validUntil`. */
export async function preauthorize(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
  validUntil: () => Date,
): Promise<Preauthorization> {
  const opened = await narrator.step('opens a pre-authorization', () =>
    client.preauthorizations.create({ eligibility_check_id: check.id, booking_id: booking.id }),
  );
  expect(opened.status === 'pending', `a new pre-authorization that is ${opened.status}`);
  const approved = await narrator.step('the payer approves it', () =>
    client.preauthorizations.decide(opened.id, {
      outcome: 'approved',
      approved_amount: REQUESTED,
      valid_until: validUntil().toISOString(),
      reason_codes: ['medically_necessary'],
      policy_reference: 'policy:outpatient-mental-health',
      policy_version: '2026.2',
      evidence_references: ['referral:gp-letter'],
    }),
  );
  expect(approved.status === 'approved', `a pre-authorization that is ${approved.status}`);
  return approved;
}

/** Checks that the approval reserved one session of the benefit and confirmed the booking. */
export async function verifyReservation(
  client: Carecover,
  narrator: Narrator,
  { check, booking }: Booked,
): Promise<void> {
  const confirmed = await narrator.step('the booking is confirmed', () =>
    client.bookings.retrieve(booking.id),
  );
  expect(confirmed.status === 'confirmed', `a booking that is ${confirmed.status}`);
  const again = await narrator.step('one session of the benefit is reserved', () =>
    checkEligibility(client, booking.starts_at),
  );
  const before = check.remaining_sessions ?? 0;
  expect((again.remaining_sessions ?? 0) < before, 'a benefit of which nothing was reserved');
  narrator.note(`${before} sessions were left, now ${again.remaining_sessions}`);
}
