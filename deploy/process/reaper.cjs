/**
 * Stops a supervisor's children when the supervisor is gone, however it went: it holds the other end of a pipe, which
 * closes with the supervisor. Arguments: the file of recorded children, and optionally a folder to delete after them.
 */
const { rmSync } = require('node:fs');
const { readRecords, stopRecorded } = require('./stop.cjs');

const [recordsFile, folder] = process.argv.slice(2);

// The terminal's Ctrl-C is for the supervisor, which stops its children in their order.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

process.stdin.resume();
process.stdin.on('close', async () => {
  await stopRecorded(readRecords(recordsFile));
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});
