/** Returns the size of a test: the full one for `npm run soak`, else the one for CI. */
export function testSize<T>(sizes: { ci: T; soak: T }): T {
  return process.env.SOAK === '1' ? sizes.soak : sizes.ci;
}
