/** A day of the clock that rules read. */
export const DAY_MS = 24 * 60 * 60 * 1000;
