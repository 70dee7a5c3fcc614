/** The generated practitioners of a sandbox project: the same 200 in every project, so that examples fit every project. */
import type { DirectoryEntry } from '../store/practitioners';
import {
  FAMILY_NAMES,
  FEE_LEVEL,
  GIVEN_NAMES,
  NIGHT_HOURS,
  PLACES,
  PROFESSIONS,
  WEEKLY_HOURS,
} from './synthetic-values';

export const SYNTHETIC_PRACTITIONERS = 200;

/** The index of the first practitioner who works at night. Every twentieth practitioner after it does too. */
const FIRST_NIGHT_INDEX = 19;

/** Returns the item at `index`. After the last item of the list, the first one follows again. */
function pickCyclic<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('the list is empty');
  return item;
}

function entryAt(index: number): DirectoryEntry {
  const place = pickCyclic(PLACES, index);
  const profession = pickCyclic(PROFESSIONS, index);
  const repetition = Math.floor(index / GIVEN_NAMES.length);
  return {
    reference: `synthetic:${String(index + 1).padStart(3, '0')}`,
    // Each repetition of the given names shifts the family names by one, so all full names are distinct.
    name: `${pickCyclic(GIVEN_NAMES, index)} ${pickCyclic(FAMILY_NAMES, index + repetition)}`,
    profession: profession.title,
    city: place.city,
    country: place.country,
    feeAmount: (profession.feeCents * FEE_LEVEL[place.currency]) / 100,
    feeCurrency: place.currency,
    timezone: place.timezone,
    weeklyHours: index % 20 === FIRST_NIGHT_INDEX ? NIGHT_HOURS : pickCyclic(WEEKLY_HOURS, index),
  };
}

/** Returns the synthetic directory, which is the same on every call. */
export function syntheticDirectory(): DirectoryEntry[] {
  return Array.from({ length: SYNTHETIC_PRACTITIONERS }, (_, index) => entryAt(index));
}
