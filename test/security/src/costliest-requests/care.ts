/** The costliest requests of practitioners, bookings and sessions. */
import type { OperationId } from '@carecover/contract';
import type { World } from '@carecover/testing/stack';
import { type Costliest, type CostlyProject, createEach } from './costly';

const WHOLE_PAGE = { limit: '100' };
const cancellation = { reason_code: 'a'.repeat(80) };

async function practitionerOf(world: World): Promise<string> {
  const { data } = await world.client.practitioners.list({ limit: 1 });
  return data[0]?.id ?? '';
}

async function withPractitioner({ world }: CostlyProject) {
  return [{ params: { practitioner_id: await practitionerOf(world) } }];
}

async function createBooking({ world }: CostlyProject) {
  return world.client.bookings.create({ ...(await world.nextSlot()), payment_source: 'self_pay' });
}

/** Creates bookings with one session each, so that the lists of both have several pages. */
const fillCalendar = (project: CostlyProject) =>
  project.shared('bookings', async () => {
    for (let created = 0; created < 25; created++) await createBooking(project);
  });

async function listOfCalendar(project: CostlyProject) {
  await fillCalendar(project);
  const { world } = project;
  return [
    { query: { ...WHOLE_PAGE, starts_after: world.daysFromNow(-1), starts_before: world.daysFromNow(60) } },
  ];
}

export const careRequests = {
  listPractitioners: { create: async () => [{ query: WHOLE_PAGE }] },
  getPractitioner: { create: withPractitioner },
  getPractitionerAvailability: { create: withPractitioner },
  listPractitionerSlots: {
    create: async (project) => {
      const [practitioner] = await withPractitioner(project);
      const { world } = project;
      const period = { from: world.daysFromNow(1), to: world.daysFromNow(31) };
      return [
        { ...practitioner, query: { ...WHOLE_PAGE, ...period, duration_minutes: '480', format: 'online' } },
      ];
    },
  },
  listBookings: { create: listOfCalendar },
  createBooking: {
    create: (project) =>
      createEach(project, async () => ({
        body: { ...(await project.world.nextSlot()), payment_source: 'covered' },
      })),
  },
  getBooking: {
    create: async (project) => [{ params: { booking_id: (await createBooking(project)).id } }],
  },
  cancelBooking: {
    create: (project) =>
      createEach(project, async () => ({
        params: { booking_id: (await project.world.createApprovedPreauthorization()).bookingId },
        body: cancellation,
      })),
  },
  listSessions: { create: listOfCalendar },
  createSession: {
    create: (project) =>
      createEach(project, async () => ({
        body: {
          practitioner_id: await practitionerOf(project.world),
          ...project.world.pastTimes(),
          format: 'online',
          payment_source: 'covered',
          external_reference: project.world.uniqueReference('e'.repeat(160)),
        },
      })),
  },
  getSession: {
    create: async (project) => [{ params: { session_id: (await createBooking(project)).session_id } }],
  },
  deliverSession: {
    create: (project) =>
      createEach(project, async () => ({
        params: { session_id: (await createBooking(project)).session_id },
      })),
  },
} satisfies Partial<Record<OperationId, Costliest>>;
