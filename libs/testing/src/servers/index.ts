/** Exports for test suites: real PostgreSQL, NATS and Temporal servers and stacks, which stop with the test run. */

export { cached } from '@carecover/local/cache';
export { type Certificate, certificateIn } from '@carecover/local/certificate';
export { sendCommand, serveControl } from '@carecover/local/cluster/commands';
export { buildRelease } from '@carecover/local/cluster/release';
export { homePaths } from '@carecover/local/home';
export { freePort } from '@carecover/local/ports';
export { databaseUrl, ensureDatabase } from '@carecover/local/postgres';
export { freeze } from '@carecover/local/process-tree';
export { TEMPORAL_DATABASES } from '@carecover/local/temporal';
export {
  actionlintExecutable,
  linearizabilityChecker,
  natsExecutable,
  oasdiffExecutable,
  temporalExecutable,
} from '@carecover/local/toolchain';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database';
export { eventually } from './eventually';
export { setFailpoint } from './failpoint';
export { type LimitedFiles, limitFiles } from './limited-files';
export { type NetworkLink, startNetworkLink } from './network-link';
export { npmPackages, npmProgram } from './npm';
export { pythonEnvironment } from './python';
export {
  startDevTemporal,
  startTestNats,
  startTestPostgres,
  startTestTemporalUi,
  startTimeSkippingTemporal,
  type TestNats,
  type TestServer,
} from './servers';
export { testSize, testTarget } from './size';
export { mountSmallDisk, type SmallDisk } from './small-disk';
export { startTestCluster, startTestStack, type TestCluster, type TestStack } from './stack';
export { type BlackHole, startBlackHole } from './strain';
