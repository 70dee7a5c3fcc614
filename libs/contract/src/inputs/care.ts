// What is sent to arrange care and to record consent.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { paymentSources } from '../resources/booking';
import { consentStatuses } from '../resources/consent';
import { sessionFormats } from '../resources/practitioner';
import { closedObject, inputInstant, oneOf } from '../schema';
import { memberReference, reasonCode } from './fields';

export const BookingInput = closedObject(
  'BookingInput',
  'A slot to book.',
  {
    practitioner_id: identifier('practitioner', 'Who is to give the session.'),
    starts_at: inputInstant('Start of the session.'),
    ends_at: inputInstant('End of the session, after its start and at most 8 hours later.'),
    format: oneOf(sessionFormats, 'How the session is to take place.'),
    payment_source: oneOf(paymentSources, 'Who pays.'),
  },
  {
    practitioner_id: exampleIdentifier('practitioner'),
    starts_at: '2027-03-01T10:00:00+03:00',
    ends_at: '2027-03-01T10:50:00+03:00',
    format: 'online',
    payment_source: 'covered',
  },
);
export type BookingInput = Static<typeof BookingInput>;

export const CancellationInput = closedObject(
  'CancellationInput',
  'Why something is cancelled.',
  { reason_code: reasonCode('Why.') },
  { reason_code: 'person_unavailable' },
);
export type CancellationInput = Static<typeof CancellationInput>;

export const ReversalInput = closedObject(
  'ReversalInput',
  'Why something is reversed.',
  { reason_code: reasonCode('Why.') },
  { reason_code: 'recorded_in_error' },
);
export type ReversalInput = Static<typeof ReversalInput>;

export const ConsentInput = closedObject(
  'ConsentInput',
  'What a member says about sharing data.',
  {
    member_reference: memberReference(),
    status: oneOf(consentStatuses, 'Granted or withdrawn.'),
  },
  { member_reference: 'member:88123', status: 'granted' },
);
export type ConsentInput = Static<typeof ConsentInput>;
