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
  /**
   * Lists the practitioners, newest first.
   *
   * @example
   * for await (const { id, name } of carecover.practitioners.list()) console.log(id, name);
   */
  list: (query: PageQuery = {}, options?: CallOptions) => transport.list('listPractitioners', query, options),

  /**
   * Reads a practitioner. The amount of `session_fee` is in minor units.
   *
   * @example
   * const { session_fee } = await carecover.practitioners.retrieve('prc_0199f2a4');
   */
  retrieve: (id: PractitionerId, options?: CallOptions) =>
    transport.call('getPractitioner', { params: { practitioner_id: id } }, options),

  /**
   * Reads the weekly hours, as times of day in the practitioner's time zone.
   *
   * @example
   * const { timezone, weekly_hours } = await carecover.practitioners.availability('prc_0199f2a4');
   */
  availability: (id: PractitionerId, options?: CallOptions) =>
    transport.call('getPractitionerAvailability', { params: { practitioner_id: id } }, options),

  /**
   * Lists free slots, earliest first, in a period of at most 31 days. To list further slots, use the `ends_at` of the last slot as `from`.
   *
   * @example
   * const { data: slots } = await carecover.practitioners.slots('prc_0199f2a4', {
   *   from: '2099-03-02T00:00:00Z',
   *   to: '2099-03-09T00:00:00Z',
   *   duration_minutes: 50,
   *   format: 'online',
   * });
   */
  slots: (id: PractitionerId, query: SlotsQuery, options?: CallOptions) =>
    transport.call(
      'listPractitionerSlots',
      { params: { practitioner_id: id }, query: { ...query } },
      options,
    ),
});

export interface PractitionersMethods extends ReturnType<typeof practitioners> {}

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

/** A listed slot, as a booking of it. */
export type SlotBooking = Slot & Pick<BookingInput, 'payment_source'>;

/** Leaves out the fields of a slot that a booking does not have, because the service rejects unknown fields. */
function toBookingInput(body: BookingInput | SlotBooking): BookingInput {
  if (!('object' in Object(body))) return body;
  const { object: _object, timezone: _timezone, ...input } = body as SlotBooking;
  return input;
}

export const bookings = (transport: Transport) => ({
  /**
   * Lists the bookings, newest first.
   *
   * @example
   * for await (const { id } of carecover.bookings.list({ status: 'confirmed' })) console.log(id);
   */
  list: (query: BookingQuery = {}, options?: CallOptions) => transport.list('listBookings', query, options),

  /**
   * Books a time of a practitioner: a listed slot as it is, or your own times (RFC 3339 with an offset). A slot that another booking took in the meantime is an
   * error with the code `slot_unavailable`.
   *
   * @example
   * const [slot] = (
   *   await carecover.practitioners.slots('prc_0199f2a4', {
   *     from: '2099-03-02T00:00:00Z',
   *     to: '2099-03-09T00:00:00Z',
   *     duration_minutes: 50,
   *     format: 'online',
   *   })
   * ).data;
   * if (slot) await carecover.bookings.create({ ...slot, payment_source: 'covered' });
   */
  create: (body: BookingInput | SlotBooking, options?: CallOptions) =>
    transport.call('createBooking', { body: toBookingInput(body) }, options),

  /**
   * Reads a booking.
   *
   * @example
   * const { status, session_id } = await carecover.bookings.retrieve('bkg_0199f2a4');
   */
  retrieve: (id: BookingId, options?: CallOptions) =>
    transport.call('getBooking', { params: { booking_id: id } }, options),

  /**
   * Cancels a booking before its session starts, with the session and the pre-authorization.
   *
   * @example
   * await carecover.bookings.cancel('bkg_0199f2a4', { reason_code: 'person_unavailable' });
   */
  cancel: (id: BookingId, body: CancellationInput, options?: CallOptions) =>
    transport.call('cancelBooking', { params: { booking_id: id }, body }, options),
});

export interface BookingsMethods extends ReturnType<typeof bookings> {}

export interface SessionQuery extends CareQuery<Session['status']> {
  /** The reference of a recorded session. */
  readonly external_reference?: string;
}

export const sessions = (transport: Transport) => ({
  /**
   * Lists the sessions, newest first.
   *
   * @example
   * for await (const { id } of carecover.sessions.list({ status: 'delivered' })) console.log(id);
   */
  list: (query: SessionQuery = {}, options?: CallOptions) => transport.list('listSessions', query, options),

  /**
   * Records a session outside the booking calendar, in the past or in the future. The times are RFC 3339 with an offset.
   *
   * @example
   * await carecover.sessions.record({
   *   practitioner_id: 'prc_0199f2a4',
   *   starts_at: '2025-03-02T10:00:00+03:00',
   *   ends_at: '2025-03-02T10:50:00+03:00',
   *   format: 'in_person',
   *   payment_source: 'covered',
   *   external_reference: 'encounter-0042',
   * });
   */
  record: (body: SessionInput, options?: CallOptions) => transport.call('createSession', { body }, options),

  /**
   * Reads a session.
   *
   * @example
   * const { status } = await carecover.sessions.retrieve('ses_0199f2a4');
   */
  retrieve: (id: SessionId, options?: CallOptions) =>
    transport.call('getSession', { params: { session_id: id } }, options),
});

export interface SessionsMethods extends ReturnType<typeof sessions> {}
