/** The test harness of every suite: real PostgreSQL, NATS and Temporal, started fast and always torn down. */
export { freePort } from '../ports';
export { searchAttributes } from '../temporal';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './database';
export { startDevTemporal, startTestNats, startTimeSkippingTemporal, type TestServer } from './servers';
