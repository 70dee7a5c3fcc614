// The response with the resources to which a claim is related: its session, booking, remittances, settlements and others.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  nullable,
  nullableObject,
  objectName,
  outputArray,
  outputCurrency,
  outputInstant,
  outputString,
} from '../schema';

export const ClaimLinks = closedObject(
  'ClaimLinks',
  'The resources that a claim is connected with, with the amounts of its remittances and settlements.',
  {
    object: objectName('claim_links'),
    claim_id: identifier('claim', 'The claim.'),
    session_id: identifier('session', 'The session that it claims.'),
    booking_id: identifier('booking', 'The booking of the session.'),
    session_recorded: nullableObject(
      inlineObject('The recording of a session outside the booking calendar.', {
        by: outputString('The API key that recorded the session.'),
        at: outputInstant('When the session was recorded.'),
      }),
      'Who recorded the session outside the booking calendar, and when; null if it was booked in a slot.',
    ),
    practitioner_id: identifier('practitioner', 'The practitioner of the session.'),
    eligibility_check_id: identifier('eligibilityCheck', 'The eligibility check that it relies on.'),
    preauthorization_id: nullable(
      identifier('preauthorization', 'The pre-authorization that it uses; null if it uses none.'),
    ),
    currency: outputCurrency(),
    remittances: outputArray(
      inlineObject('A remittance that pays for the claim.', {
        id: identifier('remittance', 'The remittance.'),
        amount: moneyAmount('The amount that it allocates to the claim, less what was taken back.', 1),
      }),
      "The remittances that are not taken back in full, in the order in which they were recorded. Their sum is the claim's remitted amount.",
    ),
    settlements: outputArray(
      inlineObject('A settlement of the claim.', {
        id: identifier('settlement', 'The settlement.'),
        amount: moneyAmount(
          'The amount of the claim that it settles, less what was taken back; 0 once it is reversed, and if it settles a recovery.',
        ),
      }),
      "The settlements that were matched to the claim, in the order in which they were recorded. Their sum is the claim's settled amount.",
    ),
  },
  {
    object: 'claim_links',
    claim_id: exampleIdentifier('claim'),
    session_id: exampleIdentifier('session'),
    booking_id: exampleIdentifier('booking'),
    session_recorded: null,
    practitioner_id: exampleIdentifier('practitioner'),
    eligibility_check_id: exampleIdentifier('eligibilityCheck'),
    preauthorization_id: exampleIdentifier('preauthorization'),
    currency: 'KES',
    remittances: [{ id: exampleIdentifier('remittance'), amount: 300000 }],
    settlements: [{ id: exampleIdentifier('settlement'), amount: 300000 }],
  },
);
export type ClaimLinks = Static<typeof ClaimLinks>;
