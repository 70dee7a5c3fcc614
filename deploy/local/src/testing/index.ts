/** Exports for test suites: real PostgreSQL, NATS and Temporal servers and stacks, which stop with the test run. */

export { cached } from '../cache';
export { type Certificate, certificateIn } from '../certificate';
export { sendCommand, serveControl } from '../cluster/commands';
export { buildRelease } from '../cluster/release';
export { homePaths } from '../home';
export { freePort } from '../ports';
export { databaseUrl, ensureDatabase } from '../postgres';
export { freeze } from '../process-tree';
export { TEMPORAL_DATABASES } from '../temporal';
export {
  actionlintExecutable,
  linearizabilityChecker,
  natsExecutable,
  oasdiffExecutable,
  temporalExecutable,
} from '../toolchain';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database';
export { eventually } from './eventually';
export { setFailpoint } from './failpoint';
export { type LimitedFiles, limitFiles } from './limited-files';
export { type NetworkLink, startNetworkLink } from './network-link';
export { npmProgram } from './npm';
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
