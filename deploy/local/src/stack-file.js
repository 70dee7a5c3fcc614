/** What a running stack tells scripts: the file `stack.json` in its folder. */
Object.defineProperty(exports, '__esModule', { value: true });
exports.runningStack = runningStack;
const failure_1 = require('./failure');
const files_1 = require('./files');
/** @throws StartFailure when no stack runs in this folder */
async function runningStack(home) {
  const text = await (0, files_1.readIfThere)(home.stack);
  const file = text === undefined ? undefined : JSON.parse(text);
  if (file === undefined || !isAlive(file.pid)) {
    throw new failure_1.StartFailure(`No stack runs in ${home.folder}: start one with "npm start".`);
  }
  return file;
}
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
