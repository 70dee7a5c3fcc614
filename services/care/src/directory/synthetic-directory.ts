/** The made-up practitioners of a sandbox project: the same 200 in every project, so that an example means the same everywhere. */
import type { DirectoryEntry } from '../store/practitioners';
import { FAMILY_NAMES, FEE_LEVEL, GIVEN_NAMES, NIGHTS, PLACES, PROFESSIONS, WEEKS } from './words';

export const SYNTHETIC_PRACTITIONERS = 200;

/** Every twentieth works nights, beginning with this one. */
const FIRST_NIGHT = 19;

/** The word of an ever repeated list. */
function pick<T>(words: readonly T[], index: number): T {
  const word = words[index % words.length];
  if (word === undefined) throw new RangeError('nothing to pick from');
  return word;
}

function entry(index: number): DirectoryEntry {
  const place = pick(PLACES, index);
  const profession = pick(PROFESSIONS, index);
  const round = Math.floor(index / GIVEN_NAMES.length);
  return {
    reference: `synthetic:${String(index + 1).padStart(3, '0')}`,
    // The family names move on by one each time the given names begin again: so no two practitioners share a name.
    name: `${pick(GIVEN_NAMES, index)} ${pick(FAMILY_NAMES, index + round)}`,
    profession: profession.title,
    city: place.city,
    country: place.country,
    feeAmount: (profession.feeCents * FEE_LEVEL[place.currency]) / 100,
    feeCurrency: place.currency,
    timezone: place.timezone,
    weeklyHours: index % 20 === FIRST_NIGHT ? NIGHTS : pick(WEEKS, index),
  };
}

/** The directory, always the same. */
export function syntheticDirectory(): DirectoryEntry[] {
  return Array.from({ length: SYNTHETIC_PRACTITIONERS }, (_, index) => entry(index));
}
