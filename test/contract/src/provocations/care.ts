/** Practitioners, bookings and sessions. */
import { sessionFormats } from '@carecover/contract';
import { HOUR_MS, type World } from '@carecover/test-support';
import type { Provocations } from './provocation';

async function aPractitioner(world: World) {
  const { data } = await world.client.practitioners.list({ limit: 1 });
  return { params: { practitioner_id: data[0]?.id ?? '' } };
}

async function covered(world: World) {
  return { ...(await world.slot()), payment_source: 'covered' };
}

/** A practitioner with a format that none of the hours offer, so that no time would do. */
async function aFormatNotOffered(world: World) {
  for await (const { id } of world.client.practitioners.list({ limit: 100 })) {
    const { weekly_hours } = await world.client.practitioners.availability(id);
    const offered = weekly_hours.flatMap(({ formats }) => formats);
    const format = sessionFormats.find((each) => !offered.includes(each));
    if (format !== undefined) return { practitionerId: id, format };
  }
  throw new Error('every practitioner offers every format');
}

const cancellation = { reason_code: 'member_asked' };

export const careProvocations: Provocations = {
  listPractitioners: { success: async () => ({ query: { limit: '5' } }) },
  getPractitioner: { success: aPractitioner },
  getPractitionerAvailability: { success: aPractitioner },
  listBookings: { success: async () => ({ query: { status: 'reserved' } }) },
  createBooking: {
    success: async (world) => ({ body: await covered(world) }),
    resource_not_found: async (world) => ({
      body: { ...(await covered(world)), practitioner_id: 'prc_unknown' },
    }),
    validation_failed: async (world) => {
      const body = await covered(world);
      return { body: { ...body, ends_at: body.starts_at } };
    },
    session_in_past: async (world) => {
      const body = await covered(world);
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
      const { practitionerId, format } = await aFormatNotOffered(world);
      const starts_at = world.inDays(3);
      const ends_at = new Date(Date.parse(starts_at) + HOUR_MS).toISOString();
      return {
        body: { practitioner_id: practitionerId, starts_at, ends_at, format, payment_source: 'covered' },
      };
    },
    slot_unavailable: async (world) => {
      const slot = await world.slot();
      await world.client.bookings.create({ ...slot, payment_source: 'self_pay' });
      return { body: { ...slot, payment_source: 'covered' } };
    },
  },
  getBooking: { success: async (world) => ({ params: { booking_id: (await world.covered()).bookingId } }) },
  cancelBooking: {
    success: async (world) => ({
      params: { booking_id: (await world.covered()).bookingId },
      body: cancellation,
    }),
    invalid_state: async (world) => {
      const booked = await world.covered();
      await world.deliver(booked);
      return { params: { booking_id: booked.bookingId }, body: cancellation };
    },
  },
  listSessions: { success: async () => ({ query: { status: 'reserved' } }) },
  getSession: { success: async (world) => ({ params: { session_id: (await world.covered()).sessionId } }) },
  deliverSession: {
    success: async (world) => ({ params: { session_id: (await world.covered()).sessionId } }),
    invalid_state: async (world) => {
      const booked = await world.covered();
      await world.deliver(booked);
      return { params: { session_id: booked.sessionId } };
    },
  },
};
