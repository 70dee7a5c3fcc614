/** Jest calls it once before all suites. Imports nothing by package name of ours: jest maps those inside suites only. */
import { createRunFolder, type RunFolder } from './run-folder';
import { settleSeed } from './seed';
import { CLUSTER_SETTING, startTestCluster } from './test-cluster';

declare global {
  // The one place that jest's set-up and tear-down share.
  var carecoverTestRun: RunFolder | undefined;
}

export default async function globalSetup(): Promise<void> {
  settleSeed();
  const run = await createRunFolder();
  globalThis.carecoverTestRun = run;
  process.env[CLUSTER_SETTING] = await startTestCluster(run);
}
