/** Practitioners, bookings and sessions. */
import type { Booking, BookingInput, CancellationInput, Session } from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { PageQuery, StatusQuery } from './queries.ts';

export const practitioners = (transport: Transport) => ({
  list: (query: PageQuery = {}, options?: CallOptions) => transport.list('listPractitioners', query, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call('getPractitioner', { params: { practitioner_id: id } }, options),

  /** Reads the weekly hours, in the practitioner's time zone. */
  availability: (id: string, options?: CallOptions) =>
    transport.call('getPractitionerAvailability', { params: { practitioner_id: id } }, options),
});

export const bookings = (transport: Transport) => ({
  list: (query: StatusQuery<Booking['status']> = {}, options?: CallOptions) =>
    transport.list('listBookings', query, options),

  create: (body: BookingInput, options?: CallOptions) => transport.call('createBooking', { body }, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call('getBooking', { params: { booking_id: id } }, options),

  cancel: (id: string, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelBooking', { params: { booking_id: id }, body }, options),
});

export const sessions = (transport: Transport) => ({
  list: (query: StatusQuery<Session['status']> = {}, options?: CallOptions) =>
    transport.list('listSessions', query, options),

  retrieve: (id: string, options?: CallOptions) =>
    transport.call('getSession', { params: { session_id: id } }, options),
});
