/** Returns one of the two sizes of a test: `sizes.soak` in `npm run soak`, otherwise `sizes.ci`. */
export function testSize<T>(sizes: { ci: T; soak: T }): T {
  return process.env.SOAK === '1' ? sizes.soak : sizes.ci;
}

/** Returns what a suite starts to test against: `cluster` in `npm test -- --target cluster`, otherwise `stack`. */
export function testTarget(): 'stack' | 'cluster' {
  return process.env.CARECOVER_TEST_TARGET === 'cluster' ? 'cluster' : 'stack';
}
