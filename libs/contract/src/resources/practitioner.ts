// Who gives care: the practitioner's public profile and recurring weekly hours.
import Type, { type Static } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import {
  amount,
  closedObject,
  objectName,
  oneOf,
  outputCurrency,
  outputItems,
  outputText,
  part,
} from '../schema';

/** How a session takes place. */
export const sessionFormats = ['online', 'in_person', 'phone'] as const;

export type SessionFormat = (typeof sessionFormats)[number];

export const Practitioner = closedObject(
  'Practitioner',
  "A practitioner's public profile. Synthetic in the sandbox.",
  {
    id: identifier('practitioner', "The practitioner's identifier."),
    object: objectName('practitioner'),
    name: outputText('Full name.'),
    profession: outputText('Profession, in words.'),
    location: part('Where the practitioner works.', {
      city: outputText('City.'),
      country: outputText('Country, ISO 3166-1 alpha-2.'),
    }),
    session_fee: part('The fee of one session.', {
      amount: amount('The fee.', 1),
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

/** A time of day, 00:00 to 23:59. */
export const TIME_OF_DAY_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

const timeOfDay = (description: string) => Type.String({ pattern: TIME_OF_DAY_PATTERN, description });

export const Availability = closedObject(
  'Availability',
  "A practitioner's recurring weekly hours, in the practitioner's own time zone.",
  {
    object: objectName('availability'),
    practitioner_id: identifier('practitioner', 'The practitioner.'),
    timezone: outputText('IANA time zone in which the hours are meant.'),
    weekly_hours: outputItems(
      part('One stretch of one weekday.', {
        weekday: Type.Integer({ minimum: 0, maximum: 6, description: 'Day of the week, 0 is Sunday.' }),
        start: timeOfDay('First bookable minute, HH:MM.'),
        end: timeOfDay('End of the stretch, HH:MM.'),
        formats: outputItems(oneOf(sessionFormats, 'A format.'), 'Formats offered in this stretch.'),
      }),
      'The stretches.',
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

/** One stretch of a practitioner's week. */
export type WeeklyHours = Availability['weekly_hours'][number];
