/** Returns the value of `sizes` for this test run: `soak` in `npm run soak`, otherwise `ci`. */
export function testSize<T>(sizes: { ci: T; soak: T }): T {
  return process.env.SOAK === '1' ? sizes.soak : sizes.ci;
}
