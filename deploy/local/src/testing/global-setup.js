Object.defineProperty(exports, '__esModule', { value: true });
exports.default = globalSetup;
/** Jest calls it once before all suites. Imports nothing by package name of ours: jest maps those inside suites only. */
const run_folder_1 = require('./run-folder');
const test_cluster_1 = require('./test-cluster');
async function globalSetup() {
  const run = await (0, run_folder_1.createRunFolder)();
  globalThis.carecoverTestRun = run;
  process.env[test_cluster_1.CLUSTER_SETTING] = await (0, test_cluster_1.startTestCluster)(run);
}
