/** Returns the value of `sizes` for this test run: `soak` in `npm run soak`, otherwise `ci`. */
export function testSize<T>(sizes: { ci: T; soak: T }): T {
  return process.env.SOAK === '1' ? sizes.soak : sizes.ci;
}

/** Returns what the suites that start a stack run against: a stack, or a cluster with `--target cluster`. */
export function testTarget(): 'stack' | 'cluster' {
  return process.env.CARECOVER_TEST_TARGET === 'cluster' ? 'cluster' : 'stack';
}
