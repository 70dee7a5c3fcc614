// Whether a member allows that data about them is shared. No member reference ever stands in an answer or a path.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { closedObject, objectName, oneOf, outputInstant } from '../schema';

export const consentStatuses = ['granted', 'withdrawn'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

export const Consent = closedObject(
  'Consent',
  'Whether one member consents. There is one a member.',
  {
    id: identifier('consent', "The consent's identifier."),
    object: objectName('consent'),
    status: oneOf(consentStatuses, 'What the member said last.'),
    updated_at: outputInstant('When it was last recorded.'),
  },
  {
    id: exampleIdentifier('consent'),
    object: 'consent',
    status: 'granted',
    updated_at: '2027-02-20T09:00:00.000Z',
  },
);
export type Consent = Static<typeof Consent>;
