Object.defineProperty(exports, '__esModule', { value: true });
exports.runTests = exports.main = void 0;
/** The local stack: every server and service of Carecover on one machine. */
var main_1 = require('./main');
Object.defineProperty(exports, 'main', { enumerable: true, get: () => main_1.main });
var run_tests_1 = require('./run-tests');
Object.defineProperty(exports, 'runTests', { enumerable: true, get: () => run_tests_1.runTests });
