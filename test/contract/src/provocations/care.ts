/** Provocations of practitioners, bookings and sessions. */
import { sessionFormats } from '@carecover/contract';
import { HOUR_MS, type World } from '@carecover/testing/stack';
import type { Provocations } from './provocation';

async function selectPractitioner(world: World) {
  const { data } = await world.client.practitioners.list({ limit: 1 });
  const [first] = data;
  if (first === undefined) throw new Error('the project has no practitioner');
  return { params: { practitioner_id: first.id } };
}

function slotsQuery(world: World) {
  return { from: world.daysFromNow(1), to: world.daysFromNow(8), duration_minutes: '50', format: 'online' };
}

async function createBookingInput(world: World) {
  return { ...(await world.nextSlot()), payment_source: 'covered' };
}

/** Finds a practitioner, and a format of sessions that the practitioner does not offer at any time. */
async function findUnofferedFormat(world: World) {
  for await (const { id } of world.client.practitioners.list({ limit: 100 })) {
    const { weekly_hours } = await world.client.practitioners.availability(id);
    const offered = weekly_hours.flatMap(({ formats }) => formats);
    const format = sessionFormats.find((each) => !offered.includes(each));
    if (format !== undefined) return { practitionerId: id, format };
  }
  throw new Error('every practitioner offers every format');
}

async function createSessionInput(world: World) {
  const { params } = await selectPractitioner(world);
  return { ...params, ...world.pastTimes(), format: 'online' as const, payment_source: 'covered' as const };
}

const cancellation = { reason_code: 'member_asked' };

export const careProvocations: Provocations = {
  listPractitioners: { success: async () => ({ query: { limit: '5' } }) },
  getPractitioner: { success: selectPractitioner },
  getPractitionerAvailability: { success: selectPractitioner },
  listPractitionerSlots: {
    success: async (world) => ({ ...(await selectPractitioner(world)), query: slotsQuery(world) }),
    resource_not_found: async (world) => ({
      params: { practitioner_id: 'prc_unknown' },
      query: slotsQuery(world),
    }),
    validation_failed: async (world) => ({
      ...(await selectPractitioner(world)),
      query: { ...slotsQuery(world), to: world.daysFromNow(60) },
    }),
  },
  listBookings: {
    success: async () => ({ query: { status: 'reserved', starts_after: '2025-01-01T00:00:00Z' } }),
  },
  createBooking: {
    success: async (world) => ({ body: await createBookingInput(world) }),
    resource_not_found: async (world) => ({
      body: { ...(await createBookingInput(world)), practitioner_id: 'prc_unknown' },
    }),
    validation_failed: async (world) => {
      const body = await createBookingInput(world);
      return { body: { ...body, ends_at: body.starts_at } };
    },
    session_in_past: async (world) => {
      const body = await createBookingInput(world);
      const startMs = Date.now() - HOUR_MS;
      return {
        body: {
          ...body,
          starts_at: new Date(startMs).toISOString(),
          ends_at: new Date(startMs + HOUR_MS).toISOString(),
        },
      };
    },
    outside_availability: async (world) => {
      const { practitionerId, format } = await findUnofferedFormat(world);
      const starts_at = world.daysFromNow(3);
      const ends_at = new Date(Date.parse(starts_at) + HOUR_MS).toISOString();
      return {
        body: { practitioner_id: practitionerId, starts_at, ends_at, format, payment_source: 'covered' },
      };
    },
    slot_unavailable: async (world) => {
      const slot = await world.nextSlot();
      await world.client.bookings.create({ ...slot, payment_source: 'self_pay' });
      return { body: { ...slot, payment_source: 'covered' } };
    },
  },
  getBooking: {
    success: async (world) => ({ params: { booking_id: (await world.createCoveredBooking()).bookingId } }),
  },
  cancelBooking: {
    success: async (world) => ({
      params: { booking_id: (await world.createCoveredBooking()).bookingId },
      body: cancellation,
    }),
    invalid_state: async (world) => {
      const booked = await world.createCoveredBooking();
      await world.deliverSession(booked);
      return { params: { booking_id: booked.bookingId }, body: cancellation };
    },
  },
  listSessions: {
    success: async () => ({
      query: { status: 'reserved', external_reference: 'encounter-1', starts_before: '2099-01-01T00:00:00Z' },
    }),
  },
  createSession: {
    success: async (world) => ({
      body: { ...(await createSessionInput(world)), external_reference: world.uniqueReference('encounter') },
    }),
    resource_not_found: async (world) => ({
      body: { ...(await createSessionInput(world)), practitioner_id: 'prc_unknown' },
    }),
    validation_failed: async (world) => {
      const body = await createSessionInput(world);
      return { body: { ...body, ends_at: body.starts_at } };
    },
    duplicate_session_reference: async (world) => {
      const input = await createSessionInput(world);
      const external_reference = world.uniqueReference('encounter');
      await world.client.sessions.record({ ...input, external_reference });
      return { body: { ...input, external_reference: ` ${external_reference}` } };
    },
    session_too_old: async (world) => ({
      body: { ...(await createSessionInput(world)), ...world.pastTimes(401) },
    }),
  },
  getSession: {
    success: async (world) => ({ params: { session_id: (await world.createCoveredBooking()).sessionId } }),
  },
  deliverSession: {
    success: async (world) => ({ params: { session_id: (await world.createCoveredBooking()).sessionId } }),
    invalid_state: async (world) => {
      const booked = await world.createCoveredBooking();
      await world.deliverSession(booked);
      return { params: { session_id: booked.sessionId } };
    },
  },
};
