/**
 * Stops recorded processes, such as the children of a killed supervisor. Plain JavaScript, because the reaper runs it too.
 */
const { readFileSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { isRunning } = require('./identity.cjs');

const GRACE_MS = 6_000;
const POLL_MS = 25;

/** Returns the processes recorded in a file. Returns none if there is no such file or it has another format. */
function readRecords(path) {
  try {
    const records = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(records) ? records.filter((record) => Number.isInteger(record?.pid)) : [];
  } catch {
    // The file is replaced atomically, so an unreadable file never had records.
    return [];
  }
}

/** Stops each recorded process that still runs, and kills it after the grace period. Returns the names. */
async function stopRecorded(records, graceMs = GRACE_MS) {
  const running = records.filter(isRunning);
  for (const record of running) signal(record, record.stopSignal ?? 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (running.some(isRunning) && Date.now() < deadline) await sleep(POLL_MS);
  for (const record of running) if (isRunning(record)) signal(record, 'SIGKILL');
  while (running.some(isRunning)) await sleep(POLL_MS);
  return running.map((record) => record.name);
}

function signal(record, name) {
  try {
    process.kill(record.pid, name);
  } catch (error) {
    // The process ended in the meantime.
    if (error.code !== 'ESRCH') throw error;
  }
}

module.exports = { readRecords, stopRecorded };
