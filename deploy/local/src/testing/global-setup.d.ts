/** Jest calls it once before all suites. Imports nothing by package name of ours: jest maps those inside suites only. */
import { type RunFolder } from './run-folder';

declare global {
  var carecoverTestRun: RunFolder | undefined;
}
export default function globalSetup(): Promise<void>;
