/**
 * Node's test environment, in a worker process that compiles each module once and ends fast. Jest prints a warning about open handles if a
 * worker needs more than half a second to end. On a busy machine a worker without open handles needs longer only to free its memory, which
 * `process.exit` omits.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { withScriptCache } = require('./script-cache.cjs');

vm.compileFunction = withScriptCache(vm.compileFunction);

// Node.js emits this event only if no handle is open, so a worker with an open handle still gets the warning.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

module.exports = TestEnvironment;
