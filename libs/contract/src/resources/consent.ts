// A member's consent to the sharing of data. No response or path contains the member's reference.
import type { Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { closedObject, objectName, outputInstant, stringEnum } from '../schema';

export const consentStatuses = ['granted', 'withdrawn'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

export const Consent = closedObject(
  'Consent',
  "A member's consent to the sharing of data. There is one per member.",
  {
    id: identifier('consent', "The consent's identifier."),
    object: objectName('consent'),
    status: stringEnum('ConsentStatus', consentStatuses, 'The last recorded status.'),
    updated_at: outputInstant('When it was last recorded.'),
  },
  {
    id: exampleIdentifier('consent'),
    object: 'consent',
    status: 'granted',
    updated_at: '2025-02-20T09:00:00.000Z',
  },
);
export type Consent = Static<typeof Consent>;
