/** How large a test is: small in every run, the whole size where SOAK is set. */
export function soak(small: number, whole: number): number {
  return process.env.SOAK === '1' ? whole : small;
}
