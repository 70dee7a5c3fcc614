/** Suites run at a size that fits CI, and at the full size where the soak asks for it. */
export function testSize<T>(sizes: { ci: T; soak: T }): T {
  return process.env.SOAK === '1' ? sizes.soak : sizes.ci;
}
