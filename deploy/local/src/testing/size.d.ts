/** Suites run at a size that fits CI, and at the full size where the soak asks for it. */
export declare function testSize<T>(sizes: { ci: T; soak: T }): T;
