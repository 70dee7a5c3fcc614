/** Makes the API resources of the care service from database rows. */
import type { Availability, Booking, Practitioner, Session, SessionFormat, Slot } from '@carecover/contract';
import type { Span } from './rules/availability';
import { sessionStatus } from './rules/session-status';
import type { BookingRow } from './store/bookings';
import type { PractitionerRow } from './store/practitioners';
import { type SessionRow, stateOf } from './store/sessions';

export function practitionerResource(row: PractitionerRow): Practitioner {
  return {
    id: row.id,
    object: 'practitioner',
    name: row.name,
    profession: row.profession,
    location: { city: row.city, country: row.country },
    session_fee: { amount: row.fee_amount, currency: row.fee_currency },
  };
}

export function availabilityResource(row: PractitionerRow): Availability {
  return {
    object: 'availability',
    practitioner_id: row.id,
    timezone: row.timezone,
    weekly_hours: row.weekly_hours,
  };
}

export function slotResource(
  practitioner: Pick<PractitionerRow, 'id' | 'timezone'>,
  { start, end }: Span,
  format: SessionFormat,
): Slot {
  return {
    object: 'slot',
    practitioner_id: practitioner.id,
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(end).toISOString(),
    timezone: practitioner.timezone,
    format,
  };
}

export function bookingResource(row: BookingRow): Booking {
  return {
    id: row.id,
    object: 'booking',
    session_id: row.session_id,
    practitioner_id: row.practitioner_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    timezone: row.timezone,
    format: row.format,
    status: row.status,
    payment_source: row.payment_source,
  };
}

/** Makes a session from its row. @param now the instant for which the session's status is computed */
export function sessionResource(row: SessionRow, now: Date): Session {
  return {
    id: row.id,
    object: 'session',
    practitioner_id: row.practitioner_id,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    timezone: row.timezone,
    format: row.format,
    status: sessionStatus(stateOf(row), now),
    payment_source: row.payment_source,
  };
}
