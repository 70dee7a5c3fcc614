// Request bodies for bookings, recorded sessions, cancellations, reversals and consents.
import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { paymentSources } from '../resources/booking';
import { consentStatuses } from '../resources/consent';
import { sessionFormats } from '../resources/practitioner';
import { boundedString, closedObject, inputInstant, stringEnum } from '../schema';
import { memberReference, reasonCode } from './fields';

const sessionFields = {
  practitioner_id: identifier('practitioner', 'The practitioner who gives the session.'),
  starts_at: inputInstant('Start of the session.'),
  ends_at: inputInstant('End of the session, after its start and at most 8 hours later.'),
  format: stringEnum('SessionFormat', sessionFormats, 'How the session takes place.'),
  payment_source: stringEnum('PaymentSource', paymentSources, 'Who pays.'),
};

export const BookingInput = closedObject('BookingInput', 'A slot to book.', sessionFields, {
  practitioner_id: exampleIdentifier('practitioner'),
  starts_at: '2099-03-02T10:00:00+03:00',
  ends_at: '2099-03-02T10:50:00+03:00',
  format: 'online',
  payment_source: 'covered',
});
export type BookingInput = Static<typeof BookingInput>;

export const SessionInput = closedObject(
  'SessionInput',
  'A session outside the booking calendar, in the past or in the future.',
  {
    ...sessionFields,
    external_reference: Type.Optional(
      boundedString(
        3,
        200,
        'The reference of the session in the system that sends it, unique in the project; never of a person, because an erasure does not remove it.',
      ),
    ),
  },
  {
    practitioner_id: exampleIdentifier('practitioner'),
    starts_at: '2099-03-02T10:00:00+03:00',
    ends_at: '2099-03-02T10:50:00+03:00',
    format: 'in_person',
    payment_source: 'covered',
    external_reference: 'encounter-0042',
  },
);
export type SessionInput = Static<typeof SessionInput>;

export const CancellationInput = closedObject(
  'CancellationInput',
  'The reason of a cancellation.',
  { reason_code: reasonCode('The reason code.') },
  { reason_code: 'person_unavailable' },
);
export type CancellationInput = Static<typeof CancellationInput>;

export const ReversalInput = closedObject(
  'ReversalInput',
  'The reason of a reversal.',
  { reason_code: reasonCode('The reason code.') },
  { reason_code: 'recorded_in_error' },
);
export type ReversalInput = Static<typeof ReversalInput>;

export const ConsentInput = closedObject(
  'ConsentInput',
  "A member's consent to the sharing of data.",
  {
    member_reference: memberReference(),
    status: stringEnum('ConsentStatus', consentStatuses, 'Granted or withdrawn.'),
  },
  { member_reference: 'member:88123', status: 'granted' },
);
export type ConsentInput = Static<typeof ConsentInput>;
