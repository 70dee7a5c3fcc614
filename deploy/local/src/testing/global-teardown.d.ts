/** Jest calls it once after all suites. Where jest is killed instead, the run's reaper does the same. */
export default function globalTeardown(): Promise<void>;
