Object.defineProperty(exports, '__esModule', { value: true });
exports.startTestStack =
  exports.testSize =
  exports.startTimeSkippingTemporal =
  exports.startTestNats =
  exports.startDevTemporal =
  exports.createTestDatabase =
  exports.searchAttributes =
  exports.freePort =
  exports.upcomingSlots =
  exports.certificateIn =
    void 0;
/** The test harness of every suite: real PostgreSQL, NATS and Temporal, started fast and always torn down. */
var certificate_1 = require('../certificate');
Object.defineProperty(exports, 'certificateIn', { enumerable: true, get: () => certificate_1.certificateIn });
var slots_1 = require('../journey/slots');
Object.defineProperty(exports, 'upcomingSlots', { enumerable: true, get: () => slots_1.upcomingSlots });
var ports_1 = require('../ports');
Object.defineProperty(exports, 'freePort', { enumerable: true, get: () => ports_1.freePort });
var temporal_1 = require('../temporal');
Object.defineProperty(exports, 'searchAttributes', {
  enumerable: true,
  get: () => temporal_1.searchAttributes,
});
var database_1 = require('./database');
Object.defineProperty(exports, 'createTestDatabase', {
  enumerable: true,
  get: () => database_1.createTestDatabase,
});
var servers_1 = require('./servers');
Object.defineProperty(exports, 'startDevTemporal', {
  enumerable: true,
  get: () => servers_1.startDevTemporal,
});
Object.defineProperty(exports, 'startTestNats', { enumerable: true, get: () => servers_1.startTestNats });
Object.defineProperty(exports, 'startTimeSkippingTemporal', {
  enumerable: true,
  get: () => servers_1.startTimeSkippingTemporal,
});
var size_1 = require('./size');
Object.defineProperty(exports, 'testSize', { enumerable: true, get: () => size_1.testSize });
var stack_1 = require('./stack');
Object.defineProperty(exports, 'startTestStack', { enumerable: true, get: () => stack_1.startTestStack });
