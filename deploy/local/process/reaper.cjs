/**
 * The reaper process: stops the child processes of a supervisor after the supervisor has ended for any reason. The end of the supervisor
 * closes the pipe on standard input. Arguments: the file of recorded children, and optionally a folder to delete afterwards.
 */
const { rmSync } = require('node:fs');
const { readRecords, stopRecorded } = require('./stop.cjs');

const [recordsFile, folder] = process.argv.slice(2);

// The reaper ignores SIGINT and SIGTERM: on Ctrl-C, the supervisor stops its children itself, in the required order.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

process.stdin.resume();
process.stdin.on('close', async () => {
  await stopRecorded(readRecords(recordsFile));
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});
