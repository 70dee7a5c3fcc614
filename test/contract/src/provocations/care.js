Object.defineProperty(exports, '__esModule', { value: true });
exports.careProvocations = void 0;
/** Practitioners, bookings and sessions. */
const world_1 = require('../world');
async function aPractitioner(world) {
  const { data } = await world.client.practitioners.list({ limit: 1 });
  return { params: { practitioner_id: data[0]?.id ?? '' } };
}
async function covered(world) {
  return { ...(await world.slot()), payment_source: 'covered' };
}
const cancellation = { reason_code: 'member_asked' };
exports.careProvocations = {
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
      const startMs = Date.now() - world_1.HOUR_MS;
      return {
        body: {
          ...body,
          starts_at: new Date(startMs).toISOString(),
          ends_at: new Date(startMs + world_1.HOUR_MS).toISOString(),
        },
      };
    },
    outside_availability: async (world) => {
      const body = await covered(world);
      const ends_at = new Date(Date.parse(body.starts_at) + 8 * world_1.HOUR_MS).toISOString();
      return {
        body: { ...body, starts_at: new Date(Date.parse(body.starts_at) + 1000).toISOString(), ends_at },
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
