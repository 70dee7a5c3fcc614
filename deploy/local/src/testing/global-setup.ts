/**
 * The global setup of Jest: starts the cluster of a test run. Packages of this repository are imported by path, as Jest maps names only in
 * suites.
 */
import { settleSeed } from '../../../../libs/testing/src/seed';
import { createRunFolder, type RunFolder } from './run-folder';
import { CLUSTER_SETTING, startTestCluster } from './test-cluster';

declare global {
  // A global variable, because Jest's global setup and teardown share nothing else.
  var carecoverTestRun: RunFolder | undefined;
}

export default async function globalSetup(): Promise<void> {
  settleSeed();
  const run = await createRunFolder();
  globalThis.carecoverTestRun = run;
  process.env[CLUSTER_SETTING] = await startTestCluster(run);
}
