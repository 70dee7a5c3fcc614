Object.defineProperty(exports, '__esModule', { value: true });
exports.runTool = runTool;
/** Runs a tool to its end. What it says is shown only when it fails, and then only the end of it. */
const node_child_process_1 = require('node:child_process');
const node_path_1 = require('node:path');
const failure_1 = require('./failure');
const SHOWN_LINES = 12;
/**
 * Its standard output.
 * @throws StartFailure with the last lines that it wrote, when it can't be run or ends with another code than 0
 */
function runTool(command, args, options) {
  return new Promise((resolve, reject) => {
    const tool = (0, node_child_process_1.spawn)(command, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [answer, everything] = ['', ''];
    tool.stdout.on('data', (chunk) => {
      answer += chunk.toString();
      everything += chunk.toString();
    });
    tool.stderr.on('data', (chunk) => {
      everything += chunk.toString();
    });
    const endWithUs = () => tool.kill();
    process.once('exit', endWithUs);
    const fail = (how, cause) => {
      process.off('exit', endWithUs);
      const lines = everything.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      reject(
        new failure_1.StartFailure(`${(0, node_path_1.basename)(command)} ${how}.\n${lines}`.trimEnd(), {
          cause,
        }),
      );
    };
    tool.once('error', (error) => fail("can't be run", error));
    tool.once('close', (code, signal) => {
      process.off('exit', endWithUs);
      if (code === 0) resolve(answer);
      else fail(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}
