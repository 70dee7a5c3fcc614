Object.defineProperty(exports, '__esModule', { value: true });
exports.untilReady = untilReady;
/** Waits for a started server to answer. Its end is noticed at once, and told with the last lines of its log. */
const promises_1 = require('node:fs/promises');
const promises_2 = require('node:timers/promises');
const failure_1 = require('./failure');
const LOOK_AGAIN_MS = 50;
const PATIENCE_MS = 60_000;
const SHOWN_LINES = 8;
/** @throws StartFailure when the process ends before it answers, or doesn't answer within a minute. */
async function untilReady(child, logFile, answers) {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (!child.running()) {
      const { code, signal } = await child.exited;
      throw new failure_1.StartFailure(
        `${child.name} did not start (${signal ?? `code ${code}`}). The end of ${logFile}:\n${await lastLines(logFile)}`,
      );
    }
    if (await answers()) return;
    await (0, promises_2.setTimeout)(LOOK_AGAIN_MS);
  }
  throw new failure_1.StartFailure(
    `${child.name} does not answer after a minute. The end of ${logFile}:\n${await lastLines(logFile)}`,
  );
}
async function lastLines(file) {
  return (await (0, promises_1.readFile)(file, 'utf8')).trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
}
