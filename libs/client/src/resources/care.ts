/** The client's methods for practitioners, bookings and sessions. */
import type {
  Booking,
  BookingId,
  BookingInput,
  CancellationInput,
  PractitionerId,
  Session,
  SessionId,
  SessionInput,
  Slot,
} from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { PageQuery, StatusQuery } from './queries.ts';

/** The query for free slots of a practitioner: the period, the length and the format, such as `online`. */
export interface SlotsQuery {
  /** The earliest start of a slot; RFC 3339. */
  readonly from: string;
  /** The latest end of a slot; RFC 3339, at most 31 days after `from`. */
  readonly to: string;
  /** The length of a slot in minutes, 1 to 480. */
  readonly duration_minutes: number;
  readonly format: Slot['format'];
  /** The maximum number of slots, 1 to 100. Default 20. */
  readonly limit?: number;
}

export const practitioners = (transport: Transport) => ({
  list: (query: PageQuery = {}, options?: CallOptions) => transport.list('listPractitioners', query, options),

  retrieve: (id: PractitionerId, options?: CallOptions) =>
    transport.call('getPractitioner', { params: { practitioner_id: id } }, options),

  /** Reads the weekly hours, in the practitioner's time zone. */
  availability: (id: PractitionerId, options?: CallOptions) =>
    transport.call('getPractitionerAvailability', { params: { practitioner_id: id } }, options),

  /** Lists free slots, earliest first. To list further slots, use the `ends_at` of the last slot as `from`. */
  slots: (id: PractitionerId, query: SlotsQuery, options?: CallOptions) =>
    transport.call(
      'listPractitionerSlots',
      { params: { practitioner_id: id }, query: { ...query } },
      options,
    ),
});

interface CareQuery<S extends string> extends StatusQuery<S> {
  readonly practitioner_id?: PractitionerId;
  /** Selects items that start after this instant, exclusive; RFC 3339. */
  readonly starts_after?: string;
  /** Selects items that start before this instant, exclusive; RFC 3339. */
  readonly starts_before?: string;
}

export interface BookingQuery extends CareQuery<Booking['status']> {
  readonly session_id?: SessionId;
}

export const bookings = (transport: Transport) => ({
  list: (query: BookingQuery = {}, options?: CallOptions) => transport.list('listBookings', query, options),

  create: (body: BookingInput, options?: CallOptions) => transport.call('createBooking', { body }, options),

  retrieve: (id: BookingId, options?: CallOptions) =>
    transport.call('getBooking', { params: { booking_id: id } }, options),

  cancel: (id: BookingId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelBooking', { params: { booking_id: id }, body }, options),
});

export interface SessionQuery extends CareQuery<Session['status']> {
  /** The reference of a recorded session. */
  readonly external_reference?: string;
}

export const sessions = (transport: Transport) => ({
  list: (query: SessionQuery = {}, options?: CallOptions) => transport.list('listSessions', query, options),

  /** Records a session outside the booking calendar, in the past or in the future. */
  record: (body: SessionInput, options?: CallOptions) => transport.call('createSession', { body }, options),

  retrieve: (id: SessionId, options?: CallOptions) =>
    transport.call('getSession', { params: { session_id: id } }, options),
});
