// Free slots, bookings of slots, and the sessions that bookings create.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { closedObject, objectName, outputArray, outputInstant, outputString, stringEnum } from '../schema';
import { sessionFormats } from './practitioner';

export const bookingStatuses = ['reserved', 'confirmed', 'cancelled'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export const sessionStatuses = ['reserved', 'confirmed', 'in_progress', 'delivered', 'cancelled'] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Who pays for a session: the person (`self_pay`), or the payer of a coverage (`covered`). */
export const paymentSources = ['self_pay', 'covered'] as const;
export type PaymentSource = (typeof paymentSources)[number];

const slot = {
  practitioner_id: identifier('practitioner', 'The practitioner who gives the session.'),
  starts_at: outputInstant('Start of the session.'),
  ends_at: outputInstant('End of the session.'),
  timezone: outputString("The practitioner's IANA time zone."),
  format: stringEnum('SessionFormat', sessionFormats, 'How the session takes place.'),
};

const exampleSlot = {
  practitioner_id: exampleIdentifier('practitioner'),
  starts_at: '2099-03-02T07:00:00.000Z',
  ends_at: '2099-03-02T07:50:00.000Z',
  timezone: 'Africa/Nairobi',
  format: 'online',
};

export const Slot = closedObject(
  'Slot',
  'A time of a practitioner that can be booked. It is not reserved: another booking can take it.',
  { object: objectName('slot'), ...slot },
  { object: 'slot', ...exampleSlot },
);
export type Slot = Static<typeof Slot>;

export const SlotList = closedObject(
  'SlotList',
  'Free slots of one practitioner, earliest first. They do not overlap.',
  {
    object: objectName('list'),
    data: outputArray(Slot, 'The slots.'),
    has_more: Type.Boolean({
      description:
        'Whether there are more slots. Get them with `from` set to the `ends_at` of the last slot of this response.',
    }),
  },
  { object: 'list', data: [{ object: 'slot', ...exampleSlot }], has_more: false },
);
export type SlotList = Static<typeof SlotList>;

export const Booking = closedObject(
  'Booking',
  "A reserved slot of a practitioner's time.",
  {
    id: identifier('booking', "The booking's identifier."),
    object: objectName('booking'),
    session_id: identifier('session', 'The session of the booking.'),
    ...slot,
    status: stringEnum(
      'BookingStatus',
      bookingStatuses,
      '`self_pay` starts confirmed; `covered` starts reserved and is confirmed by the approval of its pre-authorization.',
    ),
    payment_source: stringEnum('PaymentSource', paymentSources, 'Who pays.'),
  },
  {
    id: exampleIdentifier('booking'),
    object: 'booking',
    session_id: exampleIdentifier('session'),
    ...exampleSlot,
    status: 'reserved',
    payment_source: 'covered',
  },
);
export type Booking = Static<typeof Booking>;

export const Session = closedObject(
  'Session',
  'One session of care. It contains no identifier of a person or a payer, and no clinical data.',
  {
    id: identifier('session', "The session's identifier."),
    object: objectName('session'),
    ...slot,
    status: stringEnum(
      'SessionStatus',
      sessionStatuses,
      "The booking's status until starts_at, then in_progress, and delivered from ends_at; or cancelled.",
    ),
    payment_source: stringEnum('PaymentSource', paymentSources, 'Who pays.'),
  },
  {
    id: exampleIdentifier('session'),
    object: 'session',
    ...exampleSlot,
    starts_at: '2025-03-01T07:00:00.000Z',
    ends_at: '2025-03-01T07:50:00.000Z',
    status: 'delivered',
    payment_source: 'covered',
  },
);
export type Session = Static<typeof Session>;
