/** The values of synthetic practitioners: names, places, fees and weekly hours. They describe no real person. */
import type { Currency, SessionFormat, WeeklyHours } from '@carecover/contract';

export const GIVEN_NAMES =
  'Amina Brian Chiara Daniel Esther Faisal Grace Henrik Ines Joseph Kavita Liam Mercy Nikhil Olga Peter Quentin Ruth Samuel Thandiwe Ursula Victor Wanjiru Yusuf Zofia'.split(
    ' ',
  );

export const FAMILY_NAMES =
  'Otieno Achieng Bauer Castillo Dubois Eriksen Fernandes Gurung Hughes Ibrahim Jensen Kamau Larsson Mwangi Novak Pereira Quinn Rao Sharma Tanaka Usman Vieira Whitfield'.split(
    ' ',
  );

/** A profession with its usual fee in the United States, in cents. */
export const PROFESSIONS: readonly { readonly title: string; readonly feeCents: number }[] = [
  { title: 'Clinical psychologist', feeCents: 14_000 },
  { title: 'General practitioner', feeCents: 11_000 },
  { title: 'Physiotherapist', feeCents: 9_000 },
  { title: 'Psychiatrist', feeCents: 22_000 },
  { title: 'Dietitian', feeCents: 7_500 },
  { title: 'Speech and language therapist', feeCents: 9_500 },
  { title: 'Occupational therapist', feeCents: 8_800 },
  { title: 'Midwife', feeCents: 6_400 },
  { title: 'Counsellor', feeCents: 6_000 },
  { title: 'Paediatrician', feeCents: 16_000 },
  { title: 'Dermatologist', feeCents: 18_500 },
];

/** The equivalent of a fee of 100 US cents, in the minor unit of each currency. */
export const FEE_LEVEL: Readonly<Record<Currency, number>> = { KES: 3_000, USD: 100, EUR: 80, GBP: 70 };

export interface Place {
  readonly city: string;
  readonly country: string;
  readonly timezone: string;
  readonly currency: Currency;
}

/** The places of practice, with time zones with and without daylight saving time, half and quarter hours, and both sides of the date line. */
export const PLACES: readonly Place[] = [
  { city: 'Nairobi', country: 'KE', timezone: 'Africa/Nairobi', currency: 'KES' },
  { city: 'London', country: 'GB', timezone: 'Europe/London', currency: 'GBP' },
  { city: 'New York', country: 'US', timezone: 'America/New_York', currency: 'USD' },
  { city: 'Berlin', country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR' },
  { city: 'Mombasa', country: 'KE', timezone: 'Africa/Nairobi', currency: 'KES' },
  { city: 'Mumbai', country: 'IN', timezone: 'Asia/Kolkata', currency: 'USD' },
  { city: 'Kathmandu', country: 'NP', timezone: 'Asia/Kathmandu', currency: 'USD' },
  { city: 'Adelaide', country: 'AU', timezone: 'Australia/Adelaide', currency: 'USD' },
  { city: 'Dublin', country: 'IE', timezone: 'Europe/Dublin', currency: 'EUR' },
  { city: 'Kisumu', country: 'KE', timezone: 'Africa/Nairobi', currency: 'KES' },
  { city: 'Los Angeles', country: 'US', timezone: 'America/Los_Angeles', currency: 'USD' },
  { city: "St. John's", country: 'CA', timezone: 'America/St_Johns', currency: 'USD' },
  { city: 'Lagos', country: 'NG', timezone: 'Africa/Lagos', currency: 'USD' },
  { city: 'Auckland', country: 'NZ', timezone: 'Pacific/Auckland', currency: 'USD' },
  { city: 'Apia', country: 'WS', timezone: 'Pacific/Apia', currency: 'USD' },
  { city: 'Honolulu', country: 'US', timezone: 'Pacific/Honolulu', currency: 'USD' },
  { city: 'Edinburgh', country: 'GB', timezone: 'Europe/London', currency: 'GBP' },
  { city: 'Lisbon', country: 'PT', timezone: 'Europe/Lisbon', currency: 'EUR' },
  { city: 'São Paulo', country: 'BR', timezone: 'America/Sao_Paulo', currency: 'USD' },
  { city: 'Johannesburg', country: 'ZA', timezone: 'Africa/Johannesburg', currency: 'USD' },
  { city: 'Eldoret', country: 'KE', timezone: 'Africa/Nairobi', currency: 'KES' },
  { city: 'Lord Howe Island', country: 'AU', timezone: 'Australia/Lord_Howe', currency: 'USD' },
  { city: 'Cairo', country: 'EG', timezone: 'Africa/Cairo', currency: 'USD' },
  { city: 'Santiago', country: 'CL', timezone: 'America/Santiago', currency: 'USD' },
];

const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];

function hoursOn(
  weekdays: readonly number[],
  start: string,
  end: string,
  ...formats: SessionFormat[]
): WeeklyHours[] {
  return weekdays.map((weekday) => ({ weekday, start, end, formats }));
}

/** The weekly hours of practitioners who work by day. */
export const WEEKLY_HOURS: readonly (readonly WeeklyHours[])[] = [
  hoursOn(MONDAY_TO_FRIDAY, '09:00', '17:00', 'online', 'in_person', 'phone'),
  [
    ...hoursOn(MONDAY_TO_FRIDAY, '08:00', '12:00', 'online', 'in_person'),
    ...hoursOn(MONDAY_TO_FRIDAY, '13:00', '16:30', 'online', 'phone'),
  ],
  [
    ...hoursOn([1, 2, 3, 4], '15:00', '21:00', 'online'),
    ...hoursOn([6], '09:00', '13:00', 'online', 'in_person'),
  ],
  [
    ...hoursOn(MONDAY_TO_FRIDAY, '09:00', '13:00', 'online'),
    ...hoursOn(MONDAY_TO_FRIDAY, '13:00', '17:00', 'online', 'in_person'),
  ],
  [
    ...hoursOn([0, 6], '10:00', '18:00', 'online', 'phone'),
    ...hoursOn([3], '12:00', '20:00', 'online', 'in_person'),
  ],
  [
    ...hoursOn([1, 3, 5], '07:30', '15:30', 'in_person', 'online'),
    ...hoursOn([2, 4], '10:00', '14:00', 'online', 'phone'),
  ],
  hoursOn([0, 1, 2, 3, 4], '08:30', '18:00', 'online', 'in_person'),
];

/** Weekly hours that continue after midnight. */
export const NIGHT_HOURS: readonly WeeklyHours[] = [
  ...hoursOn(EVERY_DAY, '00:00', '06:00', 'online', 'phone'),
  ...hoursOn(EVERY_DAY, '20:00', '23:59', 'online', 'phone'),
];
