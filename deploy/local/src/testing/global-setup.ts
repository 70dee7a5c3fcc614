/** Jest's global setup. It imports our packages by path, because jest maps their names only inside suites. */
import { settleSeed } from '../../../../libs/testing/src/seed';
import { createRunFolder, type RunFolder } from './run-folder';
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
