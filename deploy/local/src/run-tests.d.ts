export interface Count {
  passed: number;
  failed: number;
}
/** The part of jest's JSON report that is counted. */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  /** Suites that could not even be run, and so have no failed test to count. */
  numRuntimeErrorTestSuites: number;
  success: boolean;
}
export declare function countReport(report: JestReport): Count;
export declare function summary(counts: readonly Count[]): string;
/** Runs everything, prints the summary as the last line, and sets the exit code. */
export declare function runTests(size: 'ci' | 'soak', jestArgs: readonly string[]): Promise<void>;
