// Practitioners: their public profiles and weekly hours.

import { type Static, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  closedObject,
  inlineObject,
  moneyAmount,
  objectName,
  outputArray,
  outputCurrency,
  outputString,
  stringEnum,
} from '../schema';

/** The formats of sessions: how a session takes place. */
export const sessionFormats = ['online', 'in_person', 'phone'] as const;

export type SessionFormat = (typeof sessionFormats)[number];

export const Practitioner = closedObject(
  'Practitioner',
  "A practitioner's public profile. Synthetic in the sandbox.",
  {
    id: identifier('practitioner', "The practitioner's identifier."),
    object: objectName('practitioner'),
    name: outputString('Full name.'),
    profession: outputString('Profession.'),
    location: inlineObject('Where the practitioner works.', {
      city: outputString('City.'),
      country: outputString('Country, ISO 3166-1 alpha-2.'),
    }),
    session_fee: inlineObject('The fee of one session.', {
      amount: moneyAmount('The fee.', 1),
      currency: outputCurrency(),
    }),
  },
  {
    id: exampleIdentifier('practitioner'),
    object: 'practitioner',
    name: 'Amina Otieno',
    profession: 'Clinical psychologist',
    location: { city: 'Nairobi', country: 'KE' },
    session_fee: { amount: 450000, currency: 'KES' },
  },
);
export type Practitioner = Static<typeof Practitioner>;

/** The pattern of a time of day, 00:00 to 23:59. */
export const TIME_OF_DAY_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

const timeOfDay = (description: string) => Type.String({ pattern: TIME_OF_DAY_PATTERN, description });

export const Availability = closedObject(
  'Availability',
  "A practitioner's recurring weekly hours, in the practitioner's own time zone.",
  {
    object: objectName('availability'),
    practitioner_id: identifier('practitioner', 'The practitioner.'),
    timezone: outputString('IANA time zone of the hours.'),
    weekly_hours: outputArray(
      inlineObject('One period of one weekday.', {
        weekday: Type.Integer({ minimum: 0, maximum: 6, description: 'Day of the week, 0 is Sunday.' }),
        start: timeOfDay('First bookable minute, HH:MM.'),
        end: timeOfDay('End of the period, HH:MM.'),
        formats: outputArray(
          stringEnum('SessionFormat', sessionFormats, 'A format.'),
          'Formats offered in this period.',
        ),
      }),
      'The periods.',
    ),
  },
  {
    object: 'availability',
    practitioner_id: exampleIdentifier('practitioner'),
    timezone: 'Africa/Nairobi',
    weekly_hours: [{ weekday: 1, start: '09:00', end: '17:00', formats: ['online', 'in_person'] }],
  },
);
export type Availability = Static<typeof Availability>;

/** One period of a practitioner's weekly hours. */
export type WeeklyHours = Availability['weekly_hours'][number];
