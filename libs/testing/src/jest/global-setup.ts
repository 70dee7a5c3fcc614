/**
 * The global setup of Jest: fetches the time-skipping Temporal server, and starts the cluster of a test run. Packages of this repository
 * are imported by their paths, because Jest resolves their names only in suites.
 */

import { StartFailure } from '../../../../deploy/local/src/failure';
import { createRunFolder, RUN_SETTING, type RunFolder } from '../../../../deploy/local/src/run-folder';
import { CLUSTER_SETTING, startTestCluster } from '../../../../deploy/local/src/test-cluster';
import { temporalTestServerExecutable } from '../../../../deploy/local/src/toolchain';
import { settleSeed } from '../seed';

declare global {
  // The folder with the servers of the test run. It is a global variable, because Jest's global setup and teardown share nothing else.
  var carecoverTestRun: RunFolder | undefined;
}

export default async function globalSetup(): Promise<void> {
  settleSeed();
  await fetchTestServer();
  const run = await createRunFolder();
  globalThis.carecoverTestRun = run;
  process.env[RUN_SETTING] = run.path;
  process.env[CLUSTER_SETTING] = await startTestCluster(run);
}

/** Fetches the time-skipping server before any suite runs, because the first download can take longer than the timeout of a suite's hooks. */
async function fetchTestServer(): Promise<void> {
  try {
    await temporalTestServerExecutable();
  } catch (error) {
    // The error is ignored here: the suites that need the server fail with the same reason, and the others run.
    if (!(error instanceof StartFailure)) throw error;
  }
}
