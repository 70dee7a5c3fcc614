/** Jest's global setup. It imports this repository's packages by path, because jest maps their names only in suites. */
import { settleSeed } from '../../../../libs/testing/src/seed';
import { createRunFolder, type RunFolder } from './run-folder';
import { CLUSTER_SETTING, startTestCluster } from './test-cluster';

declare global {
  // Jest's global setup and teardown share only `globalThis`.
  var carecoverTestRun: RunFolder | undefined;
}

export default async function globalSetup(): Promise<void> {
  settleSeed();
  const run = await createRunFolder();
  globalThis.carecoverTestRun = run;
  process.env[CLUSTER_SETTING] = await startTestCluster(run);
}
